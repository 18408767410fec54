#pragma once

#include <algorithm>
#include <vector>

#include "sim/cuda/runtime/device_buffer.cuh"
#include "sim/cuda/tree/builder_links.cuh"
#include "sim/cuda/tree/builder_links_walk.cuh"

namespace pericenter {

/// What a tree with Links::own needs of the configuration.
struct BuilderLinkOptions {
  explicit BuilderLinkOptions(const Config& config)
      : quadrupoles(config.multipole == Multipole::quadrupole),
        by_cell(has_option(config, SolverOption::cell_size) && option_value<CellSize>(config) == CellSize::cell),
        order(option_value<Order>(config)) {}

  bool quadrupoles;
  bool by_cell;  ///< theta is compared with the side of the cell
  Order order;
};

/// Walks on the links of `Tree`, which cuts its arrays from one block of memory: Tree(block, options, count) with
/// `bytes`, build(), links(), nodes(), status(), walk_order(), levels() and append_boxes().
template <class Tree, class Real>
class BuilderLinkSolver final : public CudaSolver<Real> {
 public:
  BuilderLinkSolver(const Config& config, std::size_t count)
      : grid_{std::min(8 * multiprocessors(), Grid::kMaxBlocks)},
        block_(bytes(config, count)),
        tree_(block_.data(), BuilderLinkOptions(config), count),
        status_(1) {
    *status_.data() = {};
  }

  static std::size_t bytes(const Config& config, std::size_t count) {
    return Tree(nullptr, BuilderLinkOptions(config), count).bytes;
  }
  static std::unique_ptr<CudaSolver<Real>> make(const Config& config, std::size_t count) {
    return std::make_unique<BuilderLinkSolver>(config, count);
  }

  void evaluate(const DeviceBodies<Real>& bodies, const Params& params, bool with_potential,
                StageEvents& events) override {
    if (bodies.count == 0) return;
    tree_.build(bodies, params, grid_, events);
    const BuilderLinkTask<Real> task{tree_.nodes(), {bodies, tree_.walk_order(), params, &tree_.status()->work}};
    enqueue_builder_link_walk(task, tree_.links(bodies, task.targets.gravity), with_potential, events);
    PERICENTER_CUDA_CHECK(
        cudaMemcpyAsync(status_.data(), tree_.status(), sizeof(TreeStatus), cudaMemcpyDeviceToHost, events.stream()));
  }

  void tree_boxes(int first_level, int last_level, std::size_t limit, std::vector<TreeBox>& out) const override {
    tree_.append_boxes(status(), {first_level, std::min(last_level, tree_levels() - 1), limit}, out);
  }
  int tree_levels() const override { return tree_.levels(status()); }
  WorkCounts work() const override { return status().work; }

 private:
  const TreeStatus& status() const { return *status_.data(); }

  const Grid grid_;
  DeviceBuffer<std::byte> block_;
  Tree tree_;
  PinnedBuffer<TreeStatus> status_;  ///< status of the last evaluate()
};

}  // namespace pericenter
