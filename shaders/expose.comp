#version 450 core
// Automatic exposure: the mean of log2 brightness of a coarse bloom level, weighted by light, which ignores black sky. The
// brightest light (nuclei) and the faintest do not count. Then the exposure is raised by what the grain of single bodies
// costs: the curve of the tone map is concave, so that the same light looks darker as separate points. One work group and
// sums of integers make it reproducible.
#pragma optionNV(unroll none)  // saves 0.4 s of compilation on NVIDIA GPUs
#include "frame.glsl"
#include "accumulation.glsl"
#include "smoothing.glsl"
#include "film_curve.glsl"
layout(local_size_x = 256) in;

layout(binding = 1) uniform sampler2D coarse;
layout(binding = 3) uniform sampler2D smooth_light;  // smooth_up.frag
layout(std430, binding = 2) buffer Exposure { float automatic; };  // stops
layout(location = 0) uniform float follow;         // fraction of the change to apply; 1 is immediate
layout(location = 1) uniform float smooth_pixels;  // pixels of the light per texel of smooth_light; 0: not smoothed
layout(location = 2) uniform float bloom;          // share of the light that blooms
layout(location = 3) uniform bool grain;           // the grain of single bodies counts
layout(location = 4) uniform bool fine;            // measures the light itself instead of `coarse`

const int kThreads = 256, kBins = 512;
const float kFirst = -16.0, kBinsPerStop = 16.0;  // log2 of the darkest bin
const float kFirstLight = 0.05, kLastLight = 0.6;  // fractions of the light, from the faintest, between which it counts
const float kTarget = 1.15;  // log2 of the target brightness
const float kMaxStops = 10.0;

shared uint histogram[kBins];

float brightness(int bin) { return kFirst + (float(bin) + 0.5) / kBinsPerStop; }

float light_in(int bin) { return float(histogram[bin]) * exp2(brightness(bin)); }

// Mean of log2 brightness.
float key() {
  float all = 0.0;
  for (int k = 0; k < kBins; ++k) {
    if (histogram[k] != 0u) all += light_in(k);
  }
  if (all == 0.0) return kTarget;
  float before = 0.0, mean = 0.0;
  for (int k = 0; k < kBins; ++k) {
    if (histogram[k] == 0u) continue;
    float after = before + light_in(k) / all;
    mean += brightness(k) * (clamp(after, kFirstLight, kLastLight) - clamp(before, kFirstLight, kLastLight));
    before = after;
  }
  return mean / (kLastLight - kFirstLight);
}

// Grain is measured at every eighth pixel along each axis, in patches of 4 x 4 of them: wider than grain that was smoothed.
const int kSide = 4, kSpacing = 8, kStride = kSide * kSpacing;
const float kPatch = float(kSide * kSide);
const float kBrighter = 0.25;   // stops, for the slope
const float kMostGrain = 0.25;  // stops
const float kScale = 16384.0;   // units of the sums

shared uint blended, separate, brighter;

vec3 all_light_at(ivec2 pixel, float gain) {
  vec3 sharp = gain * light_at(pixel).rgb;
  return smooth_pixels > 0.0 ? smoothed(sharp, smooth_light, (vec2(pixel) + 0.5) / smooth_pixels) : sharp;
}

float shown(vec3 light) { return dot(film_curve(light), vec3(1.0 / 3.0)); }

// Adds the screen values of a patch: of its mean light, of its pixels, and of its pixels at a longer exposure.
void add_patch(ivec2 first, float exposure) {
  float gain = light_gain();
  vec3 light[kSide * kSide], mean = vec3(0.0);
  for (int k = 0; k < kSide * kSide; ++k) {
    light[k] = exposure * all_light_at(first + kSpacing * ivec2(k % kSide, k / kSide), gain);
    mean += light[k] / kPatch;
  }
  float each = 0.0, each_brighter = 0.0;
  for (int k = 0; k < kSide * kSide; ++k) {
    vec3 bloomed = mix(light[k], mean, bloom);
    each += shown(bloomed);
    each_brighter += shown(exp2(kBrighter) * bloomed);
  }
  atomicAdd(blended, uint(kScale * shown(mean) + 0.5));
  atomicAdd(separate, uint(kScale * each / kPatch + 0.5));
  atomicAdd(brighter, uint(kScale * each_brighter / kPatch + 0.5));
}

float stops_of_grain() {
  if (brighter <= separate || blended <= separate) return 0.0;
  return min(kBrighter * float(blended - separate) / float(brighter - separate), kMostGrain);
}

shared float target;  // stops, without grain

void main() {
  for (int k = int(gl_LocalInvocationIndex); k < kBins; k += kThreads) histogram[k] = 0u;
  barrier();
  ivec2 size = fine ? frame.size : textureSize(coarse, 0);
  for (int k = int(gl_LocalInvocationIndex); k < size.x * size.y; k += kThreads) {
    ivec2 at = ivec2(k % size.x, k / size.x);
    vec3 color = fine ? light_gain() * light_at(at).rgb : texelFetch(coarse, at, 0).rgb;
    float bin = (log2(max(color.r, max(color.g, color.b))) - kFirst) * kBinsPerStop;
    if (bin >= 0.0) atomicAdd(histogram[min(int(bin), kBins - 1)], 1u);
  }
  barrier();
  if (gl_LocalInvocationIndex == 0u) {
    target = clamp(kTarget - key(), -kMaxStops, kMaxStops);
    blended = separate = brighter = 0u;
  }
  barrier();
  ivec2 patches = grain ? frame.size / kStride : ivec2(0);
  for (int k = int(gl_LocalInvocationIndex); k < patches.x * patches.y; k += kThreads) {
    add_patch(kStride * ivec2(k % patches.x, k / patches.x), exp2(target));
  }
  barrier();
  if (gl_LocalInvocationIndex == 0u) automatic += follow * (target + stops_of_grain() - automatic);
}
