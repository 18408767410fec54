#version 450 core
// Counts the bodies in cells of the image, each kind by itself.
layout(local_size_x = 128) in;

#include "frame.glsl"
#include "bodies.glsl"

layout(std430, binding = 1) buffer Cells { uint cells[]; };
layout(location = 0) uniform uint count;
layout(location = 1) uniform uint every;     // one in `every` groups
layout(location = 2) uniform ivec2 columns;  // first and end of the pixel columns that are counted
layout(location = 3) uniform ivec2 size;     // image size in cells
layout(location = 4) uniform float scale;    // cells per pixel, along an axis

const uint kGroup = 128u;

void main() {
  uint i = every * gl_WorkGroupID.x * kGroup + gl_LocalInvocationIndex;
  if (i >= count) return;
  Vertex v = body_at(i);
  if (component_of(v.bits) == kComponentHalo || !is_finite(v)) return;
  vec4 clip = frame.clip_from_world * vec4(v.x, v.y, v.z, 1.0);
  if (!all(lessThan(abs(clip.xy), vec2(clip.w)))) return;
  vec2 at = (clip.xy / clip.w * 0.5 + 0.5) * vec2(frame.size);
  if (at.x < float(columns.x) || at.x >= float(columns.y)) return;
  ivec2 cell = min(ivec2(at * scale), size - 1);
  atomicAdd(cells[4u * uint(cell.y * size.x + cell.x) + kind_of(v.bits)], 1u);
}
