// Direct sums with one task per pair, on the CPU and, compiled for it, on CUDA.
#include <gtest/gtest.h>

#include "tests/support/reference.h"

namespace pericenter::test {
namespace {

constexpr double kPairSoftening = 0.05;

std::vector<Config> pair_configs() {
  std::vector<Config> configs;
  for (Config config : configs_of(kBackend)) {
    if (!has_option(config, SolverOption::pairs)) continue;
    for (const PairTasks tasks : {PairTasks::half, PairTasks::ordered}) {
      config.solver_options.set(SolverOption::pairs, tasks);
      configs.push_back(config);
    }
  }
  return configs;
}

class PairTaskForces : public testing::TestWithParam<Config> {
 protected:
  /// Of sums with another order.
  double bound() const { return 3 * rounding(GetParam()); }
};
INSTANTIATE_TEST_SUITE_P(Solvers, PairTaskForces, testing::ValuesIn(pair_configs()), test_name);

TEST_P(PairTaskForces, MatchTheDirectSumAtAnySize) {
  for (const std::size_t count : {1, 2, 3, 31, 32, 33, 255, 256, 257, 1000}) {
    const Bodies bodies = rounded(scene_bodies("plummer", count, GetParam().dimension, 5), GetParam().precision);
    const auto simulation = Simulation::create(GetParam(), bodies);
    const std::vector<Vec3> got = simulation->accelerations({.softening = kPairSoftening});
    EXPECT_EQ(simulation->work().body_interactions, count * (count - 1)) << count << " bodies";
    if (count == 1) {
      EXPECT_EQ(got[0], Vec3{});
    } else {
      EXPECT_LE(worst_error(got, bodies, kPairSoftening), bound()) << count << " bodies";
    }
  }
}

TEST_P(PairTaskForces, LeaveNoBodiesAlone) {
  const auto simulation = Simulation::create(GetParam(), {});
  EXPECT_TRUE(simulation->accelerations({}).empty());
  EXPECT_EQ(simulation->work().body_interactions, 0u);
}

TEST_P(PairTaskForces, HaveThePotentialOfThePairs) {
  Bodies bodies = scene_bodies("plummer", 257, GetParam().dimension);
  for (const std::size_t i : {20, 21, 256}) bodies[i].position = bodies[3].position;
  bodies = rounded(bodies, GetParam().precision);
  for (const double softening : {0.0, kPairSoftening}) {
    const double exact = exact_potential_energy(bodies, softening);
    EXPECT_NEAR(Simulation::create(GetParam(), bodies)->diagnostics({.softening = softening}).potential, exact,
                -bound() * exact)
        << "softening " << softening;
  }
}

// The mass of the target must not appear in its acceleration.
TEST_P(PairTaskForces, AttractBodiesWithoutMass) {
  Bodies bodies = scene_bodies("plummer", 300, GetParam().dimension);
  for (std::size_t i = 0; i < bodies.size(); ++i) bodies[i].mass = i % 3 == 0 ? 0 : 1e-3 * static_cast<double>(i);
  bodies = rounded(bodies, GetParam().precision);
  const std::vector<Vec3> got = Simulation::create(GetParam(), bodies)->accelerations({.softening = kPairSoftening});
  EXPECT_LE(worst_error(got, bodies, kPairSoftening), bound());
}

}  // namespace
}  // namespace pericenter::test
