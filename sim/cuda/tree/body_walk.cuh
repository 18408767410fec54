#pragma once

#include "sim/core/solver_options.h"
#include "sim/cuda/kernels/lane_walker.cuh"
#include "sim/cuda/runtime/device_buffer.cuh"
#include "sim/cuda/tree/device_tree.cuh"
#include "sim/solvers/tree/opening_criterion.h"

namespace pericenter {

/// A node as read by the walks of single bodies: 32 bytes in single precision, within one cache line.
template <class Real>
struct alignas(32) WalkNode {
  Real x, y, z, mass;    ///< centre of mass, mass times the gravitational constant
  Real opening;          ///< opening_squared()
  std::uint32_t first;   ///< first child, or first body of a leaf
  std::uint32_t next;    ///< node after this subtree, kNoNode after the last
  std::uint32_t bodies;  ///< leaf: number of bodies; inner node: 0

  __host__ __device__ Vec4<Real> center() const { return {x, y, z, mass}; }
};
static_assert(sizeof(WalkNode<float>) == 32);

/// Walks of single bodies over a tree on the device. All kinds except Walk::vote visit the same nodes in the same order
/// and give bit-identical results.
template <class Real>
struct BodyWalkTask {
  const WalkNode<Real>* nodes;
  const Vec4<Real>* body;            ///< bodies in tree order; w: mass times the gravitational constant
  const NodeLinks* links;            ///< links for Walk::climb and Walk::stack
  const CellMoments<Real>* moments;  ///< null: monopoles only
  WalkTargets<Real> targets;
};

/// Enqueues the nodes of a tree with moments. Times Stage::moments.
template <class Real>
void enqueue_walk_nodes(const DeviceTree<Real>& tree, std::uint32_t count, double theta, WalkNode<Real>* nodes,
                        Grid grid, StageEvents& events);

/// Enqueues the walks; `kind` must not be Walk::group. Times Stage::walk.
template <class Real>
void enqueue_body_walk(const BodyWalkTask<Real>& task, Walk kind, bool with_potential, StageEvents& events);

/// The assignment of bodies to walks.
template <class Real, int Dim>
class WalkOrder {
 public:
  static std::size_t bytes(Order order, std::size_t count);
  /// `order` is tree, none, shuffled or regular.
  WalkOrder(Order order, std::size_t count);

  /// Enqueues the computation of the list for WalkTargets::order and returns it. Times Stage::sort if it took time.
  /// The tree must be built. Overwrites the unused arrays of memory.key and memory.index.
  const std::uint32_t* enqueue(const TreeMemory<Real>& memory, const DeviceBodies<Real>& bodies, Grid grid,
                               StageEvents& events) const;

 private:
  Order order_;
  DeviceBuffer<std::uint32_t> list_;  ///< the shuffled list, or one of the two sort buffers
  DeviceBuffer<std::byte> sort_scratch_;
};

}  // namespace pericenter
