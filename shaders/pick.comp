#version 450 core
// Finds the star under the cursor in two passes over all bodies. SEARCH 0: the smallest key; its high bits are the distance
// from the cursor in pixels, its low bits the depth. 1: the smallest index of the bodies with that key.

layout(local_size_x = 128) in;

#include "bodies.glsl"

layout(std430, binding = 1) buffer Found {
  uint min_key;
  uint index;
} found;
layout(location = 0) uniform mat4 clip_from_world;
layout(location = 4) uniform uint count;       // bodies in the bound range of the buffer
layout(location = 5) uniform uint first;       // index of the first of them
layout(location = 6) uniform uint show_halo;
layout(location = 7) uniform vec2 cursor;      // pixels from the lower left
layout(location = 8) uniform vec2 size;        // size of the frame
layout(location = 9) uniform float reach;      // pixels, below 15

const uint kNowhere = 0xFFFFFFFFu;

uint key_of(Vertex v) {
  if (!is_finite(v) || (show_halo == 0u && component_of(v.bits) == kComponentHalo)) return kNowhere;
  vec4 clip = clip_from_world * vec4(v.x, v.y, v.z, 1.0);
  // Clip at the near plane, as the rasteriser does.
  if (!(clip.w > 0.0) || clip.z < -clip.w) return kNowhere;
  float away = length((clip.xy / clip.w * 0.5 + 0.5) * size - cursor);
  if (!(away <= reach)) return kNowhere;
  // The bits of positive floats sort like the floats.
  return uint(away + 0.5) << 28 | floatBitsToUint(clip.w) >> 3;
}

void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i >= count) return;
  uint key = key_of(body_at(i));
  if (key == kNowhere) return;
#if SEARCH == 0
  atomicMin(found.min_key, key);
#else
  if (key == found.min_key) atomicMin(found.index, first + i);
#endif
}
