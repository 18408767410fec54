#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <array>

#include "sim/solvers/cpu_solver.h"

namespace pericenter {
namespace {

/// Targets of one task, and sources that stay in the first-level cache while all of them pass by.
constexpr std::size_t kTargets = 64;
constexpr std::size_t kTile = 1024;
static_assert(kTargets % kTargetPadding == 0 && kTile % kSourcePadding == 0);

template <class Real, int Dim>
class Direct final : public CpuSolver<Real, Dim> {
 public:
  explicit Direct(Simd simd) : kernels_(pair_kernels<Real, Dim>(simd)) {}

  void evaluate(BodyArrays<Real, Dim>& bodies, const Params& params, bool with_potential,
                StageTimings& timings) override {
    const StageClock clock(timings, Stage::direct);
    copy_sources(bodies, static_cast<Real>(params.gravity));
    const std::size_t n = bodies.size();
    const Real softening = static_cast<Real>(params.softening);
    tbb::parallel_for(std::size_t(0), (n + kTargets - 1) / kTargets, [&](std::size_t block) {
      evaluate_targets(bodies, block * kTargets, std::min(kTargets, n - block * kTargets), softening, with_potential);
    });
    this->body_interactions_ = std::uint64_t(n) * n;
  }

 private:
  void copy_sources(const BodyArrays<Real, Dim>& bodies, Real gravity) {
    const std::size_t n = bodies.size();
    // Zero masses fill up the last tile of sources and the last block of targets.
    const std::size_t room = padded(n, std::max(kTargets, kSourcePadding));
    for (auto& component : position_) component.assign(room, Real(0));
    mass_.assign(room, Real(0));
    for (std::size_t i = 0; i < n; ++i) {
      const Source<Real, Dim> source = source_of(bodies, i, gravity);
      for (int k = 0; k < Dim; ++k) position_[k][i] = source.position[k];
      mass_[i] = source.mass;
    }
  }

  void evaluate_targets(BodyArrays<Real, Dim>& bodies, std::size_t first, std::size_t count, Real softening,
                        bool with_potential) const {
    Real sums[Dim + 1][kTargets] = {};
    TargetBlock<Real, Dim> targets{{}, {}, sums[Dim], padded(count, kTargetPadding)};
    for (int k = 0; k < Dim; ++k) {
      targets.position[k] = position_[k].data() + first;
      targets.acceleration[k] = sums[k];
    }
    for (std::size_t tile = 0; tile < mass_.size(); tile += kTile) {
      PointList<Real, Dim> sources{{}, mass_.data() + tile, std::min(kTile, mass_.size() - tile)};
      for (int k = 0; k < Dim; ++k) sources.position[k] = position_[k].data() + tile;
      kernels_.points(sources, targets, softening * softening);
      if (with_potential) kernels_.point_potentials(sources, targets, softening * softening);
    }
    for (int k = 0; k < Dim; ++k) std::copy_n(sums[k], count, bodies.acceleration[k].begin() + first);
    if (!with_potential) return;
    for (std::size_t i = 0; i < count; ++i) {
      bodies.potential[first + i] = sums[Dim][i] - self_potential(mass_[first + i], softening);
    }
  }

  const PairKernels<Real, Dim>& kernels_;
  std::array<std::vector<Real>, Dim> position_;
  std::vector<Real> mass_;
};

}  // namespace

template <class Real, int Dim>
std::unique_ptr<CpuSolver<Real, Dim>> make_direct(const Config& config) {
  return std::make_unique<Direct<Real, Dim>>(config.simd);
}
template std::unique_ptr<CpuSolver<float, 2>> make_direct(const Config&);
template std::unique_ptr<CpuSolver<float, 3>> make_direct(const Config&);
template std::unique_ptr<CpuSolver<double, 2>> make_direct(const Config&);
template std::unique_ptr<CpuSolver<double, 3>> make_direct(const Config&);

}  // namespace pericenter
