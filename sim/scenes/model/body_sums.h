#pragma once

#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "sim/core/bodies.h"

namespace pericenter {

/// Bodies per sequential partial sum. Fixed, so that sums do not depend on the number of threads, and so large that
/// scenes of up to 33 million bodies have the same bits as with a single loop.
inline constexpr std::size_t kSumPart = std::size_t{1} << 25;

/// Sum of value(i) over all i below `count`; zero if there are none.
template <class Value>
auto sum_of(std::size_t count, const Value& value, std::size_t part = kSumPart) {
  using Sum = decltype(value(count));
  std::vector<Sum> sums((count + part - 1) / part);
  tbb::parallel_for(std::size_t{0}, sums.size(), [&](std::size_t k) {
    Sum sum{};
    for (std::size_t i = k * part; i < std::min(count, (k + 1) * part); ++i) sum += value(i);
    sums[k] = sum;
  });
  Sum whole{};
  for (const Sum& sum : sums) whole += sum;
  return whole;
}

/// Sum of value(body) over all bodies.
template <class Value>
auto sum_over(std::span<const Body> bodies, const Value& value, std::size_t part = kSumPart) {
  return sum_of(
      bodies.size(), [&](std::size_t i) { return value(bodies[i]); }, part);
}

}  // namespace pericenter
