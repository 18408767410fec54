#version 450 core
// Faces of a tree cell: the first is a rectangle, all 6 form a box.
#include "frame.glsl"
#include "box.glsl"

layout(location = 0) flat out vec4 color;
layout(location = 47) uniform float wall;  // width in pixels beyond which faces fade

const ivec4 kFaces[6] = ivec4[](ivec4(0, 1, 2, 3), ivec4(4, 5, 6, 7), ivec4(0, 1, 4, 5), ivec4(2, 3, 6, 7),
                                ivec4(0, 2, 4, 6), ivec4(1, 3, 5, 7));

void main() {
  color = box_color();
  // Faces of large boxes would look like fog.
  color.a *= min(1.0, wall / box_pixels());
  gl_Position = box_corner(kFaces[gl_VertexID >> 2][gl_VertexID & 3]);
}
