#pragma once

#include "sim/cuda/tree/device_tree.cuh"

namespace pericenter {

template <class Real>
struct GroupWalkTask {
  DeviceTree<Real> tree;
  Vec4<Real>* acceleration;     ///< of the bodies as they were given; w: potential
  std::uint32_t* interactions;  ///< of each of them; null: nobody asks
  Real theta_squared;
  Softening<Real> softening;
  bool monopole;
};

/// The walk of GroupWalk, with the same opening rule: a warp takes a group of at most 64 bodies, tests 32 nodes at a
/// time, and evaluates the far cells and near bodies that it has gathered in shared memory.
template <class Real>
class CudaGroupWalk {
 public:
  /// Asks the current device how many warps it runs at a time.
  CudaGroupWalk();

  /// Marks Stage::walk. Adds to the interactions in task.tree.status.
  void enqueue(const GroupWalkTask<Real>& task, bool with_potential, StageEvents& events) const;

 private:
  unsigned blocks_, blocks_with_potential_;
};

}  // namespace pericenter
