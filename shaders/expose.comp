#version 450 core
// Automatic exposure: from a histogram of log2 brightness of a coarse bloom level, finds the brightness below which the
// fraction kFainter of the light lies. Weighting by light ignores black sky. One work group and integers make it
// reproducible.
layout(local_size_x = 256) in;

layout(binding = 1) uniform sampler2D image;
#if SMOOTHED
layout(binding = 2) uniform sampler2D arrived;  // SmoothingPass::Level
layout(binding = 3) uniform sampler2D result;
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

// log2 of the brightness below which the fraction kFainter of the light lies, interpolated between bins.
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
  return kTarget;
}

vec3 light_at(ivec2 pixel) {
  vec3 light = texelFetch(image, pixel, 0).rgb;
#if SMOOTHED
  light += texelFetch(result, pixel, 0).rgb - texelFetch(arrived, pixel, 0).rgb;
#endif
  return light;
}

void main() {
  histogram[gl_LocalInvocationIndex] = 0u;
  barrier();
  ivec2 size = textureSize(image, 0);
  for (int k = int(gl_LocalInvocationIndex); k < size.x * size.y; k += kBins) {
    vec3 light = light_at(ivec2(k % size.x, k / size.x));
    float bin = (log2(max(light.r, max(light.g, light.b))) - kFirst) * kBinsPerStop;
    if (bin >= 0.0) atomicAdd(histogram[min(int(bin), kBins - 1)], 1u);
  }
  barrier();
  if (gl_LocalInvocationIndex == 0u) automatic += follow * (clamp(kTarget - key(), -kMaxStops, kMaxStops) - automatic);
}
