#version 450 core
// One triangle of one colour that covers the viewport.
layout(location = 0) flat out vec4 color;
layout(location = 0) uniform vec4 tint;

void main() {
  color = tint;
  gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0, 0.0, 1.0);
}
