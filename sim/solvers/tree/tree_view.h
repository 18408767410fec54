#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "sim/core/tree_box.h"
#include "sim/solvers/simd/pair_kernels.h"

namespace pericenter {

/// A cell of a tree over sorted bodies. A walk continues with first_child if it opens the cell, else with next.
template <class Real, int Dim>
struct TreeNode {
  Real center_of_mass[Dim];
  Real size;                  ///< opening_size(); 0 if all bodies coincide
  std::uint32_t first_child;  ///< 0 in a leaf
  std::uint32_t next;         ///< the node after the subtree, kNoNode after the last
  std::uint32_t begin, end;   ///< range of its bodies
};
inline constexpr std::uint32_t kNoNode = 0xFFFFFFFFu;

// CPU and CUDA build the same octree and use the same groups.
/// Bodies per leaf. Measured with Plummer spheres of 1e4 to 1e6 bodies on the CPU: larger leaves cost pairs, smaller
/// ones cost cells.
inline constexpr std::uint32_t kLeafSize = 16;
/// From this number of bodies on, larger leaves hardly cost time.
inline constexpr std::size_t kLargeTree = 30'000'000;
/// Bodies per leaf for cell-cell interactions. Measured with 1e5 and 1e6 bodies of three scenes on the CPU, with
/// expansions of order 5: leaves of 32 cost a fifth more, because pairs of bodies fill vectors better than pairs of
/// cells. On CUDA small N uses small leaves, because larger ones are too few to fill the device; measured on an H200
/// with 5e4 to 2e5 bodies of three scenes and leaves of 24 to 64.
constexpr std::uint32_t coarse_leaf_size(Backend backend, std::size_t count) {
  if (backend == Backend::cpu) return 64;
  if (count < 300'000) return count < 120'000 ? 32 : 48;
  return count < kLargeTree ? 64 : 96;
}

/// Whether cells with many bodies are opened more strictly on CUDA, see cuda_weights().
constexpr bool weighs_cells(std::size_t count) {
  return count >= 300'000;
}

/// Maximum number of bodies per leaf, which may be smaller in the upper levels.
struct LeafSize {
  std::uint32_t bodies = kLeafSize;
  int mean_level = 0;                    ///< each level above it divides `bodies` by four
  std::uint32_t on_mean_level = bodies;  ///< maximum on that level itself

  constexpr std::uint32_t at(int level) const {
    if (level == mean_level) return on_mean_level;
    return std::max(1u, bodies >> std::min(31, 2 * std::max(0, mean_level - level)));
  }
  /// The maximum of all levels.
  constexpr std::uint32_t most() const { return std::max(bodies, on_mean_level); }
};
/// Cells with fewer bodies than the mean of the whole cube have smaller leaves. They are in the outskirts, where most
/// of the acceleration comes from one side, so that the errors across a wide leaf do not cancel: with large leaves a
/// few such bodies have most of the error. Measured with a Plummer sphere of 1e5 bodies at theta 0.7 on the CPU: the
/// mean error of the outermost 500 bodies is 1.2e-3 instead of 1.5e-2, the largest 0.05 instead of 0.25, and the sphere
/// has 7 % fewer pairs; with at most 1.5 times the mean on the level whose cells have at most a leaf on average, the
/// 99th percentile of the error falls by another 16 %, the largest by half, and there are 3 % fewer pairs. The same in
/// 2D as in 3D, so that bodies in a plane have the same leaves.
constexpr LeafSize coarse_leaf_sizes(Backend backend, std::size_t count) {
  LeafSize sizes{.bodies = coarse_leaf_size(backend, count)};
  // Very large trees need the memory, and their leaves are narrow everywhere.
  if (backend == Backend::cuda && count >= kLargeTree) return sizes;
  std::size_t mean = count;
  for (; mean > sizes.bodies; mean /= 8) ++sizes.mean_level;
  // Hardly any cell of a uniform distribution has more.
  if (sizes.mean_level > 0) sizes.on_mean_level = std::min(sizes.bodies, static_cast<std::uint32_t>(mean + mean / 2));
  return sizes;
}
/// Maximum number of bodies that share a walk.
inline constexpr std::uint32_t kGroupSize = 64;
/// Cells are joined to one group only if their parent has at most this many times the bodies of a group: the few bodies
/// in the corners of a larger cell would have the whole cell between them as near field.
inline constexpr std::uint32_t kMaxParentRatio = 8;

template <class Real, int Dim>
struct NodeMoments {
  Real mass;
  Real moment[kMomentCount<Dim>];  ///< 3 sum m x_i x_j about the centre of mass
};

/// Tight bounds of a set of bodies.
template <class Real, int Dim>
struct Bounds {
  Real low[Dim], high[Dim];
};

/// The box around the bodies of a node, for drawing.
template <class Real, int Dim>
TreeBox bounds_box(const Bounds<Real, Dim>& bounds, int level) {
  TreeBox box;
  box.level = level;
  for (int k = 0; k < Dim; ++k) {
    box.center[k] = static_cast<float>(bounds.low[k] + (bounds.high[k] - bounds.low[k]) / 2);
    box.half_width[k] = static_cast<float>((bounds.high[k] - bounds.low[k]) / 2);
  }
  return box;
}

/// Read-only view of a tree, the same for all builders. Node 0 is the root, siblings are adjacent, and every node has
/// bodies. Arrays have one element per node, or one per body in tree order; body arrays are readable kSourcePadding
/// elements beyond the end.
template <class Real, int Dim>
struct TreeView {
  std::span<const TreeNode<Real, Dim>> nodes;
  std::span<const std::uint32_t> parents;  ///< kNoNode for the root
  std::span<const NodeMoments<Real, Dim>> moments;
  std::span<const Bounds<Real, Dim>> bounds;
  std::span<const Real> position[Dim];
  std::span<const Real> mass;
  std::span<const std::size_t> generations;  ///< first node of each generation, and the end
};

}  // namespace pericenter
