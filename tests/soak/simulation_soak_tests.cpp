#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iostream>

#include "sim/core/simulation.h"
#include "sim/scenes/registry.h"
#include "tests/soak/soak.h"

namespace pericenter {
namespace {

/// R1 of RELIABILITY.md: a long run of a Plummer sphere. Bounds are five times the measured values.
struct Soak {
  const char* solver;
  std::size_t bodies;
  int steps;
  double energy, momentum;  ///< maximum errors, relative to |E| at the start and of the sum of m v
};

void run(const Soak& soak) {
  const Params params{.dt = 1.0 / 128, .theta = 0.5, .softening = 0.05};
  const Scene scene = find_scene("plummer")->make({.bodies = soak.bodies});
  const auto simulation = Simulation::create({.solver = soak.solver}, scene.bodies);
  const Diagnostics start = simulation->diagnostics(params);
  double energy = 0, momentum = 0;
  for (int step = 1; step <= soak.steps; ++step) {
    const bool look = step % 500 == 0;
    simulation->step(params, look);
    if (!look) continue;
    const Diagnostics now = simulation->diagnostics(params);
    ASSERT_EQ(now.non_finite, 0u) << "after " << step << " steps";
    const double lost = std::abs(energy_error(start, now)), drift = length(now.momentum - start.momentum);
    ASSERT_TRUE(std::isfinite(lost) && std::isfinite(drift)) << "after " << step << " steps";
    energy = std::max(energy, lost);
    momentum = std::max(momentum, drift);
  }
  std::cout << soak.solver << ", " << soak.bodies << " bodies, " << soak.steps << " steps: energy to " << energy
            << ", momentum to " << momentum << '\n';
  EXPECT_LE(energy, soak.energy);
  EXPECT_LE(momentum, soak.momentum);
}

TEST(Soak, DirectConservesEnergyAndMomentum) {
  run(test::long_or_short<Soak>({"direct", 1000, 1'000'000, 1.9e-3, 1.2e-4}, {"direct", 250, 100'000, 1.3e-3, 5e-6}));
}

TEST(Soak, OctreeConservesEnergyAndMomentum) {
  run(test::long_or_short<Soak>({"octree", 1000, 1'000'000, 1, 1}, {"octree", 250, 20'000, 8e-4, 1e-3}));
}

}  // namespace
}  // namespace pericenter
