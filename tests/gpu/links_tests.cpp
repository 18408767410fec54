// Walks on the links of the builder (Links::own) on CUDA, against walks on nodes made for them and the direct sum.
#include <gtest/gtest.h>

#include <limits>
#include <numeric>
#include <string>

#include "tests/gpu/support.h"

namespace pericenter::test {
namespace {

constexpr Params kLinkParams{.theta = 0.5, .softening = 0.02};

/// With Links::own and, where it is required, bodies in input order.
std::vector<Config> own_configs() {
  std::vector<Config> configs;
  for (Config config : configs_of(Backend::cuda)) {
    if (!has_option(config, SolverOption::links)) continue;
    config.solver_options.set(SolverOption::links, Links::own);
    if (!problem_with(config).empty()) config.solver_options.set(SolverOption::order, Order::none);
    configs.push_back(config);
  }
  return configs;
}

Config with_walk_nodes(Config config) {
  config.solver_options.set(SolverOption::links, Links::walk);
  return config;
}

class CudaLinks : public testing::TestWithParam<Config> {
 protected:
  bool single() const { return GetParam().precision == Precision::float32; }
  Bodies scene(const char* name, std::size_t count) const {
    return rounded(scene_bodies(name, count, GetParam().dimension), GetParam().precision);
  }
};
INSTANTIATE_TEST_SUITE_P(Solvers, CudaLinks, testing::ValuesIn(own_configs()), test_name);

TEST_P(CudaLinks, MatchDirectSumAtThetaZero) {
  const ForceErrors errors = force_errors(GetParam(), {.theta = 0, .softening = 0.01}, scene("plummer", 3000), 500);
  EXPECT_LE(errors.max, single() ? 2e-4 : 1e-11);
  EXPECT_LE(errors.percentile_99, single() ? 4e-5 : 1e-12);
}

TEST_P(CudaLinks, MatchDirectSumAtAnySize) {
  for (const std::size_t count : {1, 2, 3, 31, 32, 33, 255, 256, 257, 1025}) {
    const Bodies bodies = scene("plummer", count);
    const std::vector<Vec3> got =
        Simulation::create(GetParam(), bodies)->accelerations({.theta = 0.2, .softening = 0.05});
    ASSERT_EQ(got.size(), count);
    if (count > 1) {
      EXPECT_LE(worst_error(got, bodies, 0.05), coarse_bound(GetParam())) << count << " bodies";
    }
  }
}

// The same nodes are opened, unless rounding of a centre decides.
TEST_P(CudaLinks, MatchWalkNodes) {
  for (const char* name : {"uniform", "collision"}) {
    const Bodies bodies = scene(name, sized(20'000));
    for (const Multipole multipole : {Multipole::monopole, Multipole::quadrupole}) {
      Config config = GetParam();
      config.multipole = multipole;
      for (const double theta : {0.3, 0.5, 1.0}) {
        const Params params{.theta = theta, .softening = 0.02};
        const auto own = Simulation::create(config, bodies);
        const auto made = Simulation::create(with_walk_nodes(config), bodies);
        const std::string what = describe(config) + ", " + name + ", theta " + std::to_string(theta);
        const ForceErrors difference =
            pericenter::force_errors(own->accelerations(params), made->accelerations(params));
        EXPECT_LE(difference.percentile_99, single() ? 1e-4 : 1e-11) << what;
        EXPECT_LE(difference.max, single() ? 5e-2 : 1e-9) << what;
        const auto interactions = static_cast<double>(made->work().interactions());
        EXPECT_NEAR(static_cast<double>(own->work().interactions()), interactions, 1e-4 * interactions) << what;
        EXPECT_GE(own->work().node_visits, made->work().node_visits) << what;
        EXPECT_GE(own->work().lane_slots, own->work().node_visits) << what;
      }
    }
  }
}

TEST_P(CudaLinks, MatchWithAndWithoutPotential) {
  const Bodies bodies = scene("plummer", 3000);
  const Params params{.theta = 0.3, .softening = 0.02};
  const auto simulation = Simulation::create(GetParam(), bodies);
  const std::vector<Vec3> alone = simulation->accelerations(params);
  const double exact = exact_potential_energy(bodies, params.softening);
  EXPECT_NEAR(simulation->diagnostics(params).potential, exact, 1e-3 * -exact);
  EXPECT_TRUE(simulation->accelerations(params) == alone);
}

TEST_P(CudaLinks, HandleExtremePositions) {
  Bodies bodies = scene("plummer", 3000);
  for (std::size_t i = 100; i < 200; ++i) bodies[i].position = bodies[99].position;
  const Bodies sound = bodies;
  bodies.push_back({.position = {1e30, -1e30, 0}, .velocity = {}, .mass = 1.0 / 3000});
  bodies.push_back({.position = {std::numeric_limits<double>::quiet_NaN(), 0, 0}, .velocity = {}, .mass = 1});
  const std::vector<Vec3> got =
      Simulation::create(GetParam(), bodies)->accelerations({.theta = 0.2, .softening = 0.05});
  EXPECT_LE(worst_error(got, sound, 0.05, 7), coarse_bound(GetParam()));
  const Bodies point(3000, {.position = {1, 2, 0}, .velocity = {}, .mass = 0.5});
  for (const Vec3& acceleration : Simulation::create(GetParam(), point)->accelerations(kLinkParams)) {
    ASSERT_EQ(acceleration, Vec3{});
  }
}

// The list of a leaf is made in the order of the threads.
TEST_P(CudaLinks, GiveSameBitsInEveryRun) {
  Bodies bodies = scene("collision", sized(20'000));
  for (std::size_t i = 0; i < 1000; ++i) {
    bodies[i].position = bodies[0].position;
    bodies[i].mass *= 1 + 1e-3 * static_cast<double>(i);
  }
  const auto bits = [&] {
    const auto simulation = Simulation::create(GetParam(), bodies);
    for (int i = 0; i < 10; ++i) simulation->step({.dt = 0.02, .theta = 0.7, .softening = 0.1});
    return hash(simulation->bodies());
  };
  const std::uint64_t expected = bits();
  for (int run = 0; run < 3; ++run) EXPECT_EQ(bits(), expected);
}

TEST_P(CudaLinks, DoNotDependOnOrder) {
  const Bodies bodies = scene("plummer", 3000);
  const std::vector<Vec3> expected = Simulation::create(GetParam(), bodies)->accelerations(kLinkParams);
  Config config = GetParam();
  config.solver_options.set(SolverOption::order, Order::none);
  EXPECT_TRUE(Simulation::create(config, bodies)->accelerations(kLinkParams) == expected);
}

TEST_P(CudaLinks, NeedLessMemory) {
  const Bodies bodies = scene("uniform", sized(100'000));
  const auto bytes = [&](const Config& config) {
    return Simulation::create(config, bodies)->device_memory().used_bytes;
  };
  EXPECT_LT(bytes(GetParam()), bytes(with_walk_nodes(GetParam())));
}

TEST_P(CudaLinks, HaveAllBoxes) {
  const Bodies bodies = scene("collision", 3000);
  const auto own = Simulation::create(GetParam(), bodies),
             made = Simulation::create(with_walk_nodes(GetParam()), bodies);
  own->accelerations(kLinkParams);
  made->accelerations(kLinkParams);
  const auto boxes = [](const Simulation& simulation, int level, std::size_t limit) {
    std::vector<TreeBox> found;
    simulation.tree_boxes(level, level, limit, found);
    return found;
  };
  ASSERT_GE(own->tree_levels(), made->tree_levels());
  for (int level = 0; level < own->tree_levels(); ++level) {
    // The other tree leaves out cells with a single child.
    const std::vector<TreeBox> found = boxes(*own, level, 1'000'000);
    EXPECT_GE(found.size(), boxes(*made, level, 1'000'000).size()) << "level " << level;
    EXPECT_EQ(boxes(*own, level, 5).size(), std::min<std::size_t>(found.size(), 5)) << "level " << level;
    for (const TreeBox& box : found) ASSERT_EQ(box.level, level);
  }
  EXPECT_EQ(boxes(*own, 0, 10).size(), 1u);
}

TEST_P(CudaLinks, TimeTheirStages) {
  const auto simulation = Simulation::create(GetParam(), scene("plummer", 5000));
  simulation->step(kLinkParams);
  simulation->step(kLinkParams);
  const StageTimings timings = simulation->timings();
  const bool sorts = GetParam().solver == "hilbert-bvh";
  for (const Stage stage : {Stage::kick_drift, Stage::bounds, Stage::keys, Stage::moments, Stage::walk}) {
    EXPECT_GT(timings[stage], 0) << kStageNames[static_cast<std::size_t>(stage)];
  }
  EXPECT_EQ(timings[Stage::sort] > 0, sorts);
  EXPECT_EQ(timings[Stage::build] > 0, !sorts);
}

// 4.9e9 ordered pairs do not fit into 32 bits.
TEST(CudaPairs, AreCountedInLargeNumbers) {
  if (short_run()) GTEST_SKIP() << "needs 70,000 bodies";
  Config config{.solver = "direct-pairs", .backend = Backend::cuda, .precision = Precision::float64};
  config.solver_options.set(SolverOption::pairs, PairTasks::ordered);
  const Bodies bodies = scene_bodies("plummer", 70'000);
  const Params params{.softening = 0.01};
  const Config direct{.solver = "direct", .backend = Backend::cuda, .precision = Precision::float64};
  const auto simulation = Simulation::create(config, bodies);
  const ForceErrors errors = pericenter::force_errors(simulation->accelerations(params),
                                                      Simulation::create(direct, bodies)->accelerations(params));
  EXPECT_LE(errors.max, 1e-11);
  EXPECT_EQ(simulation->work().body_interactions, std::uint64_t(70'000) * 69'999);
}

}  // namespace
}  // namespace pericenter::test
