#include <algorithm>
#include <array>
#include <limits>

#include "sim/core/stage_clock.h"
#include "sim/solvers/cpu_solver.h"
#include "sim/solvers/parallel_loops.h"
#include "sim/solvers/registry.h"
#include "sim/solvers/solver_factory.h"

namespace pericenter {
namespace {

/// Work of one task.
struct Blocking {
  std::size_t targets;  ///< kMaxTargets at most
  std::size_t tile;     ///< sources that all targets of the task process together
};
constexpr std::size_t kMaxTargets = 128;
constexpr Blocking kOneList = {64, std::numeric_limits<std::size_t>::max()};
/// A tile that stays in the L1 cache, and enough targets to amortise loading it.
template <class Real, int Dim>
constexpr Blocking kTiles = {kMaxTargets, (std::size_t(16) << 10) / (sizeof(Real) * (Dim + 1)) / 16 * 16};

template <class Real, int Dim>
class Direct final : public CpuSolver<Real, Dim> {
 public:
  explicit Direct(const Config& config)
      : kernels_(pair_kernels<Real, Dim>(config.simd)),
        blocking_(find_solver(config.solver)->tiled ? kTiles<Real, Dim> : kOneList),
        parallel_(parallel_loops(config)) {}

  void evaluate(BodyArrays<Real, Dim>& bodies, const Params& params, bool with_potential,
                CancellationToken& cancellation, StageTimings& timings) override {
    const StageClock clock(timings, Stage::direct);
    copy_bodies(bodies, static_cast<Real>(params.gravity));
    const std::size_t n = bodies.size(), block = blocking_.targets;
    const Real softening = static_cast<Real>(params.softening);
    parallel_for(parallel_, Tasks::independent, (n + block - 1) / block, [&](std::size_t i) {
      cancellation.check();
      const Targets targets{i * block, std::min(block, n - i * block)};
      evaluate_targets(bodies, targets, softening, with_potential);
      cancellation.add(targets.count);
    });
    std::ranges::fill(bodies.interactions, static_cast<std::uint32_t>(source_count_));
    this->work_ = {.body_interactions = std::uint64_t(n) * source_count_};
  }

 private:
  struct Targets {
    std::size_t first, count;
  };

  struct Points {
    std::array<std::vector<Real>, Dim> position;
    std::vector<Real> mass;

    void resize(std::size_t count) {
      for (auto& component : position) component.resize(count);
      mass.resize(count);
    }
    void set(std::size_t i, const Source<Real, Dim>& body) {
      for (int k = 0; k < Dim; ++k) position[k][i] = body.position[k];
      mass[i] = body.mass;
    }
  };

  void copy_bodies(const BodyArrays<Real, Dim>& bodies, Real gravity) {
    const std::size_t n = bodies.size();
    targets_.resize(n);
    sources_.resize(padded(n, kSourcePadding));
    source_count_ = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const Source<Real, Dim> body = source_of(bodies, i, gravity);
      targets_.set(i, body);
      // Bodies without mass exert no force.
      if (body.mass != 0) sources_.set(source_count_++, body);
    }
    // Zero masses pad the last tile.
    sources_.resize(padded(source_count_, kSourcePadding));
    for (std::size_t i = source_count_; i < sources_.mass.size(); ++i) sources_.set(i, {});
  }

  void evaluate_targets(BodyArrays<Real, Dim>& bodies, const Targets& block, Real softening,
                        bool with_potential) const {
    Real sums[Dim + 1][kMaxTargets] = {};
    TargetBlock<Real, Dim> targets{{}, {}, sums[Dim], block.count};
    for (int k = 0; k < Dim; ++k) {
      targets.position[k] = targets_.position[k].data() + block.first;
      targets.acceleration[k] = sums[k];
    }
    for (std::size_t first = 0; first < sources_.mass.size();) {
      const std::size_t count = std::min(blocking_.tile, sources_.mass.size() - first);
      PointList<Real, Dim> sources{{}, sources_.mass.data() + first, count};
      for (int k = 0; k < Dim; ++k) sources.position[k] = sources_.position[k].data() + first;
      kernels_.points(sources, targets, softening * softening);
      if (with_potential) kernels_.point_potentials(sources, targets, softening * softening);
      first += count;
    }
    for (int k = 0; k < Dim; ++k) std::copy_n(sums[k], block.count, bodies.acceleration[k].begin() + block.first);
    if (!with_potential) return;
    for (std::size_t i = 0; i < block.count; ++i) {
      bodies.potential[block.first + i] = sums[Dim][i] - self_potential(targets_.mass[block.first + i], softening);
    }
  }

  const PairKernels<Real, Dim>& kernels_;
  const Blocking blocking_;
  const Parallel parallel_;
  Points targets_, sources_;  ///< all bodies, and those with mass
  std::size_t source_count_ = 0;
};

}  // namespace

extern const SolverFactory<CpuSolver> kDirect = solver_factory<CpuSolver, Direct>();

}  // namespace pericenter
