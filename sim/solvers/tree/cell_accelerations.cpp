#include <cmath>

#include "sim/core/parallel.h"
#include "sim/solvers/fmm/cell_tree.h"

namespace pericenter {

// Estimates the acceleration of each cell from its siblings and those of its ancestors, which needs no search for other
// cells. The mean relative error averages 1 / acceleration, so a cell has the harmonic mean of its leaves.
template <class Real, int Dim>
void CellTree<Real, Dim>::estimate_accelerations(const TreeView<Real, Dim>& tree, Real softening_squared) {
  const std::size_t cells = tree.nodes.size();
  for (auto& component : parent_acceleration_) component.assign(cells, Real(0));
  acceleration_.resize(cells);
  const auto for_generation = [&](std::size_t generation, const auto& function) {
    parallel_chunks(tree.generations[generation], tree.generations[generation + 1],
                    [&](std::size_t begin, std::size_t end) {
                      for (std::size_t i = begin; i < end; ++i) function(static_cast<std::uint32_t>(i));
                    });
  };
  const std::size_t generations = tree.generations.size() - 1;
  for (std::size_t generation = 1; generation < generations; ++generation) {
    for_generation(generation,
                   [&](std::uint32_t cell) { set_parent_acceleration(cell, tree.parents[cell], softening_squared); });
  }
  for (std::size_t generation = generations; generation-- > 0;) {
    for_generation(generation, [&](std::uint32_t cell) {
      acceleration_[cell] = is_leaf(cell) ? leaf_acceleration(cell) : inner_acceleration(cell);
    });
  }
}

template <class Real, int Dim>
void CellTree<Real, Dim>::set_parent_acceleration(std::uint32_t cell, std::uint32_t parent, Real softening_squared) {
  Real pull[Dim];
  for (int k = 0; k < Dim; ++k) pull[k] = parent_acceleration_[k][parent];
  const std::uint32_t first = first_child_[parent];
  for (std::uint32_t sibling = first; sibling < first + child_count_[parent]; ++sibling) {
    Real distance[Dim];
    for (int k = 0; k < Dim; ++k) distance[k] = center_[k][sibling] - center_[k][cell];
    add_rough_acceleration(distance, mass_[sibling], softening_squared, pull);
  }
  for (int k = 0; k < Dim; ++k) parent_acceleration_[k][cell] = pull[k];
}

template <class Real, int Dim>
Real CellTree<Real, Dim>::leaf_acceleration(std::uint32_t leaf) const {
  Real squared = 0;
  for (int k = 0; k < Dim; ++k) squared += parent_acceleration_[k][leaf] * parent_acceleration_[k][leaf];
  return std::sqrt(squared);
}

template <class Real, int Dim>
Real CellTree<Real, Dim>::inner_acceleration(std::uint32_t cell) const {
  Real sum = 0;
  for (std::uint32_t child = first_child_[cell]; child < first_child_[cell] + child_count_[cell]; ++child) {
    sum += static_cast<Real>(bodies_[child].count) / acceleration_[child];
  }
  return static_cast<Real>(bodies_[cell].count) / sum;
}

#define PERICENTER_INSTANTIATE(Real, Dim) \
  template void CellTree<Real, Dim>::estimate_accelerations(const TreeView<Real, Dim>&, Real);
PERICENTER_INSTANTIATE(float, 2)
PERICENTER_INSTANTIATE(float, 3)
PERICENTER_INSTANTIATE(double, 2)
PERICENTER_INSTANTIATE(double, 3)
#undef PERICENTER_INSTANTIATE

}  // namespace pericenter
