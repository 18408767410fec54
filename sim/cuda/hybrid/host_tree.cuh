#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "sim/cuda/runtime/cpu_task_pool.h"
#include "sim/cuda/simulation/cuda_solver.cuh"
#include "sim/solvers/tree/tree_builder.h"

namespace pericenter {

/// The tree that the CPU builds, with TreeBuilder, for bodies that live on the device.
template <class Real, int Dim>
class HostTree {
 public:
  HostTree(const Config& config, std::size_t count);

  /// Builds the tree of bodies at `position` (w: mass) in memory of the host, one for each of `count`; copying them
  /// into the arrays of the builder counts as Stage::download.
  void build(const Vec4<Real>* position, Real gravity, StageTimings& timings);

  /// Writes the places in which the bodies were given, in tree order.
  void list_bodies(std::uint32_t* original) const;
  /// The same in the order of the walks, of the list that list_bodies() has written.
  void list_walks(Order order, const std::uint32_t* original, std::uint32_t* walks) const;

  TreeView<Real, Dim> view() const { return builder_->view(); }
  const TreeBuilder<Real, Dim>& builder() const { return *builder_; }
  const CpuTaskPool& threads() const { return threads_; }

 private:
  CpuTaskPool threads_;
  BodyArrays<Real, Dim> bodies_;  ///< positions and masses alone
  std::unique_ptr<TreeBuilder<Real, Dim>> builder_;
};

/// The positions in memory of the host: where they are already, or a copy in `room`, for which it waits. Marks
/// Stage::download.
template <class Real>
const Vec4<Real>* host_positions(const DeviceBodies<Real>& bodies, Vec4<Real>* room, StageEvents& events);

}  // namespace pericenter
