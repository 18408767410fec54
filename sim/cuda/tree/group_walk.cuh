#pragma once

#include "sim/cuda/tree/device_tree.cuh"

namespace pericenter {

template <class Real>
struct GroupWalkTask {
  DeviceTree<Real> tree;
  Vec4<Real>* acceleration;     ///< accelerations of the bodies in input order; w: potential
  std::uint32_t* interactions;  ///< interactions of each body; null: not requested
  Real theta_squared;
  Softening<Real> softening;
  bool monopole;
};

/// The walk of GroupWalk with the same opening rule. A warp processes a group of at most 64 bodies, tests 32 nodes at a
/// time, and evaluates far cells and near bodies gathered in shared memory.
template <class Real>
class CudaGroupWalk {
 public:
  /// Queries the number of resident warps of the current device.
  CudaGroupWalk();

  /// Times Stage::walk. Adds to the interactions in task.tree.status.
  void enqueue(const GroupWalkTask<Real>& task, bool with_potential, StageEvents& events) const;

 private:
  unsigned blocks_, blocks_with_potential_;
};

}  // namespace pericenter
