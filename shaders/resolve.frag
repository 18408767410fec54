#version 450 core
// Resolves the accumulated light to HDR.
#include "frame.glsl"
#include "accumulation.glsl"

layout(location = 0) flat in float gain;
layout(location = 0) out vec4 color;  // alpha: light of marked bodies

const float kMaxLight = 60000.0;

void main() {
  vec4 light = light_at(ivec2(gl_FragCoord.xy)) * gain;
  // The maximum of a half float is 65504. The ratios of the channels are kept.
  float scale = min(1.0, kMaxLight / max(max(light.r, max(light.g, light.b)), 1.0));
  color = vec4(light.rgb * scale, min(light.a, kMaxLight));
}
