#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace pericenter {

/// The upper one of the two middle values if their number is even. There must be a value.
template <class Number>
Number median(std::vector<Number> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace pericenter
