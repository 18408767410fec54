// CUDA against the CPU: forces, trees, energies, and switching the backend during a run.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>
#include <vector>

#include "sim/solvers/registry.h"
#include "tests/gpu/support.h"

namespace pericenter::test {
namespace {

class CudaRows : public testing::TestWithParam<Config> {};
INSTANTIATE_TEST_SUITE_P(Solvers, CudaRows, testing::ValuesIn(all_configs()), test_name);

// The bounds are those of tests/sim/solvers/force_tests.cpp. In single precision they are four times as wide, because
// sums over more bodies have larger rounding errors.
TEST_P(CudaRows, MatchDirectSumOnCpu) {
  const Config config = GetParam();
  const Params params{.theta = 0, .softening = 0.01};
  const Bodies bodies = rounded(scene_bodies("plummer", sized(20'000), config.dimension), config.precision);
  const Config reference{.solver = "direct", .precision = Precision::float64, .dimension = config.dimension};
  const ForceErrors errors = pericenter::force_errors(Simulation::create(config, bodies)->accelerations(params),
                                                      Simulation::create(reference, bodies)->accelerations(params));
  const bool single = config.precision == Precision::float32;
  EXPECT_LE(errors.max, single ? 2e-4 : 1e-11);
  EXPECT_LE(errors.percentile_99, single ? 4e-5 : 1e-12);
}

// More than two portions of the copy; the last one is partial.
TEST(CudaBodies, SurviveUploadAndDownload) {
  for (const Config& config : {Config{.solver = "direct", .backend = Backend::cuda},
                               Config{.solver = "direct", .backend = Backend::cuda, .dimension = 2}}) {
    const Bodies bodies = scene_bodies("uniform", (std::size_t{5} << 19) + 77, config.dimension);
    std::vector<double> seen;
    const auto progress = [&](double share) {
      seen.push_back(share);
      return true;
    };
    const Bodies back = Simulation::create(config, bodies, {.progress = progress})->bodies();
    EXPECT_EQ(hash(back), hash(rounded(bodies, config.precision)));
    for (std::size_t i = 0; i < bodies.size(); ++i) ASSERT_EQ(back[i].tag, bodies[i].tag);
    EXPECT_GE(seen.size(), 3u);
    EXPECT_TRUE(std::ranges::is_sorted(seen));
    EXPECT_EQ(seen.back(), 1);
    const auto cancel = [](double) { return false; };
    EXPECT_THROW(Simulation::create(config, bodies, {.progress = cancel}), SceneCancelled);
  }
}

TEST(CudaBodies, LimitFitsIndices) {
  for (const SolverInfo& solver : solvers()) EXPECT_LT(solver.max_cuda_bodies, std::size_t{1} << 31) << solver.name;
}

TEST_P(CudaRows, MatchCpuDiagnostics) {
  const Config config = GetParam();
  const Params params{.theta = 0.4, .softening = 0.05};
  const Bodies bodies = scene_bodies("collision", sized(5000), config.dimension);
  Config reference = on_cpu(config);
  if (!find_solver(config.solver)->cpu) reference.solver = "direct";
  const Diagnostics got = Simulation::create(config, bodies)->diagnostics(params);
  const Diagnostics expected = Simulation::create(reference, bodies)->diagnostics(params);
  // With cell-cell interactions the leaves differ between the backends, and so do the truncation errors.
  const bool alike = config.precision == Precision::float64 && !find_solver(config.solver)->expansions;
  const double share = alike ? 1e-11 : 1e-5;
  EXPECT_NEAR(got.mass, expected.mass, 1e-12 * expected.mass);
  EXPECT_NEAR(got.kinetic, expected.kinetic, 1e-12 * expected.kinetic);
  EXPECT_NEAR(got.potential, expected.potential, share * std::abs(expected.potential));
  EXPECT_NEAR(got.force_virial, expected.force_virial, 10 * share * std::abs(expected.force_virial));
  EXPECT_LE(length(got.momentum - expected.momentum), 1e-12 * expected.mass);
  EXPECT_LE(length(got.angular_momentum - expected.angular_momentum), 1e-10 * expected.mass);
  EXPECT_LE(length(got.center_of_mass - expected.center_of_mass), 1e-12);
  EXPECT_EQ(got.non_finite, 0u);
}

// Positions, velocities, masses and tags are preserved, except for rounding to the new precision.
TEST_P(CudaRows, ContinueFromAnyOtherBackend) {
  const Config config = GetParam();
  const Params params{.dt = 0.02, .theta = 0.6, .softening = 0.1};
  const auto running = Simulation::create(config, scene_bodies("collision", 1000, config.dimension));
  for (int i = 0; i < 5; ++i) running->step(params);
  const Bodies bodies = running->bodies();
  for (const Backend backend : {Backend::cpu, Backend::cuda}) {
    for (const Config& other : configs_of(backend)) {
      if (other.dimension != config.dimension) continue;
      const auto next = Simulation::create(other, bodies, {.time = running->time(), .steps = running->steps()});
      const Bodies changed = next->bodies();
      EXPECT_EQ(hash(changed), hash(rounded(bodies, other.precision))) << describe(other);
      for (std::size_t i = 0; i < bodies.size(); ++i) ASSERT_EQ(changed[i].tag, bodies[i].tag);
      const auto back = Simulation::create(config, next->bodies(), {.time = next->time(), .steps = next->steps()});
      EXPECT_EQ(hash(back->bodies()), hash(rounded(changed, config.precision))) << describe(other);
      EXPECT_EQ(back->time(), running->time());
      EXPECT_EQ(back->steps(), running->steps());
    }
  }
}

TEST_P(CudaRows, TimeTheirStages) {
  const auto simulation = Simulation::create(GetParam(), scene_bodies("plummer", 5000, GetParam().dimension));
  simulation->step({});
  simulation->step({});
  const StageTimings timings = simulation->timings();
  const bool tree = find_solver(GetParam().solver)->has_tree();
  EXPECT_GT(timings[Stage::kick_drift], 0);
  for (const Stage stage : {Stage::bounds, Stage::keys, Stage::sort, Stage::build, Stage::moments, Stage::walk}) {
    EXPECT_EQ(timings[stage] > 0, tree) << kStageNames[static_cast<std::size_t>(stage)];
  }
  EXPECT_EQ(timings[Stage::direct] > 0, !tree);
  EXPECT_LT(timings.total_ms(), 1000);
}

class CudaOctree : public testing::TestWithParam<Config> {};
std::vector<Config> octrees() {
  std::vector<Config> configs;
  for (Config config : all_configs()) {
    if (config.solver == "octree") configs.push_back(config);
  }
  return configs;
}
INSTANTIATE_TEST_SUITE_P(Solvers, CudaOctree, testing::ValuesIn(octrees()), test_name);

/// The cells of a tree as level and integer position, in units of the cell size from the corner of the root.
std::set<std::tuple<int, int, int, int>> cells_of(const Simulation& simulation) {
  std::vector<TreeBox> boxes;
  simulation.tree_boxes(0, 64, 10'000'000, boxes);
  std::set<std::tuple<int, int, int, int>> cells;
  for (const TreeBox& box : boxes) {
    int cell[3] = {};
    // On deeper levels single precision cannot distinguish the cells; the interaction counts can.
    if (box.level > 12) continue;
    for (int k = 0; k < simulation.config().dimension; ++k) {
      const float low = boxes[0].center[k] - boxes[0].half_width[0];
      cell[k] = static_cast<int>(std::floor((box.center[k] - low) / (2 * box.half_width[0])));
    }
    cells.emplace(box.level, cell[0], cell[1], cell[2]);
  }
  return cells;
}

// Both build the same tree from the same keys, and walk it with the same groups.
TEST_P(CudaOctree, MatchesCpuTree) {
  const Params params{.theta = 0.6, .softening = 0.02};
  for (const char* scene : {"plummer", "collision", "uniform"}) {
    const Bodies bodies = scene_bodies(scene, sized(20'000), GetParam().dimension);
    const auto cuda = Simulation::create(GetParam(), bodies), cpu = Simulation::create(on_cpu(GetParam()), bodies);
    cuda->accelerations(params);
    cpu->accelerations(params);
    EXPECT_EQ(cuda->tree_levels(), cpu->tree_levels()) << scene;
    const auto got = cells_of(*cuda), expected = cells_of(*cpu);
    EXPECT_GT(expected.size(), bodies.size() / 20) << scene;
    EXPECT_TRUE(got == expected) << scene << ": " << got.size() << " cells, " << expected.size() << " on the CPU";
  }
}

TEST_P(CudaOctree, MatchesCpuWorkAndForces) {
  const Bodies bodies = scene_bodies("collision", sized(20'000), GetParam().dimension);
  const bool single = GetParam().precision == Precision::float32;
  for (const Multipole multipole : {Multipole::monopole, Multipole::quadrupole}) {
    for (const double theta : {0.4, 0.8}) {
      Config config = GetParam();
      config.multipole = multipole;
      const Params params{.theta = theta, .softening = 0.02};
      const auto cuda = Simulation::create(config, bodies), cpu = Simulation::create(on_cpu(config), bodies);
      const ForceErrors differences = pericenter::force_errors(cuda->accelerations(params), cpu->accelerations(params));
      // In single precision a cell near the opening limit may be accepted by one and opened by the other. The
      // difference is then the truncation error of that cell, not rounding.
      EXPECT_LE(differences.median, single ? 2e-6 : 1e-14) << "theta " << theta;
      EXPECT_LE(differences.percentile_99, single ? 2e-5 : 1e-12) << "theta " << theta;
      EXPECT_LE(differences.max, single ? 2e-3 : 1e-10) << "theta " << theta;
      const double share = single ? 1e-4 : 1e-7;
      const auto pairs = static_cast<double>(cpu->work().body_interactions);
      const auto cells = static_cast<double>(cpu->work().cell_interactions);
      EXPECT_NEAR(static_cast<double>(cuda->work().body_interactions), pairs, share * pairs) << "theta " << theta;
      EXPECT_NEAR(static_cast<double>(cuda->work().cell_interactions), cells, share * cells) << "theta " << theta;
    }
  }
}

TEST(CudaEnergy, IsConservedAsOnCpu) {
  const Params params{.dt = 1.0 / 128, .theta = 0.5, .softening = 0.05};
  const Bodies bodies = scene_bodies("plummer", sized(10'000));
  const auto error_after = [&](Backend backend) {
    const auto simulation = Simulation::create({.backend = backend}, bodies);
    const double before = simulation->diagnostics(params).energy();
    for (std::size_t i = 0; i < sized(500); ++i) simulation->step(params);
    return std::abs(simulation->diagnostics(params).energy() / before - 1);
  };
  const double cuda = error_after(Backend::cuda), cpu = error_after(Backend::cpu);
  RecordProperty("cuda", std::to_string(cuda));
  RecordProperty("cpu", std::to_string(cpu));
  EXPECT_LE(cuda, 2e-4);
  EXPECT_LE(cuda, 2 * cpu + 2e-5);
}

}  // namespace
}  // namespace pericenter::test
