// The bodies, for every pass that reads positions.
// MIXED 1: positions on the straight way from those in one buffer to those in another, which has the attributes. 2: on
// parabolas, with bend_bits() of sim/core/vertex_target.h in place of scalars.
#include "vertex_layout.glsl"

layout(std430, binding = 0) readonly buffer Bodies { Vertex bodies[]; };
#if MIXED
layout(std430, binding = 4) readonly buffer Before { Vertex before[]; };
layout(location = 20) uniform float way;  // share of it

Vertex body_at(uint i) {
  Vertex from = before[i], to = bodies[i];
  vec3 line = vec3(to.x - from.x, to.y - from.y, to.z - from.z);
  vec3 here = vec3(from.x, from.y, from.z) + way * line;
#if MIXED == 2
  int bits = int(to.bits);
  vec3 bend = vec3(bitfieldExtract(bits, 16, 5), bitfieldExtract(bits, 21, 5), bitfieldExtract(bits, 26, 5)) / 15.0;
  here += way * (1.0 - way) * length(line) * bend * abs(bend);
#endif
  return Vertex(here.x, here.y, here.z, to.bits);
}
#else
Vertex body_at(uint i) { return bodies[i]; }
#endif
