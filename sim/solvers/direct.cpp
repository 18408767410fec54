#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <limits>

#include "sim/solvers/cpu_solver.h"
#include "sim/solvers/solver_factory.h"

namespace pericenter {
namespace {

/// Work of one task.
struct Blocking {
  std::size_t targets;  ///< at most kMaxTargets
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
        blocking_(config.solver == "direct-tiled" ? kTiles<Real, Dim> : kOneList) {}

  void evaluate(BodyArrays<Real, Dim>& bodies, const Params& params, bool with_potential,
                CancellationToken& cancellation, StageTimings& timings) override {
    const StageClock clock(timings, Stage::direct);
    copy_sources(bodies, static_cast<Real>(params.gravity));
    const std::size_t n = bodies.size(), block = blocking_.targets;
    const Real softening = static_cast<Real>(params.softening);
    tbb::parallel_for(std::size_t(0), (n + block - 1) / block, [&](std::size_t i) {
      cancellation.check();
      const Targets targets{i * block, std::min(block, n - i * block)};
      evaluate_targets(bodies, targets, softening, with_potential);
      cancellation.add(targets.count);
    });
    std::ranges::fill(bodies.interactions, static_cast<std::uint32_t>(n));
    this->work_ = {.body_interactions = std::uint64_t(n) * n};
  }

 private:
  struct Targets {
    std::size_t first, count;
  };

  void copy_sources(const BodyArrays<Real, Dim>& bodies, Real gravity) {
    const std::size_t n = bodies.size();
    // Zero masses pad the last tile of sources and the last block of targets.
    const std::size_t padded_count = padded(n, std::max(kTargetPadding, kSourcePadding));
    for (auto& component : position_) component.assign(padded_count, Real(0));
    mass_.assign(padded_count, Real(0));
    for (std::size_t i = 0; i < n; ++i) {
      const Source<Real, Dim> source = source_of(bodies, i, gravity);
      for (int k = 0; k < Dim; ++k) position_[k][i] = source.position[k];
      mass_[i] = source.mass;
    }
  }

  void evaluate_targets(BodyArrays<Real, Dim>& bodies, const Targets& block, Real softening,
                        bool with_potential) const {
    Real sums[Dim + 1][kMaxTargets] = {};
    TargetBlock<Real, Dim> targets{{}, {}, sums[Dim], padded(block.count, kTargetPadding)};
    for (int k = 0; k < Dim; ++k) {
      targets.position[k] = position_[k].data() + block.first;
      targets.acceleration[k] = sums[k];
    }
    for (std::size_t first = 0; first < mass_.size();) {
      const std::size_t count = std::min(blocking_.tile, mass_.size() - first);
      PointList<Real, Dim> sources{{}, mass_.data() + first, count};
      for (int k = 0; k < Dim; ++k) sources.position[k] = position_[k].data() + first;
      kernels_.points(sources, targets, softening * softening);
      if (with_potential) kernels_.point_potentials(sources, targets, softening * softening);
      first += count;
    }
    for (int k = 0; k < Dim; ++k) std::copy_n(sums[k], block.count, bodies.acceleration[k].begin() + block.first);
    if (!with_potential) return;
    for (std::size_t i = 0; i < block.count; ++i) {
      bodies.potential[block.first + i] = sums[Dim][i] - self_potential(mass_[block.first + i], softening);
    }
  }

  const PairKernels<Real, Dim>& kernels_;
  const Blocking blocking_;
  std::array<std::vector<Real>, Dim> position_;
  std::vector<Real> mass_;
};

}  // namespace

extern const SolverFactory<CpuSolver> kDirect = solver_factory<CpuSolver, Direct>();

}  // namespace pericenter
