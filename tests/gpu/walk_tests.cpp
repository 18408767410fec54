// Walks of single bodies on CUDA: every kind, in every order, over the tree of every builder.
#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <string>
#include <tuple>

#include "tests/gpu/support.h"

namespace pericenter::test {
namespace {

/// Those with the same bits; Walk::vote opens more cells.
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

/// The CPU builds the same trees and lets the same 32 bodies vote.
void expect_same_votes(Config config, const Bodies& bodies, const Params& params) {
  const Outcome cuda = outcome(config, bodies, params);
  config.backend = Backend::cpu;
  const Outcome cpu = outcome(config, bodies, params);
  const bool single = config.precision == Precision::float32;
  // Rounding may open a cell on one side only.
  EXPECT_NEAR(double(cuda.work.node_visits) / double(cpu.work.node_visits), 1, single ? 1e-3 : 0) << describe(config);
  EXPECT_NEAR(double(cuda.work.body_interactions) / double(cpu.work.body_interactions), 1, single ? 1e-3 : 0);
  EXPECT_NEAR(double(cuda.work.cell_interactions), double(cpu.work.cell_interactions),
              single ? 1e-3 * double(cpu.work.cell_interactions) : 0);
  const ForceErrors difference = pericenter::force_errors(cuda.accelerations, cpu.accelerations);
  EXPECT_LE(difference.percentile_99, single ? 1e-4 : 1e-11) << describe(config);
  EXPECT_LE(difference.max, single ? 0.1 : 1e-9) << describe(config);
}

TEST_P(CudaWalks, VoteAsOnTheCpu) {
  const int dimension = GetParam().dimension;
  for (const Order order : kOrders) {
    Config config = with(GetParam(), Walk::vote, order);
    expect_same_votes(config, scene_bodies("plummer", sized(5000), dimension), kWalkParams);
    if (!has_option(config, SolverOption::cell_size)) continue;
    config.solver_options.set(SolverOption::cell_size, CellSize::cell);
    expect_same_votes(config, scene_bodies("uniform", sized(5000), dimension), kWalkParams);
  }
  for (const std::size_t count : {1, 2, 31, 32, 33, 255, 257}) {
    expect_same_votes(with(GetParam(), Walk::vote, Order::tree), scene_bodies("uniform", count, dimension),
                      {.theta = 0.9, .softening = 0.01});
  }
  EXPECT_TRUE(outcome(with(GetParam(), Walk::vote, Order::tree), {}).accelerations.empty());
}

TEST_P(CudaWalks, VoteLeavesNoLaneIdle) {
  const Bodies whole = scene_bodies("uniform", 4096, GetParam().dimension);
  for (const Order order : {Order::tree, Order::shuffled}) {
    EXPECT_EQ(outcome(with(GetParam(), Walk::vote, order), whole).work.lane_efficiency(), 1);
  }
  const Bodies odd(whole.begin(), whole.begin() + 33);
  const WorkCounts work = outcome(with(GetParam(), Walk::vote, Order::tree), odd).work;
  EXPECT_GE(work.lane_slots, work.node_visits);
  EXPECT_EQ(work.lane_slots % 32, 0u);
  EXPECT_LT(work.lane_efficiency(), 1);
}

TEST_P(CudaWalks, VoteIsMoreAccurateAndAtThetaZeroTheDirectSum) {
  // Also in the short form: among fewer bodies a group covers more of the scene, and its vote gains less.
  const Bodies bodies = rounded(scene_bodies("uniform", 20'000, GetParam().dimension), GetParam().precision);
  const auto errors = [&](Walk walk, Order order) {
    return force_errors(with(GetParam(), walk, order), kWalkParams, bodies, 500);
  };
  const ForceErrors alone = errors(Walk::warp, Order::tree);
  for (const Order order : {Order::tree, Order::regular, Order::shuffled}) {
    EXPECT_LT(errors(Walk::vote, order).mean, 0.85 * alone.mean) << static_cast<int>(order);
  }
  const Params exact{.theta = 0, .softening = 0.01};
  const Bodies few = scene_bodies("plummer", 3000, GetParam().dimension);
  const Outcome direct = outcome(with(GetParam(), Walk::skip, Order::tree), few, exact);
  const Outcome voted = outcome(with(GetParam(), Walk::vote, Order::tree), few, exact);
  EXPECT_TRUE(voted.accelerations == direct.accelerations);
  EXPECT_EQ(voted.counts(), direct.counts());
}

// The walks do not know the size; the builders set it.
TEST_P(CudaWalks, CellSizeIsThatOfTheCpu) {
  if (!has_option(GetParam(), SolverOption::cell_size)) GTEST_SKIP() << "boxes are the cells";
  const Bodies bodies = scene_bodies("plummer", sized(5000), GetParam().dimension);
  for (const Walk walk : {Walk::group, Walk::skip}) {
    Config config = with(GetParam(), walk, Order::tree), boxes = config;
    config.solver_options.set(SolverOption::cell_size, CellSize::cell);
    const Outcome cuda = outcome(config, bodies), of_boxes = outcome(boxes, bodies);
    EXPECT_GT(double(cuda.work.interactions()), 1.05 * double(of_boxes.work.interactions())) << describe(config);
    config.backend = Backend::cpu;
    const Outcome cpu = outcome(config, bodies);
    EXPECT_NEAR(double(cuda.work.interactions()) / double(cpu.work.interactions()), 1, 1e-3) << describe(config);
    EXPECT_LE(pericenter::force_errors(cuda.accelerations, cpu.accelerations).percentile_99, 1e-3) << describe(config);
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
  for (const Walk walk : {Walk::skip, Walk::climb, Walk::stack, Walk::warp, Walk::vote}) {
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
