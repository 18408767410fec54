#version 450 core
// Accumulates the light of all bodies. The radius in pixels depends on the depth: below one pixel a splat, above two a soft
// sprite, in between a blend of both.
// FOOTPRINT 0: one-pixel splats. 1: bilinear splats of four pixels. 2: as 1, for many bodies on few pixels. 3: 0 and sprites.
// 4: 1 and sprites.
// COLORS: see colors.glsl.
// SOFTWARE 1: threads share no memory, because software rendering switches between coroutines at each barrier.
// SPREAD 1: the light of faint stars goes to coarser images, which SmoothingPass adds up.
// A second pass adds the marked bodies alone, so that an image without them costs nothing more.
#define BILINEAR (FOOTPRINT == 1 || FOOTPRINT == 2 || FOOTPRINT == 4)
#define CROWDED (FOOTPRINT == 2 && SOFTWARE == 0)
#define SPRITES (FOOTPRINT >= 3)

const uint kGroup = 128u;  // bodies
#if SOFTWARE
const uint kThreads = 8u;
layout(local_size_x = 8) in;
#else
layout(local_size_x = 128) in;
#endif

#include "frame.glsl"
#include "bodies.glsl"
#include "colors.glsl"
#define LIGHT_WRITER
#include "accumulation.glsl"
#include "sprite.glsl"
#include "dust.glsl"

layout(std430, binding = 3) readonly buffer Marks { uint marks[]; };  // one bit per body of the whole buffer
layout(binding = 7) uniform sampler3D dust_cells;  // optical depth from the camera, and density
layout(binding = 9) uniform sampler2D dust_columns;  // of the whole column
layout(location = 0) uniform uint count;  // bodies in the bound range of the buffer
layout(location = 1) uniform uint first;  // index of the first of them
layout(location = 2) uniform uint every;  // draw one in `every` groups, with the light of all
layout(location = 3) uniform ivec2 columns;  // first and end of the pixel columns that are drawn
layout(location = 4) uniform uint counted;   // these bodies count as visible
layout(location = 5) uniform uint only_marked;  // 1: adds the marked bodies, to the fourth channel

#if SPREAD
layout(binding = 8) uniform sampler2D levels;  // over which the light of each kind of body is spread; crowd_level.frag
layout(location = 6) uniform vec4 in_levels;   // place in it of a pixel of the frame: factor, shift
layout(location = 7) uniform ivec2 first_level;  // level of the first coarse image, level of the accumulation image
layout(location = 8) uniform ivec3 coarse[8];  // coarse images: number of the first pixel, size. No pixel: not drawn here
layout(location = 16) uniform uint one_pixel;  // 1: light for a coarse image goes to one of four pixels, by chance
layout(location = 17) uniform float widest;    // level
layout(location = 18) uniform float in_dust;   // see wider_in_dust()
#endif

const float kFewUnits = 64.0;  // 67 million bodies

// A projected body.
struct Star {
  bool counted;  // counts as visible, even outside the frame
  bool visible;
  vec2 at;  // pixels
  float radius;
  float core;  // of a sprite, pixels
  vec3 light;
  float start;  // initial rounding remainder
#if SPREAD
  uint index;  // in the whole buffer
  vec3 wide;  // light for a coarse image
  int coarse;
#endif
};

#if CROWDED
// Atomics on one pixel serialise (10M bodies on one pixel take 80 times as long as spread out), so a group first sums
// the light near one of its bodies in shared memory.
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

// Marked bodies have light in one channel only; the zeros of the others change nothing.
int first_channel() { return only_marked != 0u ? 3 : 0; }

bool in_frame(ivec2 pixel) {
  return all(greaterThanEqual(pixel, ivec2(columns.x, 0))) && all(lessThan(pixel, ivec2(columns.y, frame.size.y)));
}

// Adds the integer part of `units` to a pixel and leaves the remainder for the next one, so that no light is lost.
void add(ivec2 pixel, inout vec3 units) {
  uvec3 whole = uvec3(units);
  units -= vec3(whole);
  if (!in_frame(pixel) || whole == uvec3(0u)) return;
#if CROWDED
  if (add_to_tile(pixel, whole)) return;
#endif
  int at = 4 * (pixel.y * frame.size.x + pixel.x) + first_channel();
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

#if SPREAD
void add_coarse(ivec3 image, ivec2 pixel, inout vec3 units) {
  uvec3 whole = uvec3(units);
  units -= vec3(whole);
  if (any(lessThan(pixel, ivec2(0))) || any(greaterThanEqual(pixel, image.yz))) return;
  int at = 4 * (image.x + pixel.y * image.y + pixel.x);
  atomicAdd(light[at], whole.r);
  atomicAdd(light[at + 1], whole.g);
  atomicAdd(light[at + 2], whole.b);
}

void splat_coarse(Star star) {
  ivec3 image = coarse[star.coarse];
  vec2 at = star.at * exp2(float(first_level.y - first_level.x - star.coarse));
  vec3 rest = vec3(star.start);
#if BILINEAR
  if (one_pixel != 0u) {
    rest += star.wide;
    vec2 shift = vec2(chance(star.index ^ 0x68E31DA4u), chance(star.index ^ 0xB5297A4Du)) - 0.5;
    add_coarse(image, ivec2(floor(at + shift)), rest);
    return;
  }
  vec2 corner = floor(at - 0.5);
  vec2 high = at - 0.5 - corner, low = 1.0 - high;
  for (int k = 0; k < 4; ++k) {
    ivec2 step = ivec2(k & 1, k >> 1);
    vec2 share = mix(low, high, vec2(step));
    rest += star.wide * (share.x * share.y);
    add_coarse(image, ivec2(corner) + step, rest);
  }
#else
  rest += star.wide;
  add_coarse(image, ivec2(floor(at)), rest);
#endif
}
#endif

#if SPRITES
// Draws every `stride`-th pixel of a sprite, starting at pixel `start`.
// `place`: position, radius and core radius in pixels.
void draw_sprite(vec4 place, vec3 units, int start, int stride) {
  Sprite sprite = sprite_at(place.xy, place.z, place.w);
  ivec2 first = max(ivec2(floor(place.xy - place.z)), ivec2(columns.x, 0));
  ivec2 extent = min(ivec2(ceil(place.xy + place.z)), ivec2(columns.y, frame.size.y)) - first;
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

// Drawn by halo.comp instead; counts as visible.
bool is_fog(uint bits) { return frame.halo_fog != 0u && only_marked == 0u && component_of(bits) == kComponentHalo; }

bool is_marked(uint i) { return (marks[i >> 5] >> (i & 31u) & 1u) != 0u; }

// Share of the light that passes the dust in front of a body. Blue is absorbed most (Cardelli, Clayton and Mathis 1989,
// doi:10.1086/167900: A(B) : A(V) : A(R) = 1.32 : 1 : 0.82).
const vec3 kExtinction = vec3(0.82, 1.0, 1.32);

// Far stars are fainter, as in haze. At most 1, or the accumulated light could overflow.
float depth_factor(float depth) { return 1.0 - frame.depth_cue * smoothstep(frame.near, frame.far, depth); }

// Optical depth in front of a body, density of the dust there, and optical depth of the whole column.
vec3 dust_at(Vertex body) {
  if (frame.dust <= 0.0) return vec3(0.0);
  vec3 place = dust_place(dust.clip_from_world * vec4(body.x, body.y, body.z, 1.0));
  return vec3(texture(dust_cells, place).rg, texture(dust_columns, place.xy).r);
}

#if SPREAD
// Levels by which light is spread more widely where dust is, because what passes is that of few stars, those in front. Of stars
// that are mixed evenly with dust of optical depth t, its variance is t^2 / 12 of the squared mean (to the third order), and
// so many more neighbours leave as little noise.
float wider_in_dust(float depth) { return 0.5 * log2(1.0 + in_dust * frame.dust * frame.dust * depth * depth); }

// The coarse image for the light of a body, `narrower` levels below that of its kind, or -1: the sharp image. It is one of the two around its level, at random, so that the
// mean kernel has the width of the level.
int coarse_of(Star star, uint bits, float narrower, uint i) {
  float first = float(first_level.x);
  float level = min(texture(levels, star.at * in_levels.xy + in_levels.zw)[kind_of(bits)] - narrower, widest);
  float below = level < first ? 0.0 : floor(level), above = level < first ? first : below + 1.0;
  float share = (exp2(2.0 * level) - exp2(2.0 * below)) / (exp2(2.0 * above) - exp2(2.0 * below));
  return max(int(chance(i ^ 0x9E3779B9u) < share ? above : below) - first_level.x, -1);
}
#endif

// Sets the light of a body with index i in the whole buffer, `factor` times its own.
void set_light(Vertex body, uint i, float factor, inout Star star) {
  if (only_marked != 0u) {
    star.light = vec3(factor, 0.0, 0.0);
#if SPREAD
    star.coarse = -1;
#endif
    return;
  }
  vec3 here = dust_at(body);
  vec3 passing = factor * exp(-frame.dust * here.x * kExtinction);
#if SPREAD
  Shine shine = body_shine(body.bits, here.y, i);
  star.index = i;
  star.coarse = coarse_of(star, body.bits, shine.narrower - wider_in_dust(here.z), i);
  star.light = passing * (star.coarse < 0 ? shine.sharp + shine.wide : shine.sharp);
  star.wide = star.coarse < 0 ? vec3(0.0) : passing * shine.wide;
#else
  star.light = passing * body_light(body.bits, here.y, i);
#endif
}

bool chosen(uint i) { return i < count && (only_marked == 0u || is_marked(first + i)) && shown(body_at(i)); }

Star star_of(uint i) {
  Star star;
  star.counted = star.visible = false;
  star.radius = 0.0;
  star.start = 0.5;
  if (!chosen(i)) return star;
  star.counted = true;
  Vertex v = body_at(i);
  if (is_fog(v.bits)) return star;
  vec4 clip = frame.clip_from_world * vec4(v.x, v.y, v.z, 1.0);
#if SPRITES
  bool by_mass = COLORS == 0u && has_mass(v.bits);  // the area is proportional to the mass
  float larger = by_mass ? sqrt(birth_of(v.bits) / kHeaviestStar) : 1.0;
  star.radius = clamp(larger * frame.radius / max(clip.w, 1e-30), frame.min_radius, frame.max_radius);
  star.core = by_mass ? max(kCore, star.radius * (kCore / kMinSprite)) : kCore;
#endif
  // Sprites may reach into the frame from outside; farther away the position would overflow an integer. Behind the camera
  // w is negative, so nothing passes.
  vec2 limit = clip.w * (1.0 + 2.0 * (max(star.radius, kMinSprite) + 1.0) / vec2(frame.size));
  if (!all(lessThan(abs(clip.xy), limit))) return star;
  star.at = (clip.xy / clip.w * 0.5 + 0.5) * vec2(frame.size);
  float reach = max(star.radius, kMinSprite) + 1.0;
  if (star.at.x + reach < float(columns.x) || star.at.x - reach > float(columns.y)) return star;
  star.visible = true;
  set_light(v, first + i, frame.units * float(every) * depth_factor(clip.w), star);
  // With hundreds of millions of bodies each has few units; a varying start avoids a systematic rounding error.
  if (frame.units < kFewUnits) star.start = fract(0.618034 * float((first + i) & 0xFFFFu));
  return star;
}

#if SPRITES && SOFTWARE == 0
// The whole group draws each large sprite, to balance the load.
const float kLargeSprite = 5.0;
shared uint large_count;
shared vec4 large_place[kGroup];  // of draw_sprite()
shared vec3 large_light[kGroup];

bool left_to_group(vec4 place, vec3 light) {
  if (place.z < kLargeSprite) return false;
  uint k = atomicAdd(large_count, 1u);
  large_place[k] = place;
  large_light[k] = light;
  return true;
}
#else
bool left_to_group(vec4 place, vec3 light) { return false; }
#endif

void draw_star(Star star) {
#if SPREAD
  if (star.coarse >= 0) splat_coarse(star);
  if (star.light == vec3(0.0)) return;
#endif
#if SPRITES
  float soft = smoothstep(1.0, 2.0, star.radius);
  if (soft < 1.0) splat(star.at, (1.0 - soft) * star.light, star.start);
  if (soft <= 0.0) return;
  vec4 place = vec4(star.at, max(star.radius, kMinSprite), star.core);
  if (!left_to_group(place, soft * star.light)) draw_sprite(place, soft * star.light, 0, 1);
#else
  splat(star.at, star.light, star.start);
#endif
}

void count_visible(uint bodies) {
  if (counted != 0u) atomicAdd(light[4 * frame.size.x * frame.size.y], every * bodies);
}

#if SOFTWARE
// Software rendering executes both sides of a branch, so threads look for their next body that is shown, instead of
// leaving out the work for halos.
void main() {
  uint visible = 0u, start = every * gl_WorkGroupID.x * kGroup;
  for (uint k = gl_LocalInvocationIndex;; k += kThreads) {
    while (k < kGroup && !chosen(start + k)) k += kThreads;
    if (k >= kGroup) break;
    Star star = star_of(start + k);
    if (star.counted) ++visible;
    if (star.visible) draw_star(star);
  }
  count_visible(visible);
}
#else
shared uint group_visible;

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
  if (star.counted) atomicAdd(group_visible, 1u);
#if CROWDED
  for (uint k = self; k < kTileNumbers; k += kGroup) tile[k] = 0u;
  if (star.visible) atomicMax(anchor, uint(max(star.at.y, 0.0)) << 16 | uint(max(star.at.x, 0.0)));
  barrier();
#endif
  if (star.visible) draw_star(star);
  barrier();
#if CROWDED
  for (uint k = self; k < kTileNumbers; k += kGroup) {
    if (tile[k] == 0u) continue;
    ivec2 pixel = tile_first() + ivec2(int(k / 3u) % kTile, int(k / 3u) / kTile);
    atomicAdd(light[4 * (pixel.y * frame.size.x + pixel.x) + int(k % 3u) + first_channel()], tile[k]);
  }
#endif
#if SPRITES
  for (uint k = 0u; k < large_count; ++k) draw_sprite(large_place[k], large_light[k], int(self), int(kGroup));
#endif
  if (self == 0u) count_visible(group_visible);
}
#endif
