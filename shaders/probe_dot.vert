#version 450 core
// A ring or disc around a position, sized in pixels.
#include "frame.glsl"

layout(location = 0) in vec3 place;
layout(location = 45) uniform vec2 viewport;  // pixels
layout(location = 2) uniform float radius;  // outer radius, pixels
layout(location = 0) noperspective out vec2 offset;

void main() {
  vec2 corner = vec2((gl_VertexID & 1) == 0 ? -1.0 : 1.0, (gl_VertexID & 2) == 0 ? -1.0 : 1.0);
  offset = corner * (radius + 1.0);
  gl_Position = frame.clip_from_world * vec4(place, 1.0);
  gl_Position.xy += 2.0 * offset / viewport * gl_Position.w;
}
