#pragma once

#include <cstddef>
#include <vector>

#include "sim/cuda/hybrid/host_tree.cuh"
#include "sim/cuda/kernels/lane_walker.cuh"
#include "sim/cuda/runtime/device_buffer.cuh"

namespace pericenter {

/// The order of a step that the hybrid solvers share: positions to the host, tree, body lists, upload, walks.
template <class Real, int Dim>
class HostTreeSolver : public CudaSolver<Real> {
 public:
  bool is_called_each_step() const final { return true; }
  void evaluate(const DeviceBodies<Real>& bodies, const Params& params, bool with_potential,
                StageEvents& events) final {
    if (bodies.count == 0) return;
    const Vec4<Real>* position = host_positions(bodies, position_buffer(events), events);
    StageTimings host;
    tree_.build(position, static_cast<Real>(params.gravity), host);
    make_lists(host);
    events.add_host(host);
    upload(bodies, params, events);
    walk(bodies, params, with_potential, events);
    PERICENTER_CUDA_CHECK(
        cudaMemcpyAsync(host_work_.data(), work_.data(), sizeof(WorkCounts), cudaMemcpyDeviceToHost, events.stream()));
  }

  void tree_boxes(int first_level, int last_level, std::size_t limit, std::vector<TreeBox>& out) const final {
    tree_.builder().boxes(first_level, last_level, limit, out);
  }
  int tree_levels() const final { return tree_.builder().levels(); }
  WorkCounts work() const final { return *host_work_.data(); }

 protected:
  HostTreeSolver(const Config& config, std::size_t count) : tree_(config, count), work_(1), host_work_(1) {
    *host_work_.data() = {};
  }

  /// The counts on the device; enqueues setting them to 0.
  WorkCounts* cleared_work(cudaStream_t stream) {
    PERICENTER_CUDA_CHECK(cudaMemsetAsync(work_.data(), 0, sizeof(WorkCounts), stream));
    return work_.data();
  }

  /// Host memory for the positions, where they are not there already. Called first in each step.
  virtual Vec4<Real>* position_buffer(StageEvents& events) = 0;
  /// Writes the body lists in host memory after the tree is built.
  virtual void make_lists(StageTimings& timings) = 0;
  virtual void upload(const DeviceBodies<Real>& bodies, const Params& params, StageEvents& events) = 0;
  virtual void walk(const DeviceBodies<Real>& bodies, const Params& params, bool with_potential,
                    StageEvents& events) = 0;

  HostTree<Real, Dim> tree_;

 private:
  DeviceBuffer<WorkCounts> work_;
  PinnedBuffer<WorkCounts> host_work_;
};

}  // namespace pericenter
