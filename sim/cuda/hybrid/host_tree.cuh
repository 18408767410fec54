#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "sim/cuda/runtime/cpu_task_pool.h"
#include "sim/cuda/simulation/cuda_solver.cuh"
#include "sim/solvers/tree/tree_builder.h"

namespace pericenter {

/// A tree built on the CPU with TreeBuilder, for bodies in device memory.
template <class Real, int Dim>
class HostTree {
 public:
  HostTree(const Config& config, std::size_t count);

  /// Builds the tree of `count` bodies at `position` (w: mass) in host memory. The copy into the arrays of the builder
  /// is timed as Stage::download.
  void build(const Vec4<Real>* position, Real gravity, StageTimings& timings);

  /// Writes the input indices of the bodies, in tree order.
  void list_bodies(std::uint32_t* original) const;
  /// Writes the input indices of the bodies, in the order of their insertion.
  void list_inserted(std::uint32_t* original) const;

  TreeView<Real, Dim> view() const { return builder_->view(); }
  const TreeBuilder<Real, Dim>& builder() const { return *builder_; }
  const CpuTaskPool& threads() const { return threads_; }

 private:
  CpuTaskPool threads_;
  BodyArrays<Real, Dim> bodies_;  ///< positions and masses only
  std::unique_ptr<TreeBuilder<Real, Dim>> builder_;
};

/// The positions in host memory: the existing host copy, or a download into `room`, for which it waits. Times
/// Stage::download.
template <class Real>
const Vec4<Real>* host_positions(const DeviceBodies<Real>& bodies, Vec4<Real>* room, StageEvents& events);

}  // namespace pericenter
