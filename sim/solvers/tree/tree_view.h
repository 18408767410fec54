#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "sim/core/tree_box.h"
#include "sim/solvers/simd/pair_kernels.h"

namespace pericenter {

/// A cell of a tree over sorted bodies. A walk that opens it goes to first_child, one that does not to next.
template <class Real, int Dim>
struct TreeNode {
  Real center_of_mass[Dim];
  Real size;                  ///< longest side of the tight bounds of its bodies; 0 when they all coincide
  std::uint32_t first_child;  ///< 0 in a leaf
  std::uint32_t next;         ///< the node after this one's subtree, kNoNode after the last
  std::uint32_t begin, end;   ///< its bodies
};
inline constexpr std::uint32_t kNoNode = 0xFFFFFFFFu;

// The octree of the CPU and that of CUDA are the same tree, walked by the same groups.
/// Bodies of a leaf. Found by measuring 1e4 to 1e6 bodies of a Plummer sphere on the CPU: larger leaves cost pairs,
/// smaller ones cost cells.
inline constexpr std::uint32_t kLeafSize = 16;
/// The same where cells act on cells. Found by measuring 1e5 and 1e6 bodies of three scenes on the CPU, with expansions
/// of order 5: leaves of 32 cost a fifth more, because pairs of bodies fill vectors better than pairs of cells. On CUDA
/// few bodies take small leaves, as there would be too few of them to fill the device.
constexpr std::uint32_t coarse_leaf_size(Backend backend, std::size_t count) {
  if (backend == Backend::cpu) return 64;
  // Larger leaves take less memory, and from 30 million bodies on next to no more time.
  return count < 300'000 ? 32 : count < 30'000'000 ? 64 : count < 200'000'000 ? 96 : 160;
}
/// Bodies that share a walk.
inline constexpr std::uint32_t kGroupSize = 64;
/// Cells are joined to one group only when their parent has at most this many times the bodies of a group: the few
/// bodies in the corners of a larger cell would have all of the crowd between them for their neighbours.
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

/// The box around a node's bodies, for the picture.
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

/// A tree as the walks see it, whoever built it; node 0 is the root, siblings lie next to each other, and every node
/// has bodies. All arrays have one element a node, but for the bodies, which lie in tree order and are readable
/// kSourcePadding beyond the last.
template <class Real, int Dim>
struct TreeView {
  std::span<const TreeNode<Real, Dim>> nodes;
  std::span<const std::uint32_t> parents;  ///< kNoNode of the root
  std::span<const NodeMoments<Real, Dim>> moments;
  std::span<const Bounds<Real, Dim>> bounds;
  std::span<const Real> position[Dim];
  std::span<const Real> mass;
  std::span<const std::size_t> generations;  ///< first node of each generation, and the end
};

}  // namespace pericenter
