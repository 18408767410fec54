// The bodies, for every pass that reads positions.
// MIXED 1: positions on the straight way from those in one buffer to those in another, which has the attributes.
#include "vertex_layout.glsl"

layout(std430, binding = 0) readonly buffer Bodies { Vertex bodies[]; };
#if MIXED
layout(std430, binding = 4) readonly buffer Before { Vertex before[]; };
layout(location = 20) uniform float way;  // share of it

Vertex body_at(uint i) {
  Vertex from = before[i], to = bodies[i];
  vec3 here = vec3(from.x, from.y, from.z) + way * vec3(to.x - from.x, to.y - from.y, to.z - from.z);
  return Vertex(here.x, here.y, here.z, to.bits);
}
#else
Vertex body_at(uint i) { return bodies[i]; }
#endif
