#include "sim/solvers/tree/key_cube.h"

#include <vector>

#include "sim/solvers/parallel_loops.h"
#include "sim/solvers/simd/pair_kernels.h"

namespace pericenter {
namespace {

template <class Real>
CoordinateRange full_range(const std::vector<Real>& x, Parallel how) {
  // A fixed number of partial results, which the compiler turns into vectors.
  constexpr std::size_t kParts = 8;
  constexpr Real kInfinity = std::numeric_limits<Real>::infinity();
  std::vector<CoordinateRange> partial(chunk_count(x.size()));
  parallel_chunks(how, Tasks::independent, 0, x.size(), [&](std::size_t first, std::size_t last) {
    std::array<Real, kParts> low, high;
    low.fill(kInfinity);
    high.fill(-kInfinity);
    const auto add = [&](Real value, std::size_t part) {
      const bool finite = std::abs(value) < kInfinity;
      const Real low_value = finite ? value : kInfinity, high_value = finite ? value : -kInfinity;
      low[part] = low_value < low[part] ? low_value : low[part];
      high[part] = high_value > high[part] ? high_value : high[part];
    };
    std::size_t i = first;
    for (; i + kParts <= last; i += kParts) {
      for (std::size_t part = 0; part < kParts; ++part) add(x[i + part], part);
    }
    for (; i < last; ++i) add(x[i], 0);
    CoordinateRange& range = partial[first / kChunk];
    for (std::size_t part = 0; part < kParts; ++part) {
      if (low[part] <= high[part]) {
        range.add(std::clamp(low[part], -kFarthest<Real>, kFarthest<Real>));
        range.add(std::clamp(high[part], -kFarthest<Real>, kFarthest<Real>));
      }
    }
  });
  CoordinateRange range;
  for (const CoordinateRange& part : partial) {
    range.low = std::min(range.low, part.low);
    range.high = std::max(range.high, part.high);
  }
  return range;
}

template <class Real>
CoordinateRange sampled_bulk(const std::vector<Real>& x) {
  std::vector<Real> sample;
  for (std::size_t i = 0; i < x.size(); i += cube_sample_stride(x.size())) {
    if (std::isfinite(x[i])) sample.push_back(x[i]);
  }
  if (sample.empty()) return {};
  const auto outside = static_cast<std::ptrdiff_t>(outside_bulk(sample.size()));
  const auto low = sample.begin() + outside, high = sample.end() - 1 - outside;
  std::nth_element(sample.begin(), high, sample.end());
  std::nth_element(sample.begin(), low, high);
  return {static_cast<double>(*low), static_cast<double>(*high)};
}

}  // namespace

template <class Real, int Dim>
KeyCube<Dim> key_cube(const BodyArrays<Real, Dim>& bodies, Parallel how) {
  CoordinateRanges<Dim> all, bulk;
  for (int k = 0; k < Dim; ++k) {
    all[k] = full_range(bodies.position[k], how);
    bulk[k] = sampled_bulk(bodies.position[k]);
  }
  return cube_around<Dim>(all, bulk);
}
template KeyCube<2> key_cube(const BodyArrays<float, 2>&, Parallel);
template KeyCube<3> key_cube(const BodyArrays<float, 3>&, Parallel);
template KeyCube<2> key_cube(const BodyArrays<double, 2>&, Parallel);
template KeyCube<3> key_cube(const BodyArrays<double, 3>&, Parallel);

}  // namespace pericenter
