#pragma once

#include "sim/core/solver_options.h"
#include "sim/cuda/runtime/device_buffer.cuh"
#include "sim/cuda/tree/device_tree.cuh"
#include "sim/solvers/tree/opening.h"

namespace pericenter {

/// A node as the walks of single bodies read it: 32 bytes in single precision, in one line of the cache.
template <class Real>
struct alignas(32) WalkNode {
  Real x, y, z, mass;    ///< centre of mass, mass times the gravitational constant
  Real opening;          ///< opening_squared()
  std::uint32_t first;   ///< first child, or first body of a leaf
  std::uint32_t next;    ///< the node after this one's subtree, kNoNode after the last
  std::uint32_t bodies;  ///< of a leaf; 0 in an inner node
};
static_assert(sizeof(WalkNode<float>) == 32);

/// Walks of single bodies over a tree on the device; all kinds visit the same nodes in the same order and give the same
/// bits.
template <class Real>
struct BodyWalkTask {
  const WalkNode<Real>* nodes;
  const Vec4<Real>* body;            ///< in tree order; w: mass times the gravitational constant
  const NodeLinks* links;            ///< for Walk::climb and Walk::stack
  const CellMoments<Real>* moments;  ///< null: monopoles
  TreeStatus* status;                ///< gets the counts
  DeviceBodies<Real> targets;
  const std::uint32_t* order;  ///< the i-th walk is of this body; null: of the i-th
  Real gravity;
  Softening<Real> softening;
};

/// Enqueues the nodes of a tree that has its moments; marks Stage::moments.
template <class Real>
void enqueue_walk_nodes(const DeviceTree<Real>& tree, std::uint32_t count, double theta, WalkNode<Real>* nodes,
                        Grid grid, StageEvents& events);

/// Enqueues the walks; `kind` is not Walk::group. Marks Stage::walk.
template <class Real>
void enqueue_body_walk(const BodyWalkTask<Real>& task, Walk kind, bool with_potential, StageEvents& events);

/// Which body the i-th walk is of.
template <class Real, int Dim>
class WalkOrder {
 public:
  static std::size_t bytes(Order order, std::size_t count);
  /// `order` is tree, none, shuffled or regular.
  WalkOrder(Order order, std::size_t count);

  /// Returns the list for BodyWalkTask::order after having enqueued what sets it; marks Stage::sort if it took time.
  /// The tree has been built; overwrites those of memory.key and memory.index that it does not use.
  const std::uint32_t* enqueue(const TreeMemory<Real>& memory, const DeviceBodies<Real>& bodies, Grid grid,
                               StageEvents& events) const;

 private:
  Order order_;
  DeviceBuffer<std::uint32_t> list_;  ///< the shuffled one, or one of the two that the sort goes to and fro between
  DeviceBuffer<std::byte> sort_scratch_;
};

}  // namespace pericenter
