#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "sim/vec.h"

namespace pericenter {

/// What a body is part of; decides its colour and whether it is drawn.
enum class Component : std::uint32_t { disc = 0, bulge = 1, halo = 2, other = 3 };

/// One body in scene units (G = 1), in doubles whatever the precision of the solver.
struct Body {
  Vec3 position;
  Vec3 velocity;
  double mass = 0;
  std::uint32_t tag = 0;  ///< make_tag(): home galaxy, component, birth radius
};

/// A set of bodies on the host: what scenes make and snapshots hold.
using Bodies = std::vector<Body>;

// A tag is the low 16 bits of a vertex attribute; publish() puts a half-precision scalar in the high 16.
// shaders/vertex_layout.glsl reads the same layout, and a test holds the two together.
inline constexpr int kTagGalaxyBits = 4;      ///< bits 0-3: home galaxy
inline constexpr int kTagComponentShift = 4;  ///< bits 4-5: Component
inline constexpr int kTagRadiusShift = 8;     ///< bits 8-15: birth radius
inline constexpr double kTagRadiusRange = 8;  ///< birth radii are stored as a fraction of this many disc scale lengths

/// galaxy in 0..15; birth_radius in [0, kTagRadiusRange], clamped.
constexpr std::uint32_t make_tag(std::uint32_t galaxy, Component component, double birth_radius = 0) {
  const double fraction = birth_radius / kTagRadiusRange;
  const double clamped = fraction > 0 ? (fraction < 1 ? fraction : 1) : 0;
  return (galaxy & 0xFu) | static_cast<std::uint32_t>(component) << kTagComponentShift |
         static_cast<std::uint32_t>(clamped * 255 + 0.5) << kTagRadiusShift;
}
constexpr std::uint32_t galaxy_of(std::uint32_t tag) {
  return tag & 0xFu;
}
constexpr Component component_of(std::uint32_t tag) {
  return static_cast<Component>(tag >> kTagComponentShift & 3u);
}

/// What the picture draws: 16 bytes. The attribute is the body's tag below a half-precision speed.
struct Vertex {
  float x = 0, y = 0, z = 0;
  std::uint32_t attribute = 0;
};
static_assert(sizeof(Vertex) == 16);

/// IEEE 754 binary16 of a float, rounded to nearest; NaN and overflow saturate at 65504.
constexpr std::uint32_t half_bits(float value) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = bits >> 16 & 0x8000u;
  const std::uint32_t magnitude = bits & 0x7FFFFFFFu;
  if (magnitude >= 0x477FE000u) return sign | 0x7BFFu;
  if (magnitude < 0x38800000u) {
    // Below 2^-14 halves are multiples of 2^-24; adding 0.5 lets the float unit round to one.
    const float shifted = std::bit_cast<float>(magnitude) + 0.5f;
    return sign | (std::bit_cast<std::uint32_t>(shifted) - std::bit_cast<std::uint32_t>(0.5f));
  }
  const std::uint32_t rebiased = magnitude - 0x38000000u;
  return sign | (rebiased + 0xFFFu + (rebiased >> 13 & 1u)) >> 13;
}

/// Attribute of a vertex: the tag's low 16 bits and `scalar` as an IEEE half.
constexpr std::uint32_t make_attribute(std::uint32_t tag, float scalar) {
  return (tag & 0xFFFFu) | half_bits(scalar) << 16;
}

}  // namespace pericenter
