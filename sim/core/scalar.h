#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string_view>

namespace pericenter {

/// A quantity per body that can be shown as a colour: write_vertices() writes it into the vertex beside the tag.
enum class Scalar { speed, acceleration, density, interactions, force_error };
inline constexpr std::size_t kScalarCount = 5;
inline constexpr std::array<std::string_view, kScalarCount> kScalarNames = {"speed", "acceleration", "density",
                                                                            "interactions", "force error"};

/// Whether vertices store its decimal logarithm, because its range exceeds that of a half: all but the speed.
constexpr bool is_logarithmic(Scalar scalar) {
  return scalar != Scalar::speed;
}

/// Stored where the logarithm does not exist or the value is unknown; far below all valid values.
inline constexpr float kNoScalar = -1000;

/// The decimal logarithm as vertices store it. constexpr, so that CUDA kernels can call it.
constexpr float log_scalar(double value) {
  return value > 0 && value <= std::numeric_limits<double>::max() ? static_cast<float>(std::log10(value)) : kNoScalar;
}

}  // namespace pericenter
