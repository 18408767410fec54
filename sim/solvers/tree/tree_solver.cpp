#include <oneapi/tbb/enumerable_thread_specific.h>

#include <memory>
#include <span>

#include "sim/core/stage_clock.h"
#include "sim/solvers/cpu_solver.h"
#include "sim/solvers/parallel_loops.h"
#include "sim/solvers/registry.h"
#include "sim/solvers/tree/body_walk.h"
#include "sim/solvers/tree/group_walk.h"
#include "sim/solvers/tree/tree_builder.h"

namespace pericenter {
namespace {

/// Combines a tree builder, a walk and a walk order.
template <class Real, int Dim>
class TreeSolver final : public CpuSolver<Real, Dim> {
 public:
  explicit TreeSolver(const Config& config)
      : kernels_(pair_kernels<Real, Dim>(config.simd)),
        builder_(make_tree_builder<Real, Dim>(config)),
        multipole_(find_solver(config.solver)->quadrupoles ? config.multipole : Multipole::monopole),
        walk_(option_value<Walk>(config)),
        leaf_points_(has_leaf_points(config)),
        parallel_(parallel_loops(config)),
        order_(has_option(config, SolverOption::order) ? option_value<Order>(config) : Order::tree) {}

  void evaluate(BodyArrays<Real, Dim>& bodies, const Params& params, bool with_potential,
                CancellationToken& cancellation, StageTimings& timings) override {
    builder_->build(bodies, static_cast<Real>(params.gravity), timings);
    const TreeView<Real, Dim> tree = builder_->view();
    const WalkSettings settings{params.theta, params.softening, multipole_, with_potential, leaf_points_};
    this->work_ = walk_ == Walk::group ? walk_groups(tree, settings, bodies, cancellation, timings)
                                       : walk_bodies(tree, settings, bodies, cancellation, timings);
  }

  void tree_boxes(int first_level, int last_level, std::size_t limit, std::vector<TreeBox>& out) const override {
    builder_->boxes(first_level, last_level, limit, out);
  }
  int tree_levels() const override { return builder_->levels(); }

 private:
  WorkCounts walk_groups(const TreeView<Real, Dim>& tree, const WalkSettings& settings, BodyArrays<Real, Dim>& bodies,
                         CancellationToken& cancellation, StageTimings& timings) const {
    const StageClock clock(timings, Stage::walk);
    const std::vector<BodyGroup<Real, Dim>> groups = make_groups(tree, kGroupSize);
    struct Worker {
      GroupWalk<Real, Dim> walk;
      WorkCounts work;
    };
    // Pointers, because oneTBB sets the memory of each element to 0, twice: half the time of a step of few bodies.
    tbb::enumerable_thread_specific<std::unique_ptr<Worker>> workers([&] {
      return std::unique_ptr<Worker>(new Worker{GroupWalk<Real, Dim>(tree, kernels_, settings), {}});
    });
    // Coupled: the lists and counts of a thread would serve two interleaved groups.
    parallel_for(parallel_, Tasks::coupled, groups.size(), [&](std::size_t g) {
      cancellation.check();
      Worker& worker = *workers.local();
      const WorkCounts work = worker.walk.run(groups[g]);
      worker.work += work;
      store(worker.walk, groups[g], settings.with_potential, bodies);
      if (!bodies.interactions.empty()) count(work, groups[g], bodies);
      cancellation.add(groups[g].end - groups[g].begin);
    });
    WorkCounts all;
    for (const std::unique_ptr<Worker>& worker : workers) all += worker->work;
    return all;
  }

  void store(const GroupWalk<Real, Dim>& walk, const BodyGroup<Real, Dim>& group, bool with_potential,
             BodyArrays<Real, Dim>& bodies) const {
    for (std::uint32_t i = group.begin; i < group.end; ++i) {
      const std::uint32_t body = builder_->original(i);
      for (int k = 0; k < Dim; ++k) bodies.acceleration[k][body] = walk.acceleration(k, i - group.begin);
      if (with_potential) bodies.potential[body] = walk.potential(i - group.begin);
    }
  }

  /// Assigns the interactions of a group to each of its bodies.
  void count(const WorkCounts& work, const BodyGroup<Real, Dim>& group, BodyArrays<Real, Dim>& bodies) const {
    const auto of_each = static_cast<std::uint32_t>(work.interactions() / (group.end - group.begin));
    for (std::uint32_t i = group.begin; i < group.end; ++i) bodies.interactions[builder_->original(i)] = of_each;
  }

  WorkCounts walk_bodies(const TreeView<Real, Dim>& tree, const WalkSettings& settings, BodyArrays<Real, Dim>& bodies,
                         CancellationToken& cancellation, StageTimings& timings) const {
    std::vector<std::uint32_t> walks;
    if (order_ == Order::morton10) {
      const StageClock clock(timings, Stage::sort);
      walks = builder_->insertion_order();
    } else if (order_ != Order::tree) {
      const StageClock clock(timings, Stage::sort);
      std::vector<std::uint32_t> original(bodies.size());
      for (std::size_t i = 0; i < original.size(); ++i) original[i] = builder_->original(i);
      walks = walk_order(tree, original, order_);
    }
    const StageClock clock(timings, Stage::walk);
    const BodyWalk<Real, Dim> walk(tree, walk_, settings);
    constexpr std::size_t kWalksPerTask = 256;
    static_assert(kWalksPerTask % kVoters == 0);
    const std::size_t count = bodies.size(), together = walk_ == Walk::vote ? kVoters : 1;
    std::vector<WorkCounts> works((count + kWalksPerTask - 1) / kWalksPerTask);
    parallel_for(parallel_, Tasks::independent, works.size(), [&](std::size_t task) {
      WorkCounts work;
      const std::size_t first = task * kWalksPerTask, last = std::min(first + kWalksPerTask, count);
      for (std::size_t w = first; w < last; w += together) {
        cancellation.check();
        std::uint32_t places[kVoters];
        const std::size_t size = std::min(together, last - w);
        for (std::size_t k = 0; k < size; ++k) {
          places[k] = walks.empty() ? static_cast<std::uint32_t>(w + k) : walks[w + k];
        }
        work += walk_together(walk, {places, size}, settings.with_potential, bodies);
      }
      works[task] = work;
      cancellation.add(last - first);
    });
    WorkCounts all;
    for (const WorkCounts& work : works) all += work;
    return all;
  }

  /// The walk of one body or, with Walk::vote, of several.
  WorkCounts walk_together(const BodyWalk<Real, Dim>& walk, std::span<const std::uint32_t> places, bool with_potential,
                           BodyArrays<Real, Dim>& bodies) const {
    BodyForce<Real, Dim> forces[kVoters];
    WorkCounts work;
    if (walk_ == Walk::vote) {
      walk.run(places, forces, work);
    } else {
      forces[0] = walk.run(places[0], work);
    }
    const auto of_each = static_cast<std::uint32_t>(work.interactions() / places.size());
    for (std::size_t i = 0; i < places.size(); ++i) {
      const std::uint32_t body = builder_->original(places[i]);
      for (int k = 0; k < Dim; ++k) bodies.acceleration[k][body] = forces[i].acceleration[k];
      if (with_potential) bodies.potential[body] = forces[i].potential;
      if (!bodies.interactions.empty()) bodies.interactions[body] = of_each;
    }
    return work;
  }

  const PairKernels<Real, Dim>& kernels_;
  const std::unique_ptr<TreeBuilder<Real, Dim>> builder_;
  const Multipole multipole_;
  const Walk walk_;
  const bool leaf_points_;
  const Parallel parallel_;
  const Order order_;
};

}  // namespace

extern const SolverFactory<CpuSolver> kTreeSolver = solver_factory<CpuSolver, TreeSolver>();

}  // namespace pericenter
