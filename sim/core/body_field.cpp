#include "sim/core/body_field.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "sim/core/parallel.h"
#include "sim/core/vertex_target.h"

namespace pericenter {
namespace {

constexpr double kManyDecades = 100;       ///< ratio of values from which on a scale is logarithmic
constexpr double kNearZero = 0.3;          ///< share of the largest value below which a scale begins at 0
constexpr std::size_t kSampled = 100'000;  ///< values that decide it

/// Ratio of the 98th to the 2nd percentile of the values above 0; 1 without them.
double spread(std::span<const float> values) {
  std::vector<float> positive;
  const std::size_t stride = values.size() / kSampled + 1;
  for (std::size_t i = 0; i < values.size(); i += stride)
    if (values[i] > 0 && std::isfinite(values[i])) positive.push_back(values[i]);
  if (positive.empty()) return 1;
  std::ranges::sort(positive);
  const auto percentile = [&](std::size_t share) {
    return static_cast<double>(positive[(positive.size() - 1) * share / 100]);
  };
  return percentile(98) / percentile(2);
}

}  // namespace

float FieldScale::stored(float value) const {
  if (!std::isfinite(value)) return kNoScalar;
  const auto number = static_cast<double>(value);
  return logarithmic ? log_scalar(number) : static_cast<float>((number - low) / (high - low));
}

FieldScale scale_of(const FieldInfo& field, std::span<const float> values) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  double low = kInfinity, high = -kInfinity, least = kInfinity;
  for (const float value : values) {
    if (!std::isfinite(value)) continue;
    const auto number = static_cast<double>(value);
    low = std::min(low, number);
    high = std::max(high, number);
    if (number > 0) least = std::min(least, number);
  }
  FieldScale scale{.field = field};
  if (low > high || field.name == kTypeField) return scale;
  scale.logarithmic = low >= 0 && spread(values) > kManyDecades;
  scale.low = scale.logarithmic ? least : low > 0 && low < kNearZero * high ? 0 : low;
  scale.high = high > scale.low ? high : scale.low + std::max(1.0, std::abs(scale.low));
  return scale;
}

BodyField::BodyField(const FieldScale& of_values, std::span<const float> values)
    : scale(of_values), stored(values.size()) {
  parallel_chunks(0, values.size(), [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) stored[i] = scale.stored(values[i]);
  });
}

}  // namespace pericenter
