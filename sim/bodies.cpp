#include "sim/bodies.h"

#include <bit>

namespace pericenter {
namespace {

/// IEEE 754 binary16 of a finite non-negative or negative float; NaN and overflow saturate at 65504.
std::uint32_t half_bits(float value) {
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

}  // namespace

std::uint32_t make_attribute(std::uint32_t tag, float scalar) {
  return (tag & 0xFFFFu) | half_bits(scalar) << 16;
}

}  // namespace pericenter
