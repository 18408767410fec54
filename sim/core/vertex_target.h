#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

namespace pericenter {

/// A quantity per body that can be shown as a colour: write_vertices() writes it into the vertex beside the tag.
enum class Scalar { speed, acceleration, density, interactions, force_error, field };
inline constexpr std::size_t kScalarCount = 6;
inline constexpr std::array<std::string_view, kScalarCount> kScalarNames = {"speed",        "acceleration", "density",
                                                                            "interactions", "force error",  "field"};

/// Whether vertices store its decimal logarithm, because its range exceeds that of a half: all but the speed and the
/// field of a file, whose FieldScale decides.
constexpr bool is_logarithmic(Scalar scalar) {
  return scalar != Scalar::speed && scalar != Scalar::field;
}

/// Stored where the logarithm does not exist or the value is unknown; far below all valid values.
inline constexpr float kNoScalar = -1000;

/// The decimal logarithm as vertices store it. constexpr, so that CUDA kernels can call it.
constexpr float log_scalar(double value) {
  return value > 0 && value <= std::numeric_limits<double>::max() ? static_cast<float>(std::log10(value)) : kNoScalar;
}

/// A vertex as the renderer reads it: 16 bytes. The attribute has the body's tag in the low and a half-precision scalar
/// in the high 16 bits.
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

/// Number of vertices of `bodies` bodies with the stride `every`: the bodies 0, every, 2 every... have one.
constexpr std::size_t vertices_of(std::size_t bodies, std::size_t every) {
  return every == 1 ? bodies : bodies / every + (bodies % every != 0 ? 1 : 0);
}

/// Memory for the vertices of a simulation, on the host or on a CUDA device.
struct VertexTarget {
  Vertex* vertices = nullptr;
  std::size_t capacity = 0;  ///< vertices
  bool on_device = false;
  /// The CUDA stream (cudaStream_t) on which the memory was mapped. The writing kernel runs on it, so that map, write
  /// and unmap are ordered without a host wait.
  void* stream = nullptr;
  /// Vertices that are written ahead have the bend of the way in place of the scalar, which is not shown.
  bool bends = false;
  std::size_t every = 1;  ///< stride: the bodies 0, every, 2 every... have a vertex

  /// Whether the vertices of `bodies` bodies fit, and those of the next smaller stride would not.
  bool suits(std::size_t bodies) const {
    return vertices_of(bodies, every) <= capacity && (every == 1 || vertices_of(bodies, every - 1) > capacity);
  }
};

/// A component of a bend in five bits, from -1 to 1, finer near 0.
constexpr std::uint32_t bend_component(float share) {
  if (!(share * share > 0)) return 0;  // also NaN
  const float root = std::sqrt(share < 0 ? -share : share);
  const int rounded = static_cast<int>(15 * (root < 1 ? root : 1) + 0.5f);
  return static_cast<std::uint32_t>(share < 0 ? -rounded : rounded) & 31u;
}

/// How far the way from a position to the next one, with a constant `acceleration`, leaves the straight line `way`: at
/// a share s of the time by s (1 - s) of the vector whose components, in lengths of the line, have five bits each.
constexpr std::uint32_t bend_bits(const float (&way)[3], const float (&acceleration)[3], float dt) {
  const float square = way[0] * way[0] + way[1] * way[1] + way[2] * way[2];
  if (!(square > 0)) return 0;
  const float factor = -0.5f * dt * dt / std::sqrt(square);
  std::uint32_t bits = 0;
  for (int k = 0; k < 3; ++k) bits |= bend_component(factor * acceleration[k]) << 5 * k;
  return bits;
}

/// Times by which velocities and then positions advance before vertices are written. Without a drift, bodies stay.
template <class Real>
struct KickDrift {
  Real kick = 0, drift = 0;
};

inline VertexTarget host_target(std::span<Vertex> vertices) {
  return {.vertices = vertices.data(), .capacity = vertices.size()};
}

}  // namespace pericenter
