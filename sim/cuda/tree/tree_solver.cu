#include <algorithm>

#include "sim/cuda/runtime/device_buffer.cuh"
#include "sim/cuda/simulation/cuda_solver.cuh"
#include "sim/cuda/tree/body_walk.cuh"
#include "sim/cuda/tree/device_tree.cuh"
#include "sim/cuda/tree/group_walk.cuh"
#include "sim/cuda/tree/tree_solver.cuh"
#include "sim/solvers/registry.h"

namespace pericenter {
namespace {

Grid whole_device() {
  return {std::min(8 * multiprocessors(), Grid::kMaxBlocks)};
}

/// Combines a builder, a walk and a walk order.
template <class Real, int Dim>
class CudaTreeSolver final : public CudaSolver<Real> {
 public:
  CudaTreeSolver(const DeviceBuild<Real, Dim>& build, const Config& config, std::size_t count)
      : build_(build),
        monopole_(config.multipole == Multipole::monopole),
        walk_(option_value<Walk>(config)),
        grid_(whole_device()),
        block_(TreeMemory<Real>(nullptr, count, build_.scratch_bytes(count)).bytes),
        memory_(block_.data(), count, build_.scratch_bytes(count)),
        walk_nodes_(walk_ == Walk::group ? 0 : max_nodes(count)),
        order_(option_value<Order>(config), count),
        status_(1) {
    memory_.tree.cell_size = cell_size(config);
    *status_.data() = {};
  }

  static std::size_t bytes(const DeviceBuild<Real, Dim>& build, const Config& config, std::size_t count) {
    const std::size_t scratch = build.scratch_bytes(count);
    const std::size_t nodes = option_value<Walk>(config) == Walk::group ? 0 : max_nodes(count);
    return TreeMemory<Real>(nullptr, count, scratch).bytes + nodes * sizeof(WalkNode<Real>) +
           WalkOrder<Real, Dim>::bytes(option_value<Order>(config), count);
  }

  void evaluate(const DeviceBodies<Real>& bodies, const Params& params, bool with_potential,
                StageEvents& events) override {
    if (bodies.count == 0) return;
    const Real gravity = static_cast<Real>(params.gravity);
    build_.enqueue(memory_, bodies, gravity, grid_, events);
    build_.moments(memory_.tree, bodies.count, grid_, events);
    walk_ == Walk::group ? walk_groups(bodies, params, with_potential, events)
                         : walk_bodies(bodies, params, with_potential, events);
    PERICENTER_CUDA_CHECK(cudaMemcpyAsync(status_.data(), memory_.tree.status, sizeof(TreeStatus),
                                          cudaMemcpyDeviceToHost, events.stream()));
  }

  void tree_boxes(int first_level, int last_level, std::size_t limit, std::vector<TreeBox>& out) const override {
    append_boxes<Real, Dim>(memory_.tree, status(), build_.has_cells, {first_level, last_level, limit}, out);
  }
  int tree_levels() const override { return status().levels; }
  WorkCounts work() const override { return status().work; }

 private:
  const TreeStatus& status() const { return *status_.data(); }

  void walk_groups(const DeviceBodies<Real>& bodies, const Params& params, bool with_potential, StageEvents& events) {
    enqueue_groups(memory_.tree, bodies.count, grid_, events);
    const GroupWalkTask<Real> task{memory_.tree,
                                   bodies.acceleration,
                                   bodies.interactions,
                                   static_cast<Real>(params.theta * params.theta),
                                   make_softening<Real>(params.softening),
                                   monopole_};
    group_walk_.enqueue(task, with_potential, events);
  }

  void walk_bodies(const DeviceBodies<Real>& bodies, const Params& params, bool with_potential, StageEvents& events) {
    const DeviceTree<Real>& tree = memory_.tree;
    enqueue_walk_nodes(tree, bodies.count, params.theta, walk_nodes_.data(), grid_, events);
    const BodyWalkTask<Real> task{walk_nodes_.data(),
                                  tree.body,
                                  tree.links,
                                  monopole_ ? nullptr : tree.moments,
                                  {bodies, order_.enqueue(memory_, bodies, grid_, events), params, &tree.status->work}};
    enqueue_body_walk(task, walk_, with_potential, events);
  }

  const DeviceBuild<Real, Dim> build_;
  const bool monopole_;
  const Walk walk_;
  const Grid grid_;
  const CudaGroupWalk<Real> group_walk_;
  DeviceBuffer<std::byte> block_;
  TreeMemory<Real> memory_;
  DeviceBuffer<WalkNode<Real>> walk_nodes_;
  const WalkOrder<Real, Dim> order_;
  PinnedBuffer<TreeStatus> status_;  ///< status of the last evaluate()
};

}  // namespace

template <class Real, int Dim>
std::size_t cuda_tree_solver_bytes(const DeviceBuild<Real, Dim>& build, const Config& config, std::size_t count) {
  return CudaTreeSolver<Real, Dim>::bytes(build, config, count);
}

template <class Real, int Dim>
std::unique_ptr<CudaSolver<Real>> make_cuda_tree_solver(const DeviceBuild<Real, Dim>& build, const Config& config,
                                                        std::size_t count) {
  return std::make_unique<CudaTreeSolver<Real, Dim>>(build, config, count);
}

#define PERICENTER_INSTANTIATE(Real, Dim)                                                                        \
  template std::size_t cuda_tree_solver_bytes(const DeviceBuild<Real, Dim>&, const Config&, std::size_t);        \
  template std::unique_ptr<CudaSolver<Real>> make_cuda_tree_solver(const DeviceBuild<Real, Dim>&, const Config&, \
                                                                   std::size_t);
PERICENTER_INSTANTIATE(float, 2)
PERICENTER_INSTANTIATE(float, 3)
PERICENTER_INSTANTIATE(double, 2)
PERICENTER_INSTANTIATE(double, 3)
#undef PERICENTER_INSTANTIATE

}  // namespace pericenter
