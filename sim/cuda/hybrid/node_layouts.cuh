#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "sim/cuda/tree/body_walk.cuh"
#include "sim/solvers/tree/opening_criterion.h"
#include "sim/solvers/tree/tree_view.h"

// The nodes that the hybrid solver uploads, see NodeLayout. NodeLayout::compact is WalkNode.
namespace pericenter {

/// A node with all data of the builder; three times the size that a walk needs.
template <class Real>
struct FullNode {
  WalkNode<Real> walk;
  Bounds<Real, 3> bounds;
  Real moment[6];
  std::uint32_t parent;
};
static_assert(sizeof(FullNode<float>) == 96 && sizeof(FullNode<double>) == 192);

/// The fields of WalkNode and the middle of the box, which no walk reads, without alignment: the layout of a plain
/// structure that also serves insertion.
template <class Real, int Dim>
struct UnpackedNode {
  Real x, y, z, mass, opening;
  std::uint32_t first, next, bodies;
  Real middle[Dim];
};
static_assert(sizeof(UnpackedNode<float, 2>) == 40 && sizeof(UnpackedNode<float, 3>) == 44);
static_assert(sizeof(UnpackedNode<double, 2>) == 72 && sizeof(UnpackedNode<double, 3>) == 80);

/// Fills a node with node `i` of a tree, for a walk with opening angle `theta`.
template <class Real, int Dim>
void pack(const TreeView<Real, Dim>& tree, std::size_t i, double theta, WalkNode<Real>& to) {
  const TreeNode<Real, Dim>& node = tree.nodes[i];
  const bool leaf = node.first_child == 0;
  Real x[3] = {};
  for (int k = 0; k < Dim; ++k) x[k] = node.center_of_mass[k];
  to = {x[0],
        x[1],
        x[2],
        tree.moments[i].mass,
        opening_squared(node.center_of_mass, tree.bounds[i], node.size, theta),
        leaf ? node.begin : node.first_child,
        node.next,
        leaf ? node.end - node.begin : 0};
}

template <class Real, int Dim>
void pack(const TreeView<Real, Dim>& tree, std::size_t i, double theta, FullNode<Real>& to) {
  to = {};
  pack(tree, i, theta, to.walk);
  for (int k = 0; k < Dim; ++k) to.bounds.low[k] = tree.bounds[i].low[k];
  for (int k = 0; k < Dim; ++k) to.bounds.high[k] = tree.bounds[i].high[k];
  std::copy_n(tree.moments[i].moment, kMomentCount<Dim>, to.moment);
  to.parent = tree.parents[i];
}

template <class Real, int Dim>
void pack(const TreeView<Real, Dim>& tree, std::size_t i, double theta, UnpackedNode<Real, Dim>& to) {
  WalkNode<Real> walk;
  pack(tree, i, theta, walk);
  to = {walk.x, walk.y, walk.z, walk.mass, walk.opening, walk.first, walk.next, walk.bodies, {}};
  const Bounds<Real, Dim>& bounds = tree.bounds[i];
  for (int k = 0; k < Dim; ++k) to.middle[k] = bounds.low[k] + (bounds.high[k] - bounds.low[k]) / 2;
}

/// The fields that a walk reads.
template <class Real>
__device__ __forceinline__ const WalkNode<Real>& walk_part(const WalkNode<Real>& node) {
  return node;
}
template <class Real>
__device__ __forceinline__ const WalkNode<Real>& walk_part(const FullNode<Real>& node) {
  return node.walk;
}
template <class Real, int Dim>
__device__ __forceinline__ WalkNode<Real> walk_part(const UnpackedNode<Real, Dim>& node) {
  return {node.x, node.y, node.z, node.mass, node.opening, node.first, node.next, node.bodies};
}

}  // namespace pericenter
