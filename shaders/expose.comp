#version 450 core
// Automatic exposure: from a histogram of log2 brightness of a coarse bloom level, finds the brightness below which the
// fraction kFainter of the light lies. Weighting by light ignores black sky. One work group and integers make it
// reproducible. SMOOTHED 1: with the light of SmoothingPass.
#if SMOOTHED
#include "frame.glsl"
#include "accumulation.glsl"
#include "smoothing.glsl"
#endif
layout(local_size_x = 256) in;

layout(binding = 1) uniform sampler2D image;
#if SMOOTHED
layout(binding = 2) uniform sampler2D arrived;  // SmoothingPass::Level
layout(binding = 3) uniform sampler2D result;
layout(location = 1) uniform float level;  // of the image, as in smooth_down.frag
layout(location = 2) uniform float body;   // as in smooth_down.frag
#endif
layout(std430, binding = 2) buffer Exposure { float automatic; };  // stops
layout(location = 0) uniform float follow;  // fraction of the change to apply; 1 is immediate

const int kBins = 256;
const float kFirst = -16.0, kBinsPerStop = 8.0;  // log2 of the darkest bin
const float kFainter = 0.3;
const float kTarget = 2.25;  // log2 of the target brightness
const float kMaxStops = 10.0;

shared uint histogram[kBins];

float brightness(int bin) { return kFirst + (float(bin) + 0.5) / kBinsPerStop; }
int bin_of(float light) { return min(int((log2(light) - kFirst) * kBinsPerStop), kBins - 1); }

#if SMOOTHED
// A body does not count as its own surroundings, because the scatter of few bodies would raise the result.
const float kOwnShare = 0.35;  // of the light of a body that remains in its pixel
const float kLeast = 0.7;      // share that counts at least: lone bodies are spread over several pixels
const float kParts = 16.0;     // per body, in the histogram

float weight(int bin) { return float(histogram[bin]); }

void add(ivec2 pixel) {
  vec3 light = texelFetch(image, pixel, 0).rgb + texelFetch(result, pixel, 0).rgb - texelFetch(arrived, pixel, 0).rgb;
  float one = light_gain() * frame.units * body * exp2(-2.0 * level);
  float bodies = strongest(light) / one, others = max(bodies - kOwnShare, kLeast * bodies);
  atomicAdd(histogram[bin_of(max(others * one, exp2(kFirst)))], uint(kParts * bodies + 0.5));
}
#else
float weight(int bin) { return float(histogram[bin]) * exp2(brightness(bin)); }

void add(ivec2 pixel) {
  vec3 light = texelFetch(image, pixel, 0).rgb;
  float strongest = max(light.r, max(light.g, light.b));
  if (strongest >= exp2(kFirst)) atomicAdd(histogram[bin_of(strongest)], 1u);
}
#endif

// log2 of the brightness below which the fraction kFainter of the light lies, interpolated between bins.
float key() {
  float all = 0.0;
  for (int k = 0; k < kBins; ++k) all += weight(k);
  float sum = 0.0;
  for (int k = 0; k < kBins; ++k) {
    float here = weight(k);
    if (here > 0.0 && sum + here >= kFainter * all) {
      return brightness(k) + ((kFainter * all - sum) / here - 0.5) / kBinsPerStop;
    }
    sum += here;
  }
  return kTarget;
}

void main() {
  histogram[gl_LocalInvocationIndex] = 0u;
  barrier();
  ivec2 size = textureSize(image, 0);
  for (int k = int(gl_LocalInvocationIndex); k < size.x * size.y; k += kBins) add(ivec2(k % size.x, k / size.x));
  barrier();
  if (gl_LocalInvocationIndex == 0u) automatic += follow * (clamp(kTarget - key(), -kMaxStops, kMaxStops) - automatic);
}
