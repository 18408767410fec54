#version 450 core
// The accumulated light in half its size, with the weights of bloom_down.frag. SPREAD 1: means of four pixels, which take
// software rendering a fourth of the time, because most of the light is added from a level on which it was spread.
#include "frame.glsl"
#include "accumulation.glsl"

#if SPREAD
layout(binding = 2) uniform sampler2D spread;
#endif
layout(location = 0) flat in float gain;
layout(location = 0) out vec4 mean;

const float kMaxLight = 60000.0;

vec3 at(int x, int y) { return light_at(clamp(2 * ivec2(gl_FragCoord.xy) + ivec2(x, y), ivec2(0), frame.size - 1)).rgb; }

void main() {
#if SPREAD
  vec3 light = 0.25 * (at(0, 0) + at(1, 0) + at(0, 1) + at(1, 1));
#else
  const float kWeights[4] = {0.125, 0.375, 0.375, 0.125};
  vec3 light = vec3(0.0);
  for (int y = 0; y < 4; ++y)
    for (int x = 0; x < 4; ++x) light += kWeights[x] * kWeights[y] * at(x - 1, y - 1);
#endif
  light *= gain;
  // The maximum of a half float is 65504. The ratios of the channels are kept.
  light *= min(1.0, kMaxLight / max(max(light.r, max(light.g, light.b)), 1.0));
#if SPREAD
  light += texelFetch(spread, ivec2(gl_FragCoord.xy), 0).rgb;
#endif
  mean = vec4(light, 1.0);
}
