#include "sim/solvers/suitable_solver.h"

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_reduce.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace pericenter {
namespace {

/// Bodies from which on fmm is the faster one.
constexpr std::size_t many(Backend backend) {
  return backend == Backend::cuda ? 100'000 : 30'000;
}

/// Part of all mass from which on a body's field is what the others move in. The octree has it to the last digits,
/// since its cell is as good as the body itself; fmm expands it about other cells.
constexpr double kHeavy = 0.05;

struct Masses {
  double sum = 0, largest = 0;
};

bool have_a_heavy_one(const Bodies& bodies) {
  const auto add = [&](const tbb::blocked_range<std::size_t>& range, Masses masses) {
    for (std::size_t i = range.begin(); i < range.end(); ++i) {
      const double mass = std::abs(bodies[i].mass);
      masses.sum += mass;
      masses.largest = std::max(masses.largest, mass);
    }
    return masses;
  };
  const auto join = [](const Masses& a, const Masses& b) {
    return Masses{a.sum + b.sum, std::max(a.largest, b.largest)};
  };
  const Masses masses = tbb::parallel_reduce(tbb::blocked_range<std::size_t>(0, bodies.size()), Masses(), add, join);
  return masses.largest > kHeavy * masses.sum;
}

}  // namespace

Config with_suitable_solver(Config config, const Bodies& bodies) {
  const Config standard;
  const bool free = config.switches == standard.switches && config.multipole == standard.multipole;
  const bool fmm = free && bodies.size() >= many(config.backend) && !have_a_heavy_one(bodies);
  config.solver = fmm ? "fmm" : standard.solver;
  return config;
}

}  // namespace pericenter
