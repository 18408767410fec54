#version 450 core
// Chooses the exposure: a histogram of the logarithm of brightness over a coarse level of the glow, from which the
// brightness follows below which kFainter of all light lies. Weighted by light, black sky does not count, however much
// of it there is. One group and whole numbers: the same picture gives the same exposure.
layout(local_size_x = 256) in;

layout(binding = 1) uniform sampler2D picture;
layout(std430, binding = 2) buffer Exposure { float automatic; };  // stops
layout(location = 0) uniform float follow;  // share of the way to go: 1 is at once

const int kBins = 256;
const float kFirst = -16.0, kBinsPerStop = 8.0;  // log2 of the darkest brightness that counts
const float kFainter = 0.60;
const float kWanted = 4.2;  // log2 of the brightness that it is brought to
const float kMost = 10.0;    // stops, either way

shared uint histogram[kBins];

float brightness(int bin) { return kFirst + (float(bin) + 0.5) / kBinsPerStop; }

// log2 of the brightness below which kFainter of the light lies, between the centres of two bins.
float key() {
  float all = 0.0;
  for (int k = 0; k < kBins; ++k) all += float(histogram[k]) * exp2(brightness(k));
  float sum = 0.0;
  for (int k = 0; k < kBins; ++k) {
    float here = float(histogram[k]) * exp2(brightness(k));
    if (here > 0.0 && sum + here >= kFainter * all) {
      return brightness(k) + ((kFainter * all - sum) / here - 0.5) / kBinsPerStop;
    }
    sum += here;
  }
  return kWanted;
}

void main() {
  histogram[gl_LocalInvocationIndex] = 0u;
  barrier();
  ivec2 size = textureSize(picture, 0);
  for (int k = int(gl_LocalInvocationIndex); k < size.x * size.y; k += kBins) {
    vec3 light = texelFetch(picture, ivec2(k % size.x, k / size.x), 0).rgb;
    float bin = (log2(max(light.r, max(light.g, light.b))) - kFirst) * kBinsPerStop;
    if (bin >= 0.0) atomicAdd(histogram[min(int(bin), kBins - 1)], 1u);
  }
  barrier();
  if (gl_LocalInvocationIndex == 0u) automatic += follow * (clamp(kWanted - key(), -kMost, kMost) - automatic);
}
