// Walks of single bodies on CUDA: every kind, in every order, over the tree of every builder.
#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <string>
#include <tuple>

#include "tests/gpu/support.h"

namespace pericenter::test {
namespace {

constexpr std::array kWalks = {Walk::skip, Walk::climb, Walk::stack, Walk::warp};
constexpr std::array kOrders = {Order::tree, Order::none, Order::shuffled, Order::regular};
constexpr Params kWalkParams{.theta = 0.7, .softening = 0.02};

Config with(Config config, Walk walk, Order order) {
  config.solver_options.set(SolverOption::walk, walk);
  config.solver_options.set(SolverOption::order, order);
  return config;
}

/// The rows whose tree is built on the device.
std::vector<Config> walking_configs() {
  std::vector<Config> configs;
  for (const Config& config : configs_of(Backend::cuda)) {
    if (has_option(config, SolverOption::walk)) configs.push_back(config);
  }
  return configs;
}

/// The result and the work of a walk; lane_slots depends on its kind and order, so it is excluded.
struct Outcome {
  std::vector<Vec3> accelerations;
  WorkCounts work;

  std::tuple<std::uint64_t, std::uint64_t, std::uint64_t> counts() const {
    return {work.body_interactions, work.cell_interactions, work.node_visits};
  }
};
Outcome outcome(const Config& config, const Bodies& bodies, const Params& params = kWalkParams) {
  const auto simulation = Simulation::create(config, bodies);
  return {simulation->accelerations(params), simulation->work()};
}

class CudaWalks : public testing::TestWithParam<Config> {
 protected:
  /// Compares every kind of walk in every order.
  void expect_one_outcome(const Bodies& bodies, const std::string& what) const {
    const Outcome expected = outcome(with(GetParam(), Walk::skip, Order::tree), bodies);
    for (const Walk walk : kWalks) {
      for (const Order order : kOrders) {
        const Config config = with(GetParam(), walk, order);
        const Outcome got = outcome(config, bodies);
        EXPECT_TRUE(got.accelerations == expected.accelerations) << what << ", " << describe(config);
        EXPECT_EQ(got.counts(), expected.counts()) << what << ", " << describe(config);
        EXPECT_GE(got.work.lane_slots, got.work.node_visits) << what << ", " << describe(config);
      }
    }
  }
};
INSTANTIATE_TEST_SUITE_P(Solvers, CudaWalks, testing::ValuesIn(walking_configs()), test_name);

TEST_P(CudaWalks, GiveSameBitsAndWork) {
  for (const char* scene : {"collision", "uniform"}) {
    expect_one_outcome(scene_bodies(scene, sized(20'000), GetParam().dimension), scene);
  }
}

TEST_P(CudaWalks, GiveSameBitsAtAnyTheta) {
  const Bodies bodies = scene_bodies("plummer", sized(5000), GetParam().dimension);
  for (const Multipole multipole : {Multipole::monopole, Multipole::quadrupole}) {
    Config config = GetParam();
    config.multipole = multipole;
    for (const double theta : {0.0, 0.3, 2.0}) {
      const Params params{.theta = theta, .softening = 0};
      const Outcome expected = outcome(with(config, Walk::skip, Order::tree), bodies, params);
      for (const Walk walk : kWalks) {
        const Config scattered = with(config, walk, Order::shuffled);
        const Outcome got = outcome(scattered, bodies, params);
        EXPECT_TRUE(got.accelerations == expected.accelerations) << describe(scattered) << ", theta " << theta;
        EXPECT_EQ(got.counts(), expected.counts()) << describe(scattered) << ", theta " << theta;
      }
    }
  }
}

TEST_P(CudaWalks, HandleAnyBodyCount) {
  for (const std::size_t count : {1, 2, 31, 33, 257}) {
    expect_one_outcome(scene_bodies("uniform", count, GetParam().dimension), std::to_string(count) + " bodies");
  }
}

TEST_P(CudaWalks, HandleExtremePositions) {
  Bodies bodies(300, {{1, 2, 0}, {}, 0.5});
  expect_one_outcome(bodies, "one point");
  for (const Vec3& acceleration : outcome(with(GetParam(), Walk::skip, Order::tree), bodies).accelerations) {
    ASSERT_EQ(acceleration, Vec3{});
  }
  bodies[17].position = {-1, 3, 0};
  bodies[120].position = {1e30, 0, 0};
  bodies[250].position = {std::numeric_limits<double>::quiet_NaN(), 0, 0};
  expect_one_outcome(bodies, "with bodies far out");
}

TEST_P(CudaWalks, MatchDirectSumAtThetaZero) {
  const Bodies bodies = rounded(scene_bodies("plummer", 3000, GetParam().dimension), GetParam().precision);
  const ForceErrors errors =
      force_errors(with(GetParam(), Walk::skip, Order::tree), {.theta = 0, .softening = 0.01}, bodies, 500);
  const bool single = GetParam().precision == Precision::float32;
  EXPECT_LE(errors.max, single ? 2e-4 : 1e-11);
  EXPECT_LE(errors.percentile_99, single ? 4e-5 : 1e-12);
}

// Potentials have separate kernels.
TEST_P(CudaWalks, MatchWithAndWithoutPotential) {
  const Bodies bodies = rounded(scene_bodies("plummer", 3000, GetParam().dimension), GetParam().precision);
  const Params params{.theta = 0.3, .softening = 0.02};
  for (const Walk walk : kWalks) {
    const Config config = with(GetParam(), walk, Order::tree);
    const auto simulation = Simulation::create(config, bodies);
    const double exact = exact_potential_energy(bodies, params.softening);
    EXPECT_NEAR(simulation->diagnostics(params).potential, exact, 1e-3 * -exact) << describe(config);
    EXPECT_TRUE(simulation->accelerations(params) == outcome(config, bodies, params).accelerations) << describe(config);
  }
}

TEST_P(CudaWalks, ShareVisitsWithinWarp) {
  if (short_run()) GTEST_SKIP() << "too few bodies: all are neighbours";
  const Bodies bodies = scene_bodies("uniform", 20'000, GetParam().dimension);
  const auto efficiency = [&](Walk walk, Order order) {
    return outcome(with(GetParam(), walk, order), bodies).work.lane_efficiency();
  };
  const double together = efficiency(Walk::warp, Order::tree), scattered = efficiency(Walk::warp, Order::shuffled);
  EXPECT_GT(together, 3 * scattered);
  EXPECT_GT(efficiency(Walk::warp, Order::regular), scattered);
  EXPECT_LT(efficiency(Walk::warp, Order::regular), together);
  // Lanes that walk separately wait only for the longest walk of their warp.
  for (const Walk alone : {Walk::skip, Walk::climb, Walk::stack}) {
    const double share = efficiency(alone, Order::tree);
    EXPECT_GT(share, together) << describe(with(GetParam(), alone, Order::tree));
    EXPECT_LE(share, 1) << describe(with(GetParam(), alone, Order::tree));
  }
}

TEST_P(CudaWalks, MatchCpuTree) {
  Config on_cpu = GetParam();
  on_cpu.backend = Backend::cpu;
  for (const char* scene : {"plummer", "collision", "uniform"}) {
    const Bodies bodies = scene_bodies(scene, sized(20'000), GetParam().dimension);
    const auto cuda = Simulation::create(GetParam(), bodies), cpu = Simulation::create(on_cpu, bodies);
    cuda->accelerations(kWalkParams);
    cpu->accelerations(kWalkParams);
    ASSERT_EQ(cuda->tree_levels(), cpu->tree_levels()) << scene;
    const auto boxes = [](const Simulation& simulation, int level) {
      std::vector<TreeBox> found;
      simulation.tree_boxes(level, level, 1'000'000, found);
      return found.size();
    };
    for (int level = 0; level < cpu->tree_levels(); ++level) {
      EXPECT_EQ(boxes(*cuda, level), boxes(*cpu, level)) << scene << ", level " << level;
    }
  }
}

}  // namespace
}  // namespace pericenter::test
