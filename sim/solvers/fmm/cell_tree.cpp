#include "sim/solvers/fmm/cell_tree.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/core/huge_pages.h"
#include "sim/core/parallel.h"

namespace pericenter {

template <class Real, int Dim>
void CellTree<Real, Dim>::make(const TreeView<Real, Dim>& tree, const ExpansionKernels<Real, Dim>& kernels,
                               const CellUnits<Real>& units, Weights weights) {
  kernels_ = &kernels;
  weights_ = weights;
  units_ = units;
  stride_ = record_stride(kernels.size);
  const std::size_t cells = tree.nodes.size();
  for (auto& component : center_) component.resize(cells + kCellSlack);
  reach_.resize(cells + kCellSlack);
  mass_.resize(cells + kCellSlack);
  radius_.resize(cells);
  first_child_.resize(cells);
  child_count_.resize(cells);
  bodies_.resize(cells);
  resize_scattered(records_, cells * stride_);
  for (std::size_t generation = tree.generations.size(); generation-- > 1;) {
    parallel_chunks<kCellChunk>(tree.generations[generation - 1], tree.generations[generation],
                                [&](std::size_t begin, std::size_t end) {
                                  for (std::size_t i = begin; i < end; ++i) {
                                    const auto cell = static_cast<std::uint32_t>(i);
                                    set_center(tree, cell);
                                    tree.nodes[i].first_child == 0 ? make_leaf(tree, cell) : make_inner(tree, cell);
                                  }
                                });
  }
}

template <class Real, int Dim>
void CellTree<Real, Dim>::set_center(const TreeView<Real, Dim>& tree, std::uint32_t cell) {
  const TreeNode<Real, Dim>& node = tree.nodes[cell];
  bodies_[cell] = {node.begin, node.end - node.begin, node.size == 0};
  Real* const record = &records_[cell * stride_];
  for (int k = 0; k < Dim; ++k) {
    center_[k][cell] = record[k] = node.center_of_mass[k] * units_.length;
  }
  mass_[cell] = tree.moments[cell].mass * units_.mass;
}

template <class Real, int Dim>
void CellTree<Real, Dim>::make_leaf(const TreeView<Real, Dim>& tree, std::uint32_t cell) {
  const TreeNode<Real, Dim>& node = tree.nodes[cell];
  first_child_[cell] = child_count_[cell] = 0;
  PointList<Real, Dim> bodies{{}, &tree.mass[node.begin], node.end - node.begin};
  for (int k = 0; k < Dim; ++k) bodies.position[k] = &tree.position[k][node.begin];
  const Real farthest_squared = kernels_->body_multipoles(bodies, units_, center(cell), multipoles_of(cell));
  radius_[cell] = std::sqrt(farthest_squared);
  reach_[cell] = tree.moments[cell].mass != 0 ? -radius_[cell] : std::numeric_limits<Real>::quiet_NaN();
}

template <class Real, int Dim>
void CellTree<Real, Dim>::make_inner(const TreeView<Real, Dim>& tree, std::uint32_t cell) {
  const TreeNode<Real, Dim>& node = tree.nodes[cell];
  first_child_[cell] = node.first_child;
  child_count_[cell] = 0;
  Real radius = 0;
  std::uint32_t children[kSourcePadding] = {};
  for (std::uint32_t child = node.first_child; child != node.next; child = tree.nodes[child].next) {
    Real squared = 0;
    for (int k = 0; k < Dim; ++k) {
      const Real d = center_[k][child] - center_[k][cell];
      squared += d * d;
    }
    radius = std::max(radius, std::sqrt(squared) + radius_[child]);
    children[child_count_[cell]++] = child;
  }
  radius_[cell] = std::min(radius, corner_distance(tree, cell));
  kernels_->child_multipoles(family(cell), sources(children, child_count_[cell]), multipoles_of(cell));
  const Real source_radius = weights_(bodies_[cell].count).source * radius_[cell];
  reach_[cell] = tree.moments[cell].mass != 0 ? source_radius : std::numeric_limits<Real>::quiet_NaN();
}

template <class Real, int Dim>
Real CellTree<Real, Dim>::corner_distance(const TreeView<Real, Dim>& tree, std::uint32_t cell) const {
  const Bounds<Real, Dim>& bounds = tree.bounds[cell];
  Real squared = 0;
  for (int k = 0; k < Dim; ++k) {
    const Real center = center_[k][cell];
    const Real side = std::max(center - bounds.low[k] * units_.length, bounds.high[k] * units_.length - center);
    squared += side * side;
  }
  return std::sqrt(squared);
}

template <class Real, int Dim>
CellRow<Real, Dim> CellTree<Real, Dim>::row() const {
  CellRow<Real, Dim> row{{}, reach_.data(), mass_.data(), first_child_.data(), child_count_.data()};
  for (int k = 0; k < Dim; ++k) row.center[k] = center_[k].data();
  return row;
}

template <class Real, int Dim>
SiblingCells<Real, Dim> CellTree<Real, Dim>::family(std::uint32_t cell) const {
  SiblingCells<Real, Dim> family{{}, {}, child_count_[cell]};
  for (int k = 0; k < Dim; ++k) {
    family.center[k] = center_[k][cell];
    family.child_center[k] = &center_[k][first_child_[cell]];
  }
  return family;
}

template <class Real, int Dim>
CellTarget<Real, Dim> CellTree<Real, Dim>::target(std::uint32_t cell, const CellCriterion<Real>& rule) const {
  const Real strictness = rule.by_error() ? rule.strictness(acceleration_[cell]) : 0;
  const Real weight = is_leaf(cell) ? Real(1) : weights_(bodies_[cell].count).target;
  CellTarget<Real, Dim> target{{}, weight * radius_[cell], is_leaf(cell) ? -Real(0) : radius_[cell], strictness, rule};
  for (int k = 0; k < Dim; ++k) target.center[k] = center_[k][cell];
  return target;
}

template <class Real, int Dim>
void CellTree<Real, Dim>::estimate_accelerations(const TreeView<Real, Dim>& tree, Real softening_squared) {
  const std::size_t cells = tree.nodes.size();
  for (auto& component : pull_) component.assign(cells, Real(0));
  acceleration_.assign(cells, Real(0));
  for (std::size_t generation = 1; generation + 1 < tree.generations.size(); ++generation) {
    parallel_chunks(tree.generations[generation], tree.generations[generation + 1],
                    [&](std::size_t begin, std::size_t end) {
                      for (std::size_t i = begin; i < end; ++i) {
                        const auto cell = static_cast<std::uint32_t>(i);
                        estimate_acceleration(cell, tree.parents[cell], softening_squared);
                      }
                    });
  }
}

template <class Real, int Dim>
void CellTree<Real, Dim>::estimate_acceleration(std::uint32_t cell, std::uint32_t parent, Real softening_squared) {
  Real pull[Dim], squared = 0;
  for (int k = 0; k < Dim; ++k) pull[k] = pull_[k][parent];
  const std::uint32_t first = first_child_[parent];
  for (std::uint32_t sibling = first; sibling < first + child_count_[parent]; ++sibling) {
    Real distance[Dim];
    for (int k = 0; k < Dim; ++k) distance[k] = center_[k][sibling] - center_[k][cell];
    add_rough_acceleration(distance, mass_[sibling], softening_squared, pull);
  }
  for (int k = 0; k < Dim; ++k) {
    pull_[k][cell] = pull[k];
    squared += pull[k] * pull[k];
  }
  acceleration_[cell] = std::sqrt(squared);
}

template class CellTree<float, 2>;
template class CellTree<float, 3>;
template class CellTree<double, 2>;
template class CellTree<double, 3>;

}  // namespace pericenter
