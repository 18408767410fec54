#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "sim/core/body_arrays.h"
#include "sim/core/vertex_target.h"
#include "sim/solvers/cpu_solver.h"
#include "sim/solvers/tree/tree_view.h"

namespace pericenter {

/// Decimal logarithm of the mass density at each body: the mass of its 7 nearest neighbours divided by the volume (area
/// in 2D) of the sphere through the 8th, unbiased for a Poisson distribution (S. Casertano, P. Hut 1985,
/// doi:10.1086/163589). kNoScalar with fewer neighbours. Uses the current oneTBB arena; the same bits for any number of
/// threads.
template <class Real, int Dim>
std::vector<float> log_densities(const BodyArrays<Real, Dim>& bodies);

// Parts of log_densities(); constexpr, so that CUDA kernels can call them.

inline constexpr int kDensityNeighbors = 8;
/// Bodies per leaf of a NeighborTree.
inline constexpr std::uint32_t kNeighborLeaf = 8;

/// Leaves of a NeighborTree of `count` bodies: a power of two; some may be empty.
constexpr std::uint32_t neighbor_leaves(std::size_t count) {
  std::uint32_t leaves = 1;
  while (std::size_t(leaves) * kNeighborLeaf < count) leaves *= 2;
  return leaves;
}

/// Tight boxes around bodies in the order of a space-filling curve. As in a heap, node n has the children 2n and 2n +
/// 1, and the root is 1. Leaves have kNeighborLeaf bodies each; empty leaves have empty_bounds().
template <class Real, int Dim>
struct NeighborTree {
  const Bounds<Real, Dim>* box;
  std::uint32_t leaves, bodies;
};

template <class Real, int Dim>
constexpr Bounds<Real, Dim> empty_bounds() {
  Bounds<Real, Dim> bounds{};
  for (int k = 0; k < Dim; ++k) {
    bounds.low[k] = std::numeric_limits<Real>::infinity();
    bounds.high[k] = -std::numeric_limits<Real>::infinity();
  }
  return bounds;
}

/// The box of leaf `leaf`; `body(i)` is the i-th body along the curve, as a Source.
template <class Real, int Dim, class BodyAt>
constexpr Bounds<Real, Dim> neighbor_leaf_bounds(std::uint32_t leaf, std::uint32_t bodies, const BodyAt& body) {
  Bounds<Real, Dim> bounds = empty_bounds<Real, Dim>();
  for (std::uint32_t i = leaf * kNeighborLeaf; i < (leaf + 1) * kNeighborLeaf && i < bodies; ++i) {
    const Source<Real, Dim> at = body(i);
    for (int k = 0; k < Dim; ++k) {
      if (at.position[k] < bounds.low[k]) bounds.low[k] = at.position[k];
      if (at.position[k] > bounds.high[k]) bounds.high[k] = at.position[k];
    }
  }
  return bounds;
}

template <class Real, int Dim>
constexpr Bounds<Real, Dim> bounds_of_both(const Bounds<Real, Dim>& a, const Bounds<Real, Dim>& b) {
  Bounds<Real, Dim> bounds = a;
  for (int k = 0; k < Dim; ++k) {
    if (b.low[k] < bounds.low[k]) bounds.low[k] = b.low[k];
    if (b.high[k] > bounds.high[k]) bounds.high[k] = b.high[k];
  }
  return bounds;
}

/// The nearest bodies found so far, nearest first.
template <class Real>
struct Neighbors {
  Real distance_squared[kDensityNeighbors], mass[kDensityNeighbors];

  constexpr Neighbors() : distance_squared(), mass() {
    for (Real& d : distance_squared) d = std::numeric_limits<Real>::infinity();
  }
  constexpr Real farthest_squared() const { return distance_squared[kDensityNeighbors - 1]; }
  constexpr void add(Real at_squared, Real its_mass) {
    if (!(at_squared < farthest_squared())) return;
    // Iterates over all slots, so that a kernel keeps them in registers.
    for (int k = 0; k < kDensityNeighbors; ++k) {
      const bool nearer = at_squared < distance_squared[k];
      const Real other_squared = distance_squared[k], other_mass = mass[k];
      distance_squared[k] = nearer ? at_squared : other_squared;
      mass[k] = nearer ? its_mass : other_mass;
      at_squared = nearer ? other_squared : at_squared;
      its_mass = nearer ? other_mass : its_mass;
    }
  }
  /// Computed from logarithms, so that no power overflows.
  constexpr float log_density(int dimension) const {
    Real inner = 0;
    for (int k = 0; k + 1 < kDensityNeighbors; ++k) inner += mass[k];
    const Real squared = farthest_squared();
    if (!(inner > 0) || !(squared > 0) || squared > std::numeric_limits<Real>::max()) return kNoScalar;
    constexpr float kLogPi = 0.49714987f, kLogBall = 0.62208861f;  // decimal logarithms of pi and 4 pi / 3
    const float log_squared = static_cast<float>(std::log10(squared)), log_mass = static_cast<float>(std::log10(inner));
    return dimension == 2 ? log_mass - log_squared - kLogPi : log_mass - 1.5f * log_squared - kLogBall;
  }
};

/// 0 inside the box, infinite if it is empty.
template <class Real, int Dim>
constexpr Real squared_distance(const Bounds<Real, Dim>& box, const Real (&from)[Dim]) {
  Real sum = 0;
  for (int k = 0; k < Dim; ++k) {
    const Real below = box.low[k] - from[k], above = from[k] - box.high[k];
    const Real outside = below > above ? below : above;
    sum += outside > 0 ? outside * outside : 0;
  }
  return sum;
}

/// The nearest neighbours of body `i`: first in the adjacent leaves, then in all boxes that are nearer than the
/// neighbours found so far.
template <class Real, int Dim, class BodyAt>
constexpr Neighbors<Real> neighbors_of(std::uint32_t i, const NeighborTree<Real, Dim>& tree, const BodyAt& body) {
  const Source<Real, Dim> self = body(i);
  Neighbors<Real> found;
  const auto add_leaves = [&](std::uint32_t first, std::uint32_t last) {
    for (std::uint32_t j = first * kNeighborLeaf; j < (last + 1) * kNeighborLeaf && j < tree.bodies; ++j) {
      const Source<Real, Dim> other = body(j);
      Real squared = 0;
      for (int k = 0; k < Dim; ++k) {
        const Real d = other.position[k] - self.position[k];
        squared += d * d;
      }
      if (j != i) found.add(squared, other.mass);
    }
  };
  const std::uint32_t own = i / kNeighborLeaf, first = own > 0 ? own - 1 : 0;
  add_leaves(first, own + 1);
  const auto distance_to = [&](std::uint32_t node) { return squared_distance(tree.box[node], self.position); };
  std::uint32_t node = 1;
  std::uint32_t trail = 0;  // one bit per level, the deepest lowest: the sibling needs no visit
  for (;;) {
    if (node < tree.leaves) {
      const Real left = distance_to(2 * node), right = distance_to(2 * node + 1);
      const Real nearer = right < left ? right : left, farther = right < left ? left : right;
      if (nearer < found.farthest_squared()) {
        node = 2 * node + (right < left ? 1 : 0);
        trail = 2 * trail + (farther < found.farthest_squared() ? 0 : 1);
        continue;
      }
    } else if (const std::uint32_t leaf = node - tree.leaves; leaf < first || leaf > own + 1) {
      add_leaves(leaf, leaf);
    }
    do {
      for (; (trail & 1u) != 0; trail /= 2) node /= 2;
      if (node == 1) return found;
      trail |= 1u;
      node ^= 1u;
    } while (!(distance_to(node) < found.farthest_squared()));
  }
}

}  // namespace pericenter
