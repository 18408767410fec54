#version 450 core
// Resolves the accumulated light to HDR.
#include "frame.glsl"
#include "accumulation.glsl"

layout(location = 0) out vec4 color;

void main() {
  // The maximum of a half float is 65504.
  color = vec4(min(light_at(ivec2(gl_FragCoord.xy)) * light_gain(), 60000.0), 1.0);
}
