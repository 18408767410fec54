#version 450 core
// Adds up the dust of bodies in the cells of the grid, as integers, so that the sum does not depend on their order.
#if SOFTWARE
const uint kThreads = 8u;
layout(local_size_x = 8) in;
#else
layout(local_size_x = 128) in;
#endif

#include "bodies.glsl"
#include "dust.glsl"

layout(std430, binding = 1) buffer Cells { uint galaxies, total, squares; uint cells[]; };
layout(location = 0) uniform uint count;
layout(location = 2) uniform uint every;  // one in `every` groups

const uint kGroup = 128u;

// Adds the integer part and leaves the remainder for the next cell.
void add(ivec3 cell, inout float units) {
  ivec3 size = dust.cells.xyz;
  uint whole = uint(units);
  units -= float(whole);
  if (whole == 0u || any(lessThan(cell, ivec3(0))) || any(greaterThanEqual(cell, size))) return;
  atomicAdd(cells[(cell.z * size.y + cell.y) * size.x + cell.x], whole);
}

// Adds the dust of the body to the cells around it.
void count_dust(Vertex body, float amount) {
  uint galaxy = 1u << galaxy_of(body.bits);
  if ((galaxies & galaxy) == 0u) atomicOr(galaxies, galaxy);
  vec4 clip = dust.clip_from_world * vec4(body.x, body.y, body.z, 1.0);
  if (clip.w <= 0.0) return;
  vec3 at = clamp(dust_place(clip), -1.0, 2.0) * vec3(dust.cells.xyz) - 0.5;
  vec3 low = floor(at), part = at - low;
  float rest = 0.5;
  for (int k = 0; k < 8; ++k) {
    ivec3 corner = ivec3(k & 1, k >> 1 & 1, k >> 2);
    vec3 share = mix(1.0 - part, part, vec3(corner));
    rest += kDustUnit * amount * share.x * share.y * share.z;
    add(ivec3(low) + corner, rest);
  }
}

uint amount_of(uint i) {
  if (i >= count) return 0u;
  Vertex body = body_at(i);
  return is_finite(body) ? dust_of(body.bits) : 0u;
}

#if SOFTWARE
// Software rendering executes both sides of a branch, so threads look for their next body that has dust.
void main() {
  uint start = every * gl_WorkGroupID.x * kGroup, sum = 0u, sum_of_squares = 0u;
  for (uint k = gl_LocalInvocationIndex;; k += kThreads) {
    uint amount = 0u;
    for (; k < kGroup; k += kThreads) {
      amount = amount_of(start + k);
      if (amount != 0u) break;
    }
    if (k >= kGroup) break;
    count_dust(body_at(start + k), float(amount));
    sum += amount;
    sum_of_squares += amount * amount;
  }
  if (sum == 0u) return;
  atomicAdd(total, sum);
  atomicAdd(squares, (sum_of_squares + kDustSquares / 2u) / kDustSquares);
}
#else
// Atomics on one number serialise, so a group first adds up its own.
shared uint group_total, group_squares;
void count_sums(uint amount) {
  bool first = gl_LocalInvocationIndex == 0u;
  if (first) group_total = group_squares = 0u;
  barrier();
  if (amount != 0u) {
    atomicAdd(group_total, amount);
    atomicAdd(group_squares, amount * amount);
  }
  barrier();
  if (!first || group_total == 0u) return;
  atomicAdd(total, group_total);
  atomicAdd(squares, (group_squares + kDustSquares / 2u) / kDustSquares);
}

void main() {
  uint i = every * gl_WorkGroupID.x * kGroup + gl_LocalInvocationIndex, amount = amount_of(i);
  if (amount != 0u) count_dust(body_at(i), float(amount));
  count_sums(amount);
}
#endif
