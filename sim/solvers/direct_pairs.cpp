#include <algorithm>
#include <atomic>
#include <cmath>
#include <vector>

#include "sim/core/parallel.h"
#include "sim/solvers/cpu_solver.h"
#include "sim/solvers/solver_factory.h"

namespace pericenter {
namespace {

/// Two bodies with second < first.
struct Pair {
  std::size_t first, second;
};

/// Pair number `index` of the sequence (1, 0), (2, 0), (2, 1), (3, 0), ...
Pair pair_at(std::uint64_t index) {
  const auto pairs_before = [](std::uint64_t first) { return first * (first - 1) / 2; };
  auto first = static_cast<std::uint64_t>((1 + std::sqrt(1 + 8 * static_cast<double>(index))) / 2);
  // Corrects rounding of the square root.
  while (pairs_before(first) > index) --first;
  while (pairs_before(first + 1) <= index) ++first;
  return {first, index - pairs_before(first)};
}

template <class Real>
void add_atomically(Real& sum, Real x) {
  std::atomic_ref<Real>(sum).fetch_add(x, std::memory_order_relaxed);
}

/// Evaluates every pair once and adds to both bodies. Rounding depends on the order of the threads.
template <class Real, int Dim>
class DirectPairs final : public CpuSolver<Real, Dim> {
 public:
  void evaluate(BodyArrays<Real, Dim>& bodies, const Params& params, bool with_potential,
                CancellationToken& cancellation, StageTimings& timings) override {
    const StageClock clock(timings, Stage::direct);
    const std::size_t n = bodies.size();
    sources_.resize(n);
    for (std::size_t i = 0; i < n; ++i) sources_[i] = source_of(bodies, i, static_cast<Real>(params.gravity));
    for (auto& component : bodies.acceleration) std::fill(component.begin(), component.end(), Real(0));
    if (with_potential) std::fill(bodies.potential.begin(), bodies.potential.end(), Real(0));
    const Real softening = static_cast<Real>(params.softening);
    const std::uint64_t pairs = n > 1 ? std::uint64_t(n) * (n - 1) / 2 : 0;
    cancellation.begin(pairs);
    parallel_chunks(0, pairs, [&](std::size_t begin, std::size_t end) {
      cancellation.check();
      Pair pair = pair_at(begin);
      for (std::size_t k = begin; k < end; ++k) {
        add_pair(bodies, pair, softening * softening, with_potential);
        if (++pair.second == pair.first) pair = {pair.first + 1, 0};
      }
      cancellation.add(end - begin);
    });
    std::ranges::fill(bodies.interactions, static_cast<std::uint32_t>(n - 1));
    this->work_ = {.body_interactions = 2 * pairs};
  }

 private:
  void add_pair(BodyArrays<Real, Dim>& bodies, const Pair& pair, Real softening_squared, bool with_potential) const {
    const auto [i, j] = pair;
    const Source<Real, Dim>&a = sources_[i], &b = sources_[j];
    Real d[Dim], r2 = std::max(softening_squared, kTinySquare<Real>);
    for (int k = 0; k < Dim; ++k) {
      d[k] = b.position[k] - a.position[k];
      r2 += d[k] * d[k];
    }
    const Real inverse = 1 / std::sqrt(r2), inverse3 = inverse * inverse * inverse;
    for (int k = 0; k < Dim; ++k) {
      add_atomically(bodies.acceleration[k][i], b.mass * inverse3 * d[k]);
      add_atomically(bodies.acceleration[k][j], -a.mass * inverse3 * d[k]);
    }
    if (!with_potential || (softening_squared == 0 && r2 <= kTinySquare<Real>)) return;
    add_atomically(bodies.potential[i], -b.mass * inverse);
    add_atomically(bodies.potential[j], -a.mass * inverse);
  }

  std::vector<Source<Real, Dim>> sources_;
};

}  // namespace

extern const SolverFactory<CpuSolver> kDirectPairs = solver_factory<CpuSolver, DirectPairs>();

}  // namespace pericenter
