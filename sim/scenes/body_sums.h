#pragma once

#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "sim/bodies.h"

namespace pericenter {

/// Bodies that are added one after the other. Fixed, so that sums do not depend on the threads, and so large that what
/// anyone made before there were such parts is made with the same bits today.
inline constexpr std::size_t kSumPart = std::size_t{1} << 25;

/// Sum of value(body), which begins with zero, over all bodies.
template <class Value>
auto sum_over(std::span<const Body> bodies, const Value& value, std::size_t part = kSumPart) {
  using Sum = decltype(value(bodies.front()));
  std::vector<Sum> sums((bodies.size() + part - 1) / part);
  tbb::parallel_for(std::size_t{0}, sums.size(), [&](std::size_t k) {
    Sum sum{};
    for (const Body& body : bodies.subspan(k * part, std::min(part, bodies.size() - k * part))) sum += value(body);
    sums[k] = sum;
  });
  Sum whole{};
  for (const Sum& sum : sums) whole += sum;
  return whole;
}

}  // namespace pericenter
