#version 450 core
// Automatic exposure: the mean of log2 brightness of a coarse bloom level, weighted by light, which ignores black sky. The
// brightest light (nuclei) and the faintest do not count. A histogram in one work group and integers make it reproducible.
layout(local_size_x = 256) in;

layout(binding = 1) uniform sampler2D image;
layout(std430, binding = 2) buffer Exposure { float automatic; };  // stops
layout(location = 0) uniform float follow;  // fraction of the change to apply; 1 is immediate

const int kThreads = 256, kBins = 512;
const float kFirst = -16.0, kBinsPerStop = 16.0;  // log2 of the darkest bin
const float kFirstLight = 0.05, kLastLight = 0.6;  // fractions of the light, from the faintest, between which it counts
const float kTarget = 1.6;  // log2 of the target brightness
const float kMaxStops = 10.0;

shared uint histogram[kBins];

float brightness(int bin) { return kFirst + (float(bin) + 0.5) / kBinsPerStop; }

float light(int bin) { return float(histogram[bin]) * exp2(brightness(bin)); }

// Mean of log2 brightness.
float key() {
  float all = 0.0;
  for (int k = 0; k < kBins; ++k) {
    if (histogram[k] != 0u) all += light(k);
  }
  if (all == 0.0) return kTarget;
  float before = 0.0, mean = 0.0;
  for (int k = 0; k < kBins; ++k) {
    if (histogram[k] == 0u) continue;
    float after = before + light(k) / all;
    mean += brightness(k) * (clamp(after, kFirstLight, kLastLight) - clamp(before, kFirstLight, kLastLight));
    before = after;
  }
  return mean / (kLastLight - kFirstLight);
}

void main() {
  for (int k = int(gl_LocalInvocationIndex); k < kBins; k += kThreads) histogram[k] = 0u;
  barrier();
  ivec2 size = textureSize(image, 0);
  for (int k = int(gl_LocalInvocationIndex); k < size.x * size.y; k += kThreads) {
    vec3 color = texelFetch(image, ivec2(k % size.x, k / size.x), 0).rgb;
    float bin = (log2(max(color.r, max(color.g, color.b))) - kFirst) * kBinsPerStop;
    if (bin >= 0.0) atomicAdd(histogram[min(int(bin), kBins - 1)], 1u);
  }
  barrier();
  if (gl_LocalInvocationIndex == 0u) automatic += follow * (clamp(kTarget - key(), -kMaxStops, kMaxStops) - automatic);
}
