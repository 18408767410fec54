#include <algorithm>

#include "sim/core/parallel.h"
#include "sim/solvers/tree/moment_sums.h"
#include "sim/solvers/tree/tree_builder.h"

namespace pericenter {

template <class Real, int Dim>
void TreeBuilder<Real, Dim>::make_moments() {
  for (std::size_t generation = generations_.size() - 1; generation > 0; --generation) {
    parallel_chunks(generations_[generation - 1], generations_[generation], [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const auto node = static_cast<std::uint32_t>(i);
        nodes_[i].first_child == 0 ? leaf_moments(node) : inner_moments(node);
      }
    });
  }
}

/// The size of a node whose bounds are known. The smallest cell of a chain counts: it is one level above the children.
template <class Real, int Dim>
Real TreeBuilder<Real, Dim>::size_of(std::uint32_t index) const {
  if (cell_size_ == CellSize::box) return opening_size(bounds_[index], 0);
  const std::uint32_t child = nodes_[index].first_child;
  return opening_size(bounds_[index], cell_side(cube_.side, child == 0 ? levels_[index] : levels_[child] - 1));
}

template <class Real, int Dim>
void TreeBuilder<Real, Dim>::leaf_moments(std::uint32_t index) {
  TreeNode<Real, Dim>& node = nodes_[index];
  Bounds<Real, Dim>& bounds = bounds_[index];
  MomentSums<Dim> sums;
  for (int k = 0; k < Dim; ++k) bounds.low[k] = bounds.high[k] = position_[k][node.begin];
  for (std::uint32_t i = node.begin; i < node.end; ++i) {
    double x[Dim];
    for (int k = 0; k < Dim; ++k) {
      bounds.low[k] = std::min(bounds.low[k], position_[k][i]);
      bounds.high[k] = std::max(bounds.high[k], position_[k][i]);
      x[k] = static_cast<double>(position_[k][i]);
    }
    sums.add_mass(static_cast<double>(mass_[i]), x);
  }
  node.size = size_of(index);
  set_center(sums, bounds, node.center_of_mass);
  for (std::uint32_t i = node.begin; second_moments_ && i < node.end; ++i) {
    double x[Dim];
    for (int k = 0; k < Dim; ++k) x[k] = static_cast<double>(position_[k][i] - node.center_of_mass[k]);
    sums.add_second(static_cast<double>(mass_[i]), x);
  }
  moments_[index].mass = static_cast<Real>(sums.mass);
  for (int k = 0; k < kMomentCount<Dim>; ++k) moments_[index].moment[k] = static_cast<Real>(sums.second[k]);
}

template <class Real, int Dim>
void TreeBuilder<Real, Dim>::inner_moments(std::uint32_t index) {
  TreeNode<Real, Dim>& node = nodes_[index];
  Bounds<Real, Dim>& bounds = bounds_[index];
  MomentSums<Dim> sums;
  bounds = bounds_[node.first_child];
  for (std::uint32_t child = node.first_child; child != node.next; child = nodes_[child].next) {
    double x[Dim];
    for (int k = 0; k < Dim; ++k) {
      bounds.low[k] = std::min(bounds.low[k], bounds_[child].low[k]);
      bounds.high[k] = std::max(bounds.high[k], bounds_[child].high[k]);
      x[k] = static_cast<double>(nodes_[child].center_of_mass[k]);
    }
    sums.add_mass(static_cast<double>(moments_[child].mass), x);
  }
  node.size = size_of(index);
  set_center(sums, bounds, node.center_of_mass);
  for (std::uint32_t child = node.first_child; second_moments_ && child != node.next; child = nodes_[child].next) {
    double x[Dim];
    for (int k = 0; k < Dim; ++k) x[k] = static_cast<double>(nodes_[child].center_of_mass[k] - node.center_of_mass[k]);
    sums.add_second(static_cast<double>(moments_[child].mass), x);
    for (int k = 0; k < kMomentCount<Dim>; ++k) sums.second[k] += static_cast<double>(moments_[child].moment[k]);
  }
  moments_[index].mass = static_cast<Real>(sums.mass);
  for (int k = 0; k < kMomentCount<Dim>; ++k) moments_[index].moment[k] = static_cast<Real>(sums.second[k]);
}

#define PERICENTER_INSTANTIATE(Real, Dim)                            \
  template void TreeBuilder<Real, Dim>::make_moments();              \
  template void TreeBuilder<Real, Dim>::leaf_moments(std::uint32_t); \
  template void TreeBuilder<Real, Dim>::inner_moments(std::uint32_t);
PERICENTER_INSTANTIATE(float, 2)
PERICENTER_INSTANTIATE(float, 3)
PERICENTER_INSTANTIATE(double, 2)
PERICENTER_INSTANTIATE(double, 3)
#undef PERICENTER_INSTANTIATE

}  // namespace pericenter
