#version 450 core
// Accumulates the light of halo bodies in coarse cells of the image, as integers: a halo is smooth.
layout(local_size_x = 128) in;

#include "frame.glsl"
#include "bodies.glsl"
#include "colors.glsl"

layout(std430, binding = 1) buffer Cells { uint cells[]; };
layout(location = 0) uniform uint count;
layout(location = 1) uniform uint every;     // draw one in `every` groups, with the light of all
layout(location = 2) uniform ivec2 columns;  // first and end of the pixel columns that are drawn
layout(location = 3) uniform ivec2 size;     // image size in cells
layout(location = 4) uniform int side;       // cell size, pixels

const uint kGroup = 128u;

void add(ivec2 cell, vec3 units) {
  if (any(lessThan(cell, ivec2(0))) || any(greaterThanEqual(cell, size))) return;
  int at = 4 * (cell.y * size.x + cell.x);
  atomicAdd(cells[at], uint(units.r));
  atomicAdd(cells[at + 1], uint(units.g));
  atomicAdd(cells[at + 2], uint(units.b));
}

void main() {
  uint i = every * gl_WorkGroupID.x * kGroup + gl_LocalInvocationIndex;
  if (i >= count) return;
  Vertex v = body_at(i);
  if (component_of(v.bits) != kComponentHalo || !is_finite(v)) return;
  vec4 clip = frame.clip_from_world * vec4(v.x, v.y, v.z, 1.0);
  if (!all(lessThan(abs(clip.xy), vec2(1.5 * clip.w)))) return;
  vec2 at = (clip.xy / clip.w * 0.5 + 0.5) * vec2(frame.size);
  if (at.x < float(columns.x) || at.x >= float(columns.y)) return;
  vec3 light = frame.units * float(every) * fog_color(v.bits);
  vec2 place = at / float(side) - 0.5, corner = floor(place), high = place - corner, low = 1.0 - high;
  ivec2 cell = ivec2(corner);
  float start = fract(0.618034 * float(i & 0xFFFFu));  // rounds up as often as down
  add(cell, low.x * low.y * light + start);
  add(cell + ivec2(1, 0), high.x * low.y * light + start);
  add(cell + ivec2(0, 1), low.x * high.y * light + start);
  add(cell + ivec2(1, 1), high.x * high.y * light + start);
}
