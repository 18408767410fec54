#version 450 core
// One triangle that covers the viewport, and the gain of the accumulated light, which is the same everywhere.
#include "frame.glsl"
#include "accumulation.glsl"

layout(location = 0) flat out float gain;

void main() {
  gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0, 0.0, 1.0);
  gain = light_gain();
}
