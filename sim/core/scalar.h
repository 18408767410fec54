#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string_view>

namespace pericenter {

/// A number of each body that the picture can show as a colour: publish() writes it into the vertex beside the tag.
enum class Scalar { speed, acceleration, density, interactions, force_error };
inline constexpr std::size_t kScalarCount = 5;
inline constexpr std::array<std::string_view, kScalarCount> kScalarNames = {"speed", "acceleration", "density",
                                                                            "interactions", "force error"};

/// Whether a vertex holds the decimal logarithm of it, since its range is too wide for a half: of all but the speed.
constexpr bool is_logarithmic(Scalar scalar) {
  return scalar != Scalar::speed;
}

/// What a vertex holds where a logarithm does not exist or the number is not known; far below all that are known.
inline constexpr float kNoScalar = -1000;

/// As vertices hold it. constexpr, so that CUDA kernels can call it.
constexpr float log_scalar(double value) {
  return value > 0 && value <= std::numeric_limits<double>::max() ? static_cast<float>(std::log10(value)) : kNoScalar;
}

}  // namespace pericenter
