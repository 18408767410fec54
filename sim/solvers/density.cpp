#include "sim/solvers/density.h"

#include <oneapi/tbb/parallel_for.h>

#include <algorithm>

#include "sim/core/parallel.h"
#include "sim/core/radix_sort.h"
#include "sim/core/space_filling_curves.h"
#include "sim/solvers/tree/key_cube.h"

namespace pericenter {
namespace {

/// The bodies along the Hilbert curve.
template <class Real, int Dim>
std::vector<KeyIndex> curve_order(const BodyArrays<Real, Dim>& bodies) {
  const KeyGrid<Dim> grid(key_cube(bodies));
  std::vector<KeyIndex> order(bodies.size()), scratch;
  parallel_chunks(0, order.size(), [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      Real position[Dim];
      for (int k = 0; k < Dim; ++k) position[k] = bodies.position[k][i];
      std::uint32_t cell[Dim] = {};
      grid.find_cell(position, cell);
      order[i] = {hilbert_key<Dim>(cell), static_cast<std::uint32_t>(i)};
    }
  });
  radix_sort(order, scratch);
  return order;
}

/// The boxes of a NeighborTree.
template <class Real, int Dim>
std::vector<Bounds<Real, Dim>> neighbor_boxes(const std::vector<Source<Real, Dim>>& bodies) {
  const std::uint32_t leaves = neighbor_leaves(bodies.size()), count = static_cast<std::uint32_t>(bodies.size());
  std::vector<Bounds<Real, Dim>> boxes(std::size_t(2) * leaves);
  const auto body = [&](std::uint32_t i) { return bodies[i]; };
  parallel_chunks(0, leaves, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      boxes[leaves + i] = neighbor_leaf_bounds<Real, Dim>(static_cast<std::uint32_t>(i), count, body);
    }
  });
  for (std::uint32_t level = leaves / 2; level > 0; level /= 2) {
    parallel_chunks(level, 2 * level, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) boxes[i] = bounds_of_both(boxes[2 * i], boxes[2 * i + 1]);
    });
  }
  return boxes;
}

}  // namespace

template <class Real, int Dim>
std::vector<float> log_densities(const BodyArrays<Real, Dim>& bodies) {
  const std::vector<KeyIndex> order = curve_order(bodies);
  std::vector<Source<Real, Dim>> sorted(order.size());
  parallel_chunks(0, sorted.size(), [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) sorted[i] = source_of(bodies, order[i].index, Real(1));
  });
  const std::vector<Bounds<Real, Dim>> boxes = neighbor_boxes(sorted);
  const NeighborTree<Real, Dim> tree{boxes.data(), neighbor_leaves(sorted.size()),
                                     static_cast<std::uint32_t>(sorted.size())};
  const auto body = [&](std::uint32_t i) { return sorted[i]; };
  std::vector<float> densities(order.size());
  constexpr std::size_t kBodiesPerTask = 512;
  tbb::parallel_for(std::size_t(0), (order.size() + kBodiesPerTask - 1) / kBodiesPerTask, [&](std::size_t task) {
    for (std::size_t i = task * kBodiesPerTask; i < std::min((task + 1) * kBodiesPerTask, order.size()); ++i) {
      densities[order[i].index] = neighbors_of(static_cast<std::uint32_t>(i), tree, body).log_density(Dim);
    }
  });
  return densities;
}

template std::vector<float> log_densities(const BodyArrays<float, 2>&);
template std::vector<float> log_densities(const BodyArrays<float, 3>&);
template std::vector<float> log_densities(const BodyArrays<double, 2>&);
template std::vector<float> log_densities(const BodyArrays<double, 3>&);

}  // namespace pericenter
