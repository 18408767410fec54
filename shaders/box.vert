#version 450 core
// Edges of a tree cell: the first 4 form a rectangle, all 12 a box.
#include "frame.glsl"
#include "box.glsl"
#include "lines.glsl"

layout(location = 44) uniform float line_width;
layout(location = 45) uniform vec2 viewport;  // pixels
layout(location = 0) flat out vec4 color;
layout(location = 1) noperspective out float side;

// Corners at the two ends of each edge.
const ivec2 kEdges[12] = ivec2[](ivec2(0, 1), ivec2(1, 3), ivec2(3, 2), ivec2(2, 0), ivec2(4, 5), ivec2(5, 7),
                                 ivec2(7, 6), ivec2(6, 4), ivec2(0, 4), ivec2(1, 5), ivec2(3, 7), ivec2(2, 6));

void main() {
  ivec2 edge = kEdges[gl_VertexID >> 2];
  color = box_color();
  gl_Position = line_corner(box_corner(edge.x), box_corner(edge.y), gl_VertexID & 3, line_width, viewport, side);
}
