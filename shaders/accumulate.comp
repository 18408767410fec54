#version 450 core
// Adds the light of every body to the accumulation image.
// FOOTPRINT 0: one pixel. 1: bilinear, four pixels. 2: a soft sprite of frame.radius.

layout(local_size_x = 128) in;

#include "frame.glsl"
#include "vertex_layout.glsl"
#include "colors.glsl"
#define LIGHT_WRITER
#include "light.glsl"

layout(std430, binding = 0) readonly buffer Bodies { Vertex bodies[]; };
layout(location = 0) uniform uint count;  // in the part of the buffer that is bound

shared uint group_visible;

void add(ivec2 pixel, vec3 units) {
  if (any(lessThan(pixel, ivec2(0))) || any(greaterThanEqual(pixel, frame.size))) return;
  uvec3 whole = uvec3(units + 0.5);
  int at = 4 * (pixel.y * frame.size.x + pixel.x);
  atomicAdd(light[at], whole.r);
  atomicAdd(light[at + 1], whole.g);
  atomicAdd(light[at + 2], whole.b);
}

#if FOOTPRINT == 0
void splat(vec2 at, vec3 units) { add(ivec2(floor(at)), units); }
#elif FOOTPRINT == 1
void splat(vec2 at, vec3 units) {
  vec2 corner = floor(at - 0.5);
  vec2 high = at - 0.5 - corner;
  vec2 low = 1.0 - high;
  ivec2 pixel = ivec2(corner);
  add(pixel, units * (low.x * low.y));
  add(pixel + ivec2(1, 0), units * (high.x * low.y));
  add(pixel + ivec2(0, 1), units * (low.x * high.y));
  add(pixel + ivec2(1, 1), units * (high.x * high.y));
}
#else
// A round bell with an end: (1 - d^2/r^2)^2.
float bell(vec2 offset) {
  float inside = max(1.0 - dot(offset, offset) / (frame.radius * frame.radius), 0.0);
  return inside * inside;
}

void splat(vec2 at, vec3 units) {
  int reach = int(ceil(2.0 * frame.radius));
  ivec2 first = ivec2(floor(at - frame.radius + 0.5));
  vec2 start = vec2(first) + 0.5 - at;
  float sum = 0.0;
  for (int j = 0; j < reach; ++j) {
    for (int i = 0; i < reach; ++i) sum += bell(start + vec2(i, j));
  }
  for (int j = 0; j < reach; ++j) {
    for (int i = 0; i < reach; ++i) {
      float share = bell(start + vec2(i, j)) / sum;
      if (share > 0.0) add(first + ivec2(i, j), share * units);
    }
  }
}
#endif

bool shown(Vertex v) { return is_finite(v) && (frame.show_halo != 0u || component_of(v.bits) != kComponentHalo); }

void main() {
  if (gl_LocalInvocationIndex == 0u) group_visible = 0u;
  barrier();
  uint i = gl_GlobalInvocationID.x;
  if (i < count && shown(bodies[i])) {
    Vertex v = bodies[i];
    atomicAdd(group_visible, 1u);
    vec4 clip = frame.clip_from_world * vec4(v.x, v.y, v.z, 1.0);
    // Sprites may reach into the picture from outside it; beyond that a position would not fit an integer. Behind the
    // camera w is negative, and nothing is within the limit.
    vec2 limit = clip.w * (1.0 + 2.0 * (frame.radius + 1.0) / vec2(frame.size));
    if (all(lessThan(abs(clip.xy), limit))) {
      splat((clip.xy / clip.w * 0.5 + 0.5) * vec2(frame.size), frame.units * body_color(v.bits));
    }
  }
  barrier();
  if (gl_LocalInvocationIndex == 0u) atomicAdd(light[3], group_visible);
}
