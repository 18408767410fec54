#version 450 core
// Adds up the dust of bodies in the cells of the grid, as integers, so that the sum does not depend on their order.
layout(local_size_x = 128) in;

#include "bodies.glsl"
#include "dust.glsl"

layout(std430, binding = 1) buffer Cells { uint galaxies, total, squares; uint cells[]; };
layout(location = 0) uniform uint count;
layout(location = 2) uniform uint every;  // one in `every` groups

const uint kGroup = 128u;
const float kUnit = 16.0;  // increment per unit of dust; at most 20 million bodies are counted, so that a cell cannot overflow

void add(ivec3 cell, float share) {
  ivec3 size = dust.cells.xyz;
  if (any(lessThan(cell, ivec3(0))) || any(greaterThanEqual(cell, size))) return;
  uint units = uint(kUnit * share + 0.5);
  if (units != 0u) atomicAdd(cells[(cell.z * size.y + cell.y) * size.x + cell.x], units);
}

void main() {
  uint i = every * gl_WorkGroupID.x * kGroup + gl_LocalInvocationIndex;
  if (i >= count) return;
  Vertex body = body_at(i);
  uint dust_here = dust_of(body.bits);
  if (dust_here == 0u || !is_finite(body)) return;
  atomicAdd(total, dust_here);
  atomicAdd(squares, dust_here * dust_here);
  uint galaxy = 1u << galaxy_of(body.bits);
  if ((galaxies & galaxy) == 0u) atomicOr(galaxies, galaxy);
  vec4 clip = dust.clip_from_world * vec4(body.x, body.y, body.z, 1.0);
  if (clip.w <= 0.0) return;
  vec3 at = clamp(dust_place(clip), -1.0, 2.0) * vec3(dust.cells.xyz) - 0.5;
  vec3 low = floor(at), part = at - low;
  for (int k = 0; k < 8; ++k) {
    ivec3 corner = ivec3(k & 1, k >> 1 & 1, k >> 2);
    vec3 share = mix(1.0 - part, part, vec3(corner));
    add(ivec3(low) + corner, float(dust_here) * share.x * share.y * share.z);
  }
}
