#include "sim/solvers/tree/key_cube.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "sim/core/parallel.h"
#include "sim/solvers/simd/pair_kernels.h"

namespace pericenter {
namespace {

template <class Real>
CoordinateRange full_range(const std::vector<Real>& x) {
  std::vector<CoordinateRange> partial(chunk_count(x.size()));
  parallel_chunks(0, x.size(), [&](std::size_t first, std::size_t last) {
    CoordinateRange range;
    for (std::size_t i = first; i < last; ++i) {
      if (std::isfinite(x[i])) range.add(std::clamp(x[i], -kFarthest<Real>, kFarthest<Real>));
    }
    partial[first / kChunk] = range;
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
  std::sort(sample.begin(), sample.end());
  return bulk_range(sample.data(), sample.size());
}

}  // namespace

template <class Real, int Dim>
KeyCube<Dim> key_cube(const BodyArrays<Real, Dim>& bodies) {
  CoordinateRanges<Dim> all, bulk;
  for (int k = 0; k < Dim; ++k) {
    all[k] = full_range(bodies.position[k]);
    bulk[k] = sampled_bulk(bodies.position[k]);
  }
  return cube_around<Dim>(all, bulk);
}
template KeyCube<2> key_cube(const BodyArrays<float, 2>&);
template KeyCube<3> key_cube(const BodyArrays<float, 3>&);
template KeyCube<2> key_cube(const BodyArrays<double, 2>&);
template KeyCube<3> key_cube(const BodyArrays<double, 3>&);

}  // namespace pericenter
