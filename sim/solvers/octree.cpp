#include <oneapi/tbb/enumerable_thread_specific.h>
#include <oneapi/tbb/parallel_for.h>

#include "sim/solvers/cpu_solver.h"
#include "sim/solvers/group_walk.h"
#include "sim/solvers/octree_builder.h"

namespace pericenter {
namespace {

template <class Real, int Dim>
class Octree final : public CpuSolver<Real, Dim> {
 public:
  explicit Octree(const Config& config)
      : kernels_(pair_kernels<Real, Dim>(config.simd)), multipole_(config.multipole), builder_(kLeafSize) {}

  void evaluate(BodyArrays<Real, Dim>& bodies, const Params& params, bool with_potential,
                StageTimings& timings) override {
    builder_.build(bodies, static_cast<Real>(params.gravity), timings);
    const StageClock clock(timings, Stage::walk);
    const TreeView<Real, Dim> tree = builder_.view();
    const WalkSettings settings{params.theta, params.softening, multipole_, with_potential};
    const std::vector<BodyGroup<Real, Dim>> groups = make_groups(tree, kGroupSize);
    struct Worker {
      GroupWalk<Real, Dim> walk;
      WalkCounts counts;
    };
    tbb::enumerable_thread_specific<Worker> workers([&] {
      return Worker{GroupWalk<Real, Dim>(tree, kernels_, settings), {}};
    });
    tbb::parallel_for(std::size_t(0), groups.size(), [&](std::size_t g) {
      Worker& worker = workers.local();
      const WalkCounts counts = worker.walk.run(groups[g]);
      worker.counts.body_interactions += counts.body_interactions;
      worker.counts.cell_interactions += counts.cell_interactions;
      store(worker.walk, groups[g], with_potential, bodies);
    });
    this->body_interactions_ = this->cell_interactions_ = 0;
    for (const Worker& worker : workers) {
      this->body_interactions_ += worker.counts.body_interactions;
      this->cell_interactions_ += worker.counts.cell_interactions;
    }
  }

  void tree_boxes(int first_level, int last_level, std::size_t limit, std::vector<TreeBox>& out) const override {
    builder_.boxes(first_level, last_level, limit, out);
  }
  int tree_levels() const override { return builder_.levels(); }

 private:
  void store(const GroupWalk<Real, Dim>& walk, const BodyGroup<Real, Dim>& group, bool with_potential,
             BodyArrays<Real, Dim>& bodies) const {
    for (std::uint32_t i = group.begin; i < group.end; ++i) {
      const std::uint32_t body = builder_.original(i);
      for (int k = 0; k < Dim; ++k) bodies.acceleration[k][body] = walk.acceleration(k, i - group.begin);
      if (with_potential) bodies.potential[body] = walk.potential(i - group.begin);
    }
  }

  const PairKernels<Real, Dim>& kernels_;
  const Multipole multipole_;
  OctreeBuilder<Real, Dim> builder_;
};

}  // namespace

template <class Real, int Dim>
std::unique_ptr<CpuSolver<Real, Dim>> make_octree(const Config& config) {
  return std::make_unique<Octree<Real, Dim>>(config);
}
template std::unique_ptr<CpuSolver<float, 2>> make_octree(const Config&);
template std::unique_ptr<CpuSolver<float, 3>> make_octree(const Config&);
template std::unique_ptr<CpuSolver<double, 2>> make_octree(const Config&);
template std::unique_ptr<CpuSolver<double, 3>> make_octree(const Config&);

}  // namespace pericenter
