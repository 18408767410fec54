#include "sim/solvers/suitable_solver.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "sim/parallel.h"

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
  std::vector<Masses> parts(chunk_count(bodies.size()));
  parallel_chunks(0, bodies.size(), [&](std::size_t first, std::size_t last) {
    Masses& part = parts[first / kChunk];
    for (std::size_t i = first; i < last; ++i) {
      const double mass = std::abs(bodies[i].mass);
      part.sum += mass;
      part.largest = std::max(part.largest, mass);
    }
  });
  Masses all;
  for (const Masses& part : parts) all = {all.sum + part.sum, std::max(all.largest, part.largest)};
  return all.largest > kHeavy * all.sum;
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
