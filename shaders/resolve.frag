#version 450 core
// Resolves the accumulated light to HDR.
#include "frame.glsl"
#include "accumulation.glsl"

layout(location = 0) out vec4 color;

void main() {
  vec3 light = light_at(ivec2(gl_FragCoord.xy)) * light_gain();
  // The maximum of a half float is 65504. The ratios of the channels are kept.
  color = vec4(light * min(1.0, 60000.0 / max(max(light.r, max(light.g, light.b)), 1.0)), 1.0);
}
