#include "sim/solvers/key_cube.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "sim/parallel.h"
#include "sim/solvers/pair_kernels.h"

namespace pericenter {
namespace {

constexpr double kOutlying = 1 << 14;  ///< times the side of the bulk
constexpr double kMargin = 64;         ///< side of the cube around the bulk, likewise

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  void add(double x) {
    low = std::min(low, x);
    high = std::max(high, x);
  }
};

template <class Real>
Range full_range(const std::vector<Real>& x) {
  std::vector<Range> partial(chunk_count(x.size()));
  parallel_chunks(0, x.size(), [&](std::size_t first, std::size_t last) {
    Range range;
    for (std::size_t i = first; i < last; ++i) {
      if (std::isfinite(x[i])) range.add(std::clamp(x[i], -kFarthest<Real>, kFarthest<Real>));
    }
    partial[first / kChunk] = range;
  });
  Range range;
  for (const Range& part : partial) {
    range.low = std::min(range.low, part.low);
    range.high = std::max(range.high, part.high);
  }
  return range;
}

/// Where most bodies are: the middle 96 % of a sample.
template <class Real>
Range inner_range(const std::vector<Real>& x) {
  std::vector<double> sample;
  const std::size_t stride = std::max<std::size_t>(1, x.size() / 1024);
  for (std::size_t i = 0; i < x.size(); i += stride) {
    if (std::isfinite(x[i])) sample.push_back(static_cast<double>(x[i]));
  }
  if (sample.empty()) return {};
  std::sort(sample.begin(), sample.end());
  return {sample[sample.size() / 50], sample[sample.size() - 1 - sample.size() / 50]};
}

}  // namespace

template <class Real, int Dim>
KeyCube<Dim> key_cube(const BodyArrays<Real, Dim>& bodies) {
  std::array<Range, Dim> ranges, inner;
  double side = 0, inner_side = 0;
  for (int k = 0; k < Dim; ++k) {
    ranges[k] = full_range(bodies.position[k]);
    inner[k] = inner_range(bodies.position[k]);
    side = std::max(side, ranges[k].high - ranges[k].low);
    inner_side = std::max(inner_side, inner[k].high - inner[k].low);
  }
  if (inner_side > 0 && side > kOutlying * inner_side) {
    ranges = inner;
    side = kMargin * inner_side;
  }
  if (!(side > 0)) side = 1;
  KeyCube<Dim> cube;
  // A little wider, so that the last body falls into the last cell and not beyond it.
  cube.side = side * (1 + 1e-9);
  for (int k = 0; k < Dim; ++k) {
    const double middle = ranges[k].low <= ranges[k].high ? (ranges[k].low + ranges[k].high) / 2 : 0;
    cube.low[k] = middle - cube.side / 2;
  }
  return cube;
}
template KeyCube<2> key_cube(const BodyArrays<float, 2>&);
template KeyCube<3> key_cube(const BodyArrays<float, 3>&);
template KeyCube<2> key_cube(const BodyArrays<double, 2>&);
template KeyCube<3> key_cube(const BodyArrays<double, 3>&);

}  // namespace pericenter
