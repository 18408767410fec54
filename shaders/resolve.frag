#version 450 core
// Accumulated light as a picture of high dynamic range.
#include "frame.glsl"
#include "accumulation.glsl"

layout(location = 0) out vec4 color;

void main() {
  // Half floats end at 65504.
  color = vec4(min(light_at(ivec2(gl_FragCoord.xy)) * light_gain(), 60000.0), 1.0);
}
