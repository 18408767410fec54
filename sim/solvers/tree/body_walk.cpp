#include "sim/solvers/tree/body_walk.h"

#include <algorithm>
#include <cmath>

#include "sim/core/parallel.h"
#include "sim/core/space_filling_curves.h"
#include "sim/solvers/cpu_solver.h"
#include "sim/solvers/tree/opening_criterion.h"

namespace pericenter {

/// Skip links past every subtree.
template <class Real, int Dim>
struct BodyWalk<Real, Dim>::SkipPath {
  const Cell* cells;

  std::uint32_t down(std::uint32_t node) const { return cells[node].first; }
  std::uint32_t past(std::uint32_t node) const { return cells[node].next; }
};

/// Links to first child and parent only.
template <class Real, int Dim>
struct BodyWalk<Real, Dim>::ClimbPath {
  const Cell* cells;
  std::span<const std::uint32_t> parents;

  std::uint32_t down(std::uint32_t node) const { return cells[node].first; }
  std::uint32_t past(std::uint32_t node) const {
    for (; node != 0; node = parents[node]) {
      // Siblings are adjacent.
      if (node + 1 < parents.size() && parents[node + 1] == parents[node]) return node + 1;
    }
    return kNoNode;
  }
};

/// A stack of the nodes still to visit.
template <class Real, int Dim>
struct BodyWalk<Real, Dim>::StackPath {
  // Every node on the way down pushes all but one of its children. A binary hierarchy may have 32 levels and needs
  // less.
  static constexpr int kCapacity = ((1 << Dim) - 1) * kKeyLevels<Dim>;
  static_assert(kCapacity >= 32);

  StackPath(const Cell* of_all, std::span<const std::uint32_t> their_parents) : cells(of_all), parents(their_parents) {}

  const Cell* cells;
  std::span<const std::uint32_t> parents;
  int size = 0;
  std::uint32_t stack[kCapacity];

  std::uint32_t down(std::uint32_t node) {
    const std::uint32_t first = cells[node].first;
    std::uint32_t last = first;
    while (last + 1 < parents.size() && parents[last + 1] == node) ++last;
    for (; last != first; --last) stack[size++] = last;
    return first;
  }
  std::uint32_t past(std::uint32_t) { return size > 0 ? stack[--size] : kNoNode; }
};

template <class Real, int Dim>
BodyWalk<Real, Dim>::BodyWalk(const TreeView<Real, Dim>& tree, Walk kind, const WalkSettings& settings)
    : tree_(tree),
      kind_(kind),
      quadrupoles_(settings.multipole == Multipole::quadrupole),
      leaf_points_(settings.leaf_points),
      softening_(static_cast<Real>(settings.softening)),
      softening_squared_(std::max(softening_ * softening_, kTinySquare<Real>)),
      excluded_(softening_ * softening_ > 0 ? Real(0) : kTinySquare<Real>),
      cells_(std::make_unique_for_overwrite<Cell[]>(tree.nodes.size())) {
  parallel_chunks(0, tree.nodes.size(), [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      const TreeNode<Real, Dim>& node = tree.nodes[i];
      const bool leaf = node.first_child == 0;
      Cell& cell = cells_[i];
      std::copy_n(node.center_of_mass, Dim, cell.center);
      cell.opening_squared = opening_squared(node.center_of_mass, tree.bounds[i], node.size, settings.theta);
      if (leaf && leaf_points_ && cell.opening_squared > 0) cell.opening_squared = kNeverOpened<Real>;
      cell.mass = tree.moments[i].mass;
      cell.first = leaf ? node.begin : node.first_child;
      cell.next = node.next;
      cell.bodies = leaf ? node.end - node.begin : 0;
    }
  });
}

template <class Real, int Dim>
BodyForce<Real, Dim> BodyWalk<Real, Dim>::run(std::uint32_t i, WorkCounts& work) const {
  if (kind_ == Walk::climb) return run_along(ClimbPath{cells_.get(), tree_.parents}, i, work);
  if (kind_ == Walk::stack) return run_along(StackPath(cells_.get(), tree_.parents), i, work);
  return run_along(SkipPath{cells_.get()}, i, work);
}

template <class Real, int Dim>
void BodyWalk<Real, Dim>::run(std::span<const std::uint32_t> bodies, BodyForce<Real, Dim>* forces,
                              WorkCounts& work) const {
  std::uint64_t points = 0, cells = 0, visits = 0;
  for (std::uint32_t node = 0; node != kNoNode; ++visits) {
    const Cell& cell = cells_[node];
    const bool opens = std::any_of(bodies.begin(), bodies.end(), [&](std::uint32_t i) { return must_open(cell, i); });
    if (!opens || cell.bodies > 0) {
      for (std::size_t k = 0; k < bodies.size(); ++k) add_all(node, opens, bodies[k], forces[k]);
    }
    if (opens) {
      points += cell.bodies;
    } else {
      ++(cell.opening_squared == 0 ? points : cells);
    }
    node = opens && cell.bodies == 0 ? cell.first : cell.next;
  }
  for (std::size_t k = 0; k < bodies.size() && !leaf_points_; ++k) {
    forces[k].potential -= self_potential(tree_.mass[bodies[k]], softening_);
  }
  const std::uint64_t count = bodies.size();
  work += {.body_interactions = points * count, .cell_interactions = cells * count, .node_visits = visits * count};
}

template <class Real, int Dim>
inline bool BodyWalk<Real, Dim>::must_open(const Cell& cell, std::uint32_t i) const {
  Real distance_squared = 0;
  for (int k = 0; k < Dim; ++k) {
    const Real d = cell.center[k] - tree_.position[k][i];
    distance_squared += d * d;
  }
  return !(distance_squared >= cell.opening_squared);
}

/// Adds the force of a node on body `i`: of all its bodies if it is a leaf that opens, else as one cell.
template <class Real, int Dim>
inline void BodyWalk<Real, Dim>::add_all(std::uint32_t node, bool opens, std::uint32_t i,
                                         BodyForce<Real, Dim>& force) const {
  const Cell& cell = cells_[node];
  Real target[Dim], d[Dim], distance_squared = 0;
  for (int k = 0; k < Dim; ++k) {
    target[k] = tree_.position[k][i];
    d[k] = cell.center[k] - target[k];
    distance_squared += d[k] * d[k];
  }
  if (opens) {
    add_bodies(cell, target, force);
  } else if (cell.opening_squared <= 0 || !quadrupoles_) {
    add_point(d, distance_squared, cell.mass, force);
    const bool own = leaf_points_ && i - cell.first < cell.bodies;
    if (own) force.potential += potential_in_point(distance_squared, tree_.mass[i]);
  } else {
    add_cell(node, d, distance_squared, force);
  }
}

template <class Real, int Dim>
template <class Path>
BodyForce<Real, Dim> BodyWalk<Real, Dim>::run_along(Path path, std::uint32_t i, WorkCounts& work) const {
  Real target[Dim];
  for (int k = 0; k < Dim; ++k) target[k] = tree_.position[k][i];
  BodyForce<Real, Dim> force;
  std::uint64_t bodies = 0, cells = 0, visits = 0;
  for (std::uint32_t node = 0; node != kNoNode; ++visits) {
    const Cell& cell = cells_[node];
    Real d[Dim], distance_squared = 0;
    for (int k = 0; k < Dim; ++k) {
      d[k] = cell.center[k] - target[k];
      distance_squared += d[k] * d[k];
    }
    if (distance_squared >= cell.opening_squared) {
      ++(cell.opening_squared == 0 ? bodies : cells);
      if (cell.opening_squared <= 0 || !quadrupoles_) {
        add_point(d, distance_squared, cell.mass, force);
        const bool own = leaf_points_ && i - cell.first < cell.bodies;
        if (own) force.potential += potential_in_point(distance_squared, tree_.mass[i]);
      } else {
        add_cell(node, d, distance_squared, force);
      }
      node = path.past(node);
    } else if (cell.bodies > 0) {
      bodies += cell.bodies;
      add_bodies(cell, target, force);
      node = path.past(node);
    } else {
      node = path.down(node);
    }
  }
  if (!leaf_points_) force.potential -= self_potential(tree_.mass[i], softening_);
  work += {.body_interactions = bodies, .cell_interactions = cells, .node_visits = visits};
  return force;
}

template <class Real, int Dim>
inline void BodyWalk<Real, Dim>::add_point(const Real (&d)[Dim], Real distance_squared, Real mass,
                                           BodyForce<Real, Dim>& force) const {
  const Real r2 = distance_squared + softening_squared_;
  const Real inverse = 1 / std::sqrt(r2);
  const Real mass_over_r = mass * inverse;
  const Real strength = mass_over_r * inverse * inverse;
  for (int k = 0; k < Dim; ++k) force.acceleration[k] += strength * d[k];
  force.potential -= r2 > excluded_ ? mass_over_r : Real(0);
}

template <class Real, int Dim>
inline Real BodyWalk<Real, Dim>::potential_in_point(Real distance_squared, Real mass) const {
  const Real r2 = distance_squared + softening_squared_;
  return r2 > excluded_ ? mass * (1 / std::sqrt(r2)) : Real(0);
}

template <class Real, int Dim>
inline void BodyWalk<Real, Dim>::add_bodies(const Cell& leaf, const Real (&target)[Dim],
                                            BodyForce<Real, Dim>& force) const {
  for (std::uint32_t j = leaf.first; j < leaf.first + leaf.bodies; ++j) {
    Real d[Dim], distance_squared = 0;
    for (int k = 0; k < Dim; ++k) {
      d[k] = tree_.position[k][j] - target[k];
      distance_squared += d[k] * d[k];
    }
    add_point(d, distance_squared, tree_.mass[j], force);
  }
}

template <class Real, int Dim>
inline void BodyWalk<Real, Dim>::add_cell(std::uint32_t node, const Real (&d)[Dim], Real distance_squared,
                                          BodyForce<Real, Dim>& force) const {
  // The terms of the pair kernels for one cell: u = d/R, T = 3 sum m x x, with powers of 1/R first to avoid overflow.
  const auto& moment = tree_.moments[node].moment;
  const Real inverse = 1 / std::sqrt(distance_squared + softening_squared_);
  const Real inverse2 = inverse * inverse, inverse4 = inverse2 * inverse2;
  Real u[Dim], tu[Dim] = {}, utu = 0, half_trace = 0;
  for (int k = 0; k < Dim; ++k) u[k] = d[k] * inverse;
  for (int row = 0, at = 0; row < Dim; ++row) {
    half_trace += moment[at] / 2;
    tu[row] += moment[at++] * u[row];
    for (int column = row + 1; column < Dim; ++column, ++at) {
      tu[row] += moment[at] * u[column];
      tu[column] += moment[at] * u[row];
    }
  }
  for (int k = 0; k < Dim; ++k) utu += tu[k] * u[k];
  const Real mass = cells_[node].mass;
  const Real strength = mass * inverse2 + (Real(2.5) * utu - half_trace) * inverse4;
  for (int k = 0; k < Dim; ++k) force.acceleration[k] += strength * u[k] - inverse4 * tu[k];
  force.potential -= inverse * (mass + (Real(0.5) * utu - half_trace / 3) * inverse2);
}

template class BodyWalk<float, 2>;
template class BodyWalk<float, 3>;
template class BodyWalk<double, 2>;
template class BodyWalk<double, 3>;

}  // namespace pericenter
