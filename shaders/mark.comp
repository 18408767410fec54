#version 450 core
// Marks stars: sets their bits and counts the new ones. SELECT 0: those under a stroke on the screen. 1: those of a galaxy that
// were born between two radii.

layout(local_size_x = 128) in;

#include "bodies.glsl"

layout(std430, binding = 1) buffer Count { uint marked; };
layout(std430, binding = 3) buffer Marks { uint marks[]; };  // one bit per star of the whole buffer
layout(location = 0) uniform mat4 clip_from_world;
layout(location = 4) uniform uint count;      // stars in the bound range of the buffer
layout(location = 5) uniform uint first;      // index of the first of them
layout(location = 6) uniform uint show_halo;
layout(location = 7) uniform vec4 stroke;     // its ends: pixels from the lower left
layout(location = 8) uniform vec2 size;       // size of the frame
layout(location = 9) uniform float radius;    // pixels
layout(location = 10) uniform vec2 columns;   // first and end of the pixel columns in which these stars are drawn
layout(location = 11) uniform int galaxy;     // -1: all
layout(location = 12) uniform uvec2 births;   // lowest and highest radius byte

#if SELECT == 0
float distance_to_stroke(vec2 at) {
  vec2 along = stroke.zw - stroke.xy, from = at - stroke.xy;
  float share = dot(along, from) / max(dot(along, along), 1e-6);
  return length(from - clamp(share, 0.0, 1.0) * along);
}

bool selected(Vertex v) {
  if (!is_finite(v) || (show_halo == 0u && component_of(v.bits) == kComponentHalo)) return false;
  vec4 clip = clip_from_world * vec4(v.x, v.y, v.z, 1.0);
  // Clip at the near plane, as the rasteriser does.
  if (!(clip.w > 0.0) || clip.z < -clip.w) return false;
  vec2 at = (clip.xy / clip.w * 0.5 + 0.5) * size;
  return distance_to_stroke(at) <= radius && at.x >= columns.x && at.x < columns.y;
}
#else
bool selected(Vertex v) {
  uint birth = radius_byte_of(v.bits);
  bool from = galaxy < 0 || galaxy_of(v.bits) == uint(galaxy);
  return from && component_of(v.bits) != kComponentHalo && birth >= births.x && birth <= births.y;
}
#endif

void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i >= count || !selected(body_at(i))) return;
  uint bit = 1u << (first + i & 31u);
  if ((atomicOr(marks[first + i >> 5], bit) & bit) == 0u) atomicAdd(marked, 1u);
}
