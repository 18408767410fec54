#version 450 core
// Adds the light of every body to the accumulation image. Its radius in pixels follows from its depth: below one pixel
// it is a splat, above two a soft sprite, and in between both with weights that add to one.
// FOOTPRINT 0: splats of one pixel. 1: bilinear ones of four. 2: the same where many fall on few pixels. 3: 0 and
// sprites. 4: 1 and sprites.
#define BILINEAR (FOOTPRINT == 1 || FOOTPRINT == 2 || FOOTPRINT == 4)
#define CROWDED (FOOTPRINT == 2)
#define SPRITES (FOOTPRINT >= 3)

layout(local_size_x = 128) in;

#include "frame.glsl"
#include "vertex_layout.glsl"
#include "colors.glsl"
#define LIGHT_WRITER
#include "accumulation.glsl"
#include "sprite.glsl"

layout(std430, binding = 0) readonly buffer Bodies { Vertex bodies[]; };
layout(location = 0) uniform uint count;  // in the part of the buffer that is bound
layout(location = 1) uniform uint first;  // vertex of that part
layout(location = 2) uniform uint every;  // groups of bodies, of which one is drawn with the light of all

const uint kGroup = 128u;
const float kFewUnits = 64.0;  // 67 million bodies

shared uint group_visible;

// What is seen of a body.
struct Star {
  bool seen;
  vec2 at;  // pixels
  float radius;
  vec3 light;
  float start;  // what rounding to whole units begins with
};

#if CROWDED
// Atomics on one pixel wait for each other (a nucleus from afar: 10M bodies on one pixel take 80 times as long as
// spread out), so a group first adds up what falls within some pixels of one of its bodies.
const int kTile = 16;
const uint kTileNumbers = 3u * 16u * 16u;
shared uint anchor;
shared uint tile[kTileNumbers];

ivec2 tile_first() { return ivec2(anchor & 0xFFFFu, anchor >> 16) - ivec2(kTile / 2, kTile - 2); }

bool add_to_tile(ivec2 pixel, uvec3 whole) {
  ivec2 inside = pixel - tile_first();
  if (any(lessThan(inside, ivec2(0))) || any(greaterThanEqual(inside, ivec2(kTile)))) return false;
  int at = 3 * (inside.y * kTile + inside.x);
  atomicAdd(tile[at], whole.r);
  atomicAdd(tile[at + 1], whole.g);
  atomicAdd(tile[at + 2], whole.b);
  return true;
}
#endif

bool in_picture(ivec2 pixel) { return all(greaterThanEqual(pixel, ivec2(0))) && all(lessThan(pixel, frame.size)); }

// Adds the whole part of `units` to a pixel; what is left over goes to the next one, so that no light is lost.
void add(ivec2 pixel, inout vec3 units) {
  uvec3 whole = uvec3(units);
  units -= vec3(whole);
  if (!in_picture(pixel) || whole == uvec3(0u)) return;
#if CROWDED
  if (add_to_tile(pixel, whole)) return;
#endif
  int at = 4 * (pixel.y * frame.size.x + pixel.x);
  atomicAdd(light[at], whole.r);
  atomicAdd(light[at + 1], whole.g);
  atomicAdd(light[at + 2], whole.b);
}

void splat(vec2 at, vec3 units, float start) {
  vec3 rest = vec3(start);
#if BILINEAR
  vec2 corner = floor(at - 0.5);
  vec2 high = at - 0.5 - corner;
  vec2 low = 1.0 - high;
  ivec2 pixel = ivec2(corner);
  rest += units * (low.x * low.y);
  add(pixel, rest);
  rest += units * (high.x * low.y);
  add(pixel + ivec2(1, 0), rest);
  rest += units * (low.x * high.y);
  add(pixel + ivec2(0, 1), rest);
  rest += units * (high.x * high.y);
  add(pixel + ivec2(1, 1), rest);
#else
  rest += units;
  add(ivec2(floor(at)), rest);
#endif
}

#if SPRITES
// A large sprite is the work of the whole group, or one thread would keep the others waiting.
const float kLargeSprite = 5.0;
shared uint large_count;
shared vec3 large_place[kGroup];  // where, and its radius
shared vec3 large_light[kGroup];

// Every `stride`-th pixel of a sprite from the one of number `start` on.
void draw_sprite(vec3 place, vec3 units, int start, int stride) {
  Sprite sprite = sprite_at(place.xy, place.z);
  ivec2 first = max(ivec2(floor(place.xy - place.z)), ivec2(0));
  ivec2 extent = min(ivec2(ceil(place.xy + place.z)), frame.size) - first;
  if (any(lessThan(extent, ivec2(1)))) return;
  vec3 rest = vec3(fract(0.5 + 0.618034 * float(start)));
  for (int k = start; k < extent.x * extent.y; k += stride) {
    ivec2 pixel = first + ivec2(k % extent.x, k / extent.x);
    float share = share_of(sprite, vec2(pixel) + 0.5);
    rest += share * units;
    if (share > 0.0) add(pixel, rest);
  }
}
#endif

bool shown(Vertex v) { return is_finite(v) && (frame.show_halo != 0u || component_of(v.bits) != kComponentHalo); }

Star star_of(uint i) {
  Star star = Star(false, vec2(0.0), 0.0, vec3(0.0), 0.5);
  if (i >= count || !shown(bodies[i])) return star;
  atomicAdd(group_visible, 1u);
  Vertex v = bodies[i];
  vec4 clip = frame.clip_from_world * vec4(v.x, v.y, v.z, 1.0);
#if SPRITES
  star.radius = clamp(frame.radius / max(clip.w, 1e-30), frame.least_radius, frame.most_radius);
#endif
  // Sprites may reach into the picture from outside it; beyond that a position would not fit an integer. Behind the
  // camera w is negative, and nothing is within the limit.
  vec2 limit = clip.w * (1.0 + 2.0 * (max(star.radius, kLeastSprite) + 1.0) / vec2(frame.size));
  if (!all(lessThan(abs(clip.xy), limit))) return star;
  star.seen = true;
  star.at = (clip.xy / clip.w * 0.5 + 0.5) * vec2(frame.size);
  star.light = frame.units * float(every) * body_color(v.bits, first + i);
  // Among hundreds of millions a body has so few units that all of one colour would lose the same part of it.
  if (frame.units < kFewUnits) star.start = fract(0.618034 * float((first + i) & 0xFFFFu));
  return star;
}

void draw_star(Star star) {
#if SPRITES
  float soft = smoothstep(1.0, 2.0, star.radius);
  if (soft < 1.0) splat(star.at, (1.0 - soft) * star.light, star.start);
  if (soft <= 0.0) return;
  vec3 place = vec3(star.at, max(star.radius, kLeastSprite));
  if (star.radius < kLargeSprite) {
    draw_sprite(place, soft * star.light, 0, 1);
  } else {
    uint k = atomicAdd(large_count, 1u);
    large_place[k] = place;
    large_light[k] = star.light;
  }
#else
  splat(star.at, star.light, star.start);
#endif
}

void main() {
  uint self = gl_LocalInvocationIndex;
  if (self == 0u) {
    group_visible = 0u;
#if SPRITES
    large_count = 0u;
#endif
#if CROWDED
    anchor = 0u;
#endif
  }
  barrier();
  Star star = star_of(every * gl_WorkGroupID.x * kGroup + self);
#if CROWDED
  for (uint k = self; k < kTileNumbers; k += kGroup) tile[k] = 0u;
  if (star.seen) atomicMax(anchor, uint(max(star.at.y, 0.0)) << 16 | uint(max(star.at.x, 0.0)));
  barrier();
#endif
  if (star.seen) draw_star(star);
  barrier();
#if CROWDED
  for (uint k = self; k < kTileNumbers; k += kGroup) {
    if (tile[k] == 0u) continue;
    ivec2 pixel = tile_first() + ivec2(int(k / 3u) % kTile, int(k / 3u) / kTile);
    atomicAdd(light[4 * (pixel.y * frame.size.x + pixel.x) + int(k % 3u)], tile[k]);
  }
#endif
#if SPRITES
  for (uint k = 0u; k < large_count; ++k) draw_sprite(large_place[k], large_light[k], int(self), int(kGroup));
#endif
  if (self == 0u) atomicAdd(light[3], every * group_visible);
}
