#version 450 core
// One triangle that covers the viewport, with places in a texture that is stretched over it.
layout(location = 0) out vec2 place;

void main() {
  place = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0;
  gl_Position = vec4(place * 2.0 - 1.0, 0.0, 1.0);
}
