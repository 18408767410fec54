#include <oneapi/tbb/enumerable_thread_specific.h>
#include <oneapi/tbb/parallel_for.h>

#include <deque>
#include <span>
#include <vector>

#include "sim/core/parallel.h"
#include "sim/core/stage_clock.h"
#include "sim/solvers/cpu_solver.h"
#include "sim/solvers/fmm/cell_walk.h"
#include "sim/solvers/fmm/near_field.h"
#include "sim/solvers/fmm/select_criterion.h"
#include "sim/solvers/registry.h"
#include "sim/solvers/tree/tree_builder.h"

namespace pericenter {
namespace {

/// Shared read-only data of one evaluation.
template <class Real, int Dim>
struct FmmTask {
  const TreeView<Real, Dim> tree;
  const CellTree<Real, Dim>& cells;
  const ExpansionKernels<Real, Dim>& far;
  const PairKernels<Real, Dim>& near;
  const CellFilter<Real, Dim> filter;
  const CellCriterion<Real> rule;  ///< units: CellUnits
  const Real softening;            ///< scene units
  const bool with_potential;
  CancellationToken& cancellation;
};

/// Per-thread worker: evaluates subtrees of targets from their root to their leaves.
template <class Real, int Dim>
class FmmWorker {
 public:
  /// Sets `results` (acceleration and potential) and `interactions` (none if empty), in input order.
  FmmWorker(const FmmTask<Real, Dim>& task, const TreeBuilder<Real, Dim>& builder,
            std::span<BodyRecord<Real, Dim>> results, std::span<std::uint32_t> interactions)
      : task_(task),
        builder_(builder),
        results_(results),
        interactions_(interactions),
        walk_(task.cells, task.filter, task.rule),
        near_(task.tree, task.near, task.softening * task.softening, task.with_potential) {}

  /// Sets `own` to the field and undecided cells of `cell` from those of its parent. `inherited`: the field of the
  /// parent about the centre of the cell.
  void resolve(std::uint32_t cell, const CellField<Real, Dim>& parent, const Real* inherited,
               CellField<Real, Dim>& own) {
    walk_.resolve(cell, parent.left.undecided(), own.left);
    own.locals.assign(inherited, inherited + task_.cells.locals());
    own.acted = parent.acted + walk_.acting_count();
    work_.cell_interactions += walk_.acting_count();
    const FarKernels<Real>& far = task_.far.far;
    add_fields(far.fields, far.field_potentials, walk_.accepted(), cell, own.locals);
    add_fields(far.harmonic_fields, far.harmonic_potentials, walk_.harmonic(), cell, own.locals);
    if (task_.cells.is_leaf(cell)) return;
    own.of_children.assign(task_.cells.child_count(cell) * own.locals.size(), Real(0));
    // Without interactions the field is 0, and the cell may be so large that powers of its size overflow.
    if (own.acted > 0) {
      task_.far.inherited_fields(task_.cells.family(cell), own.locals.data(), own.of_children.data());
      if (task_.with_potential) {
        task_.far.inherited_potentials(task_.cells.family(cell), own.locals.data(), own.of_children.data());
      }
    }
  }

  /// Evaluates the subtree of `cell`.
  void descend(std::uint32_t cell, const CellField<Real, Dim>& parent, const Real* inherited, std::size_t depth = 0) {
    if (depth == fields_.size()) fields_.emplace_back();
    CellField<Real, Dim>& own = fields_[depth];
    resolve(cell, parent, inherited, own);
    task_.cancellation.check();
    if (task_.cells.is_leaf(cell)) return finish(cell, own);
    for (std::uint32_t k = 0; k < task_.cells.child_count(cell); ++k) {
      descend(task_.cells.first_child(cell) + k, own, own.of_child(k), depth + 1);
    }
  }

  WorkCounts work() const {
    WorkCounts work = work_;
    work.node_visits = walk_.visits();
    return work;
  }

 private:
  void add_fields(FarKernel<Real> fields, FarKernel<Real> potentials, const ActingCells& acting, std::uint32_t cell,
                  std::vector<Real>& locals) {
    if (acting.count == 0) return;
    const FarSources<Real> sources = task_.cells.sources(acting.cell.data(), acting.count);
    const Real* const center = task_.cells.center(cell);
    fields(sources, center, task_.rule.softening_squared, locals.data());
    if (task_.with_potential) potentials(sources, center, task_.rule.softening_squared, locals.data());
  }

  /// Evaluates the bodies of the leaf that was resolved last.
  void finish(std::uint32_t leaf, const CellField<Real, Dim>& field) {
    const CellBodies& targets = task_.cells.bodies(leaf);
    near_.set_targets(targets);
    const UndecidedCells<Real, Dim>& sources = field.left.undecided();
    constexpr std::size_t kAhead = 3;
    for (std::size_t i = 0; i < sources.count; ++i) {
      // One at a time, because a burst of them would delay the loads of the sources.
      if (i < targets.count) prefetch_result(targets.begin + i);
      if (i + kAhead < sources.count) near_.prefetch(task_.cells.bodies(sources.cell[i + kAhead]));
      near_.add_sources(task_.cells.bodies(sources.cell[i]));
    }
    for (const std::uint32_t cell : walk_.small()) near_.add_sources(task_.cells.bodies(cell));
    near_.flush();
    work_.body_interactions += near_.sources() * targets.count;
    const Real* const center = task_.cells.center(leaf);
    if (field.acted > 0) {
      task_.far.accelerations(field.locals.data(), center, task_.cells.units(), near_.targets());
      if (task_.with_potential) task_.far.potentials(field.locals.data(), center, task_.cells.units(), near_.targets());
    }
    for (std::uint32_t i = 0; i < targets.count; ++i) store(targets.begin + i, i, field.acted + near_.sources());
    task_.cancellation.add(targets.count);
  }

  /// Prefetches a result, because the stores are scattered.
  void prefetch_result(std::size_t place) const { __builtin_prefetch(&results_[builder_.original(place)], 1); }

  void store(std::uint32_t place, std::size_t result, std::uint64_t interactions) {
    const std::uint32_t body = builder_.original(place);
    for (int k = 0; k < Dim; ++k) results_[body].vector[k] = near_.acceleration(k, result);
    if (task_.with_potential) {
      results_[body].number = near_.potential(result) - self_potential(task_.tree.mass[place], task_.softening);
    }
    if (!interactions_.empty()) interactions_[body] = static_cast<std::uint32_t>(interactions);
  }

  const FmmTask<Real, Dim>& task_;
  const TreeBuilder<Real, Dim>& builder_;
  const std::span<BodyRecord<Real, Dim>> results_;
  const std::span<std::uint32_t> interactions_;
  CellWalk<Real, Dim> walk_;
  NearField<Real, Dim> near_;
  WorkCounts work_;
  std::deque<CellField<Real, Dim>> fields_;  ///< fields of the target and its ancestors
};

/// Fast multipole method on an octree (Greengard and Rokhlin 1987, doi:10.1016/0021-9991(87)90140-9), adaptive as
/// in Dehnen 2002 (doi:10.1006/jcph.2002.7026), but one-sided: tasks write to separate targets, so the result does not
/// depend on the number of threads.
template <class Real, int Dim>
class Fmm final : public CpuSolver<Real, Dim> {
 public:
  explicit Fmm(const Config& config)
      : config_(config),
        builder_(make_tree_builder<Real, Dim>(config)),
        far_(
            expansion_kernels<Real, Dim>(config.simd, static_cast<int>(value_number(config, SolverOption::expansion)))),
        near_(pair_kernels<Real, Dim>(config.simd)),
        filter_(cell_filter<Real, Dim>(config.simd)) {}

  void evaluate(BodyArrays<Real, Dim>& bodies, const Params& params, bool with_potential,
                CancellationToken& cancellation, StageTimings& timings) override {
    builder_->build(bodies, static_cast<Real>(params.gravity), timings);
    const TreeView<Real, Dim> tree = builder_->view();
    this->work_ = {};
    if (tree.nodes.empty()) return;
    const auto units =
        CellUnits<Real>::of(builder_->cube().side, params.softening, static_cast<double>(tree.moments[0].mass));
    const Real softening = static_cast<Real>(params.softening);
    const CellCriterion<Real> rule = cell_criterion(config_, params, softening * units.length);
    {
      const StageClock clock(timings, Stage::moments);
      cells_.make(tree, far_, units, rule.by_error() ? no_weights<Real> : cpu_weights<Real>);
      if (rule.by_error()) cells_.estimate_accelerations(tree, rule.softening_squared);
    }
    const StageClock clock(timings, Stage::walk);
    const FmmTask<Real, Dim> task{tree, cells_, far_, near_, filter_, rule, softening, with_potential, cancellation};
    const std::span<BodyRecord<Real, Dim>> results = builder_->records();
    Workers workers([&] { return FmmWorker<Real, Dim>(task, *builder_, results, bodies.interactions); });
    CellField<Real, Dim> outside;
    outside.left.push(0, cells_.row());
    const std::vector<Real> no_field(static_cast<std::size_t>(cells_.locals()));
    descend(0, outside, no_field.data(), workers);
    for (const FmmWorker<Real, Dim>& worker : workers) this->work_ += worker.work();
    parallel_chunks(0, bodies.size(), [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) {
        for (int k = 0; k < Dim; ++k) bodies.acceleration[k][i] = results[i].vector[k];
        if (with_potential) bodies.potential[i] = results[i].number;
      }
    });
  }

  void tree_boxes(int first_level, int last_level, std::size_t limit, std::vector<TreeBox>& out) const override {
    builder_->boxes(first_level, last_level, limit, out);
  }
  int tree_levels() const override { return builder_->levels(); }

 private:
  using Workers = tbb::enumerable_thread_specific<FmmWorker<Real, Dim>>;

  /// The children of cells with many bodies become separate tasks.
  void descend(std::uint32_t cell, const CellField<Real, Dim>& parent, const Real* inherited, Workers& workers) {
    if (cells_.bodies(cell).count <= kBodiesPerTask || cells_.is_leaf(cell)) {
      return workers.local().descend(cell, parent, inherited);
    }
    CellField<Real, Dim> own;
    workers.local().resolve(cell, parent, inherited, own);
    tbb::parallel_for(std::uint32_t(0), cells_.child_count(cell),
                      [&](std::uint32_t k) { descend(cells_.first_child(cell) + k, own, own.of_child(k), workers); });
  }

  static constexpr std::uint32_t kBodiesPerTask = 4096;

  const Config config_;
  const std::unique_ptr<TreeBuilder<Real, Dim>> builder_;
  const ExpansionKernels<Real, Dim>& far_;
  const PairKernels<Real, Dim>& near_;
  const CellFilter<Real, Dim> filter_;
  CellTree<Real, Dim> cells_;
};

}  // namespace

extern const SolverFactory<CpuSolver> kFmm = solver_factory<CpuSolver, Fmm>();

}  // namespace pericenter
