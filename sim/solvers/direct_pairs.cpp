#include <algorithm>
#include <atomic>
#include <cmath>
#include <vector>

#include "sim/core/stage_clock.h"
#include "sim/solvers/cpu_solver.h"
#include "sim/solvers/parallel_loops.h"
#include "sim/solvers/registry.h"
#include "sim/solvers/solver_factory.h"

namespace pericenter {
namespace {

/// Two bodies.
struct Pair {
  std::size_t first, second;
};

/// Pair number `index` of the sequence (1, 0), (2, 0), (2, 1), (3, 0), ...
Pair half_pair(std::uint64_t index) {
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

/// One task per pair, with atomic additions. Rounding depends on the order of the threads.
template <class Real, int Dim>
class DirectPairs final : public CpuSolver<Real, Dim> {
 public:
  explicit DirectPairs(const Config& config)
      : tasks_(option_value<PairTasks>(config)), parallel_(parallel_loops(config)) {}

  void evaluate(BodyArrays<Real, Dim>& bodies, const Params& params, bool with_potential,
                CancellationToken& cancellation, StageTimings& timings) override {
    const StageClock clock(timings, Stage::direct);
    const std::size_t n = bodies.size();
    sources_.resize(n);
    for (std::size_t i = 0; i < n; ++i) sources_[i] = source_of(bodies, i, static_cast<Real>(params.gravity));
    for (auto& component : bodies.acceleration) std::fill(component.begin(), component.end(), Real(0));
    if (with_potential) std::fill(bodies.potential.begin(), bodies.potential.end(), Real(0));
    const Real softening = static_cast<Real>(params.softening);
    const std::uint64_t interactions = n > 0 ? std::uint64_t(n) * (n - 1) : 0;
    const bool half = tasks_ == PairTasks::half;
    const std::uint64_t pairs = half ? interactions / 2 : std::uint64_t(n) * n;
    cancellation.begin(pairs);
    // As published, par: the tasks contend for the same sums.
    parallel_chunks(parallel_, Tasks::coupled, 0, pairs, [&](std::size_t begin, std::size_t end) {
      cancellation.check();
      half ? add_half_pairs(bodies, {begin, end}, softening * softening, with_potential)
           : add_ordered_pairs(bodies, {begin, end}, softening * softening, with_potential);
      cancellation.add(end - begin);
    });
    std::ranges::fill(bodies.interactions, static_cast<std::uint32_t>(n - 1));
    this->work_ = {.body_interactions = interactions};
  }

 private:
  struct PairRange {
    std::uint64_t begin, end;
  };
  /// The terms of a pair, for unit masses; `d` points from the first body to the second.
  struct Terms {
    Real d[Dim], inverse, inverse3;
    bool apart;  ///< the pair has a potential
  };

  void add_half_pairs(BodyArrays<Real, Dim>& bodies, PairRange range, Real softening_squared,
                      bool with_potential) const {
    Pair pair = half_pair(range.begin);
    for (std::uint64_t k = range.begin; k < range.end; ++k) {
      const Terms terms = terms_of(pair, softening_squared);
      add(bodies, pair, terms, Real(1), with_potential);
      add(bodies, {pair.second, pair.first}, terms, Real(-1), with_potential);
      if (++pair.second == pair.first) pair = {pair.first + 1, 0};
    }
  }

  /// Pair p acts on body p mod n only (all-pairs-col of Cassell et al. 2024, doi:10.1109/SCW63240.2024.00099).
  void add_ordered_pairs(BodyArrays<Real, Dim>& bodies, PairRange range, Real softening_squared,
                         bool with_potential) const {
    const std::size_t n = sources_.size();
    Pair pair{range.begin % n, range.begin / n};
    for (std::uint64_t k = range.begin; k < range.end; ++k) {
      if (pair.first != pair.second) {
        add(bodies, pair, terms_of(pair, softening_squared), Real(1), with_potential);
      }
      if (++pair.first == n) pair = {0, pair.second + 1};
    }
  }

  Terms terms_of(const Pair& pair, Real softening_squared) const {
    const Source<Real, Dim>&a = sources_[pair.first], &b = sources_[pair.second];
    Terms terms;
    Real r2 = std::max(softening_squared, kTinySquare<Real>);
    for (int k = 0; k < Dim; ++k) {
      terms.d[k] = b.position[k] - a.position[k];
      r2 += terms.d[k] * terms.d[k];
    }
    terms.inverse = 1 / std::sqrt(r2);
    terms.inverse3 = terms.inverse * terms.inverse * terms.inverse;
    terms.apart = softening_squared > 0 || r2 > kTinySquare<Real>;
    return terms;
  }

  /// Adds the force of the second body to the first; `sign` is that of Terms::d.
  void add(BodyArrays<Real, Dim>& bodies, const Pair& pair, const Terms& terms, Real sign, bool with_potential) const {
    const auto [i, j] = pair;
    const Real mass = sources_[j].mass;
    for (int k = 0; k < Dim; ++k) {
      add_atomically(bodies.acceleration[k][i], sign * mass * terms.inverse3 * terms.d[k]);
    }
    if (with_potential && terms.apart) add_atomically(bodies.potential[i], -mass * terms.inverse);
  }

  const PairTasks tasks_;
  const Parallel parallel_;
  std::vector<Source<Real, Dim>> sources_;
};

}  // namespace

extern const SolverFactory<CpuSolver> kDirectPairs = solver_factory<CpuSolver, DirectPairs>();

}  // namespace pericenter
