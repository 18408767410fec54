#version 450 core
// Lines from a star to the bodies that act on it directly.
#include "frame.glsl"
#include "lines.glsl"

layout(location = 0) in vec3 body;
layout(location = 0) uniform vec3 star;
layout(location = 1) uniform vec4 line_color;
layout(location = 44) uniform float line_width;
layout(location = 45) uniform vec2 viewport;  // pixels
layout(location = 0) flat out vec4 color;
layout(location = 1) noperspective out float side;

void main() {
  color = line_color;
  gl_Position = line_corner(frame.clip_from_world * vec4(star, 1.0), frame.clip_from_world * vec4(body, 1.0),
                            gl_VertexID, line_width, viewport, side);
}
