// The 16-byte vertex of sim/core/bodies.h; a test checks that both agree.

struct Vertex {
  float x, y, z;
  uint bits;  // low half: tag of the body; high half: scalar as IEEE half
};

const uint kComponentDisc = 0u;
const uint kComponentBulge = 1u;
const uint kComponentHalo = 2u;
const uint kComponentOther = 3u;

const float kBirthRange = 8.0;    // scale lengths at radius byte 255
const float kNoScalar = -999.5;  // this or less: unknown

uint galaxy_of(uint bits) { return bits & 0xFu; }
uint component_of(uint bits) { return bits >> 4 & 3u; }
uint decoration_of(uint bits) { return bits >> 6 & 3u; }
bool is_young(uint bits) { return decoration_of(bits) == 2u; }
uint radius_byte_of(uint bits) { return bits >> 8 & 0xFFu; }
// As dust_of() of sim/core/bodies.h: at most 176.
uint dust_of(uint bits) {
  uint decoration = decoration_of(bits), birth = radius_byte_of(bits), here = 2u + min(birth, 96u) * 14u / 96u;
  uint amount = (birth & 1u) == 0u ? (decoration == 3u ? 6u : 1u) : decoration == 3u ? 11u : 3u;
  return (decoration & 1u) * amount * here;
}
float scalar_of(uint bits) { return unpackHalf2x16(bits).y; }

// Kinds of bodies whose light is spread each over the distance to bodies of its own kind.
uint kind_of(uint bits) {
  return component_of(bits) == kComponentDisc ? uint(is_young(bits)) : component_of(bits) == kComponentBulge ? 2u : 3u;
}

// Tests bits, because a compiler may assume that floats are finite.
bool is_finite(float value) { return (floatBitsToUint(value) & 0x7F800000u) != 0x7F800000u; }
bool is_finite(Vertex v) { return is_finite(v.x) && is_finite(v.y) && is_finite(v.z); }
