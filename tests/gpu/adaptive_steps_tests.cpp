// Params::adaptive_steps on CUDA, with the promises that tests/sim/cpu/adaptive_steps_tests.cpp checks on the CPU.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "sim/core/timestep_criterion.h"
#include "sim/core/vertex_target.h"
#include "tests/gpu/device.h"
#include "tests/gpu/support.h"

namespace pericenter::test {
namespace {

/// A cold ball that collapses at about t = 1.1, with steps that are too long then.
const Params kCollapse{.dt = 1.0 / 32, .theta = 0.6, .softening = 0.05, .adaptive_steps = kMaxFallPerStep};

Bodies cold_ball(const Config& config) {
  return scene_bodies("cold-collapse", sized(5000), config.dimension);
}

class CudaAdaptiveSteps : public testing::TestWithParam<Config> {};
INSTANTIATE_TEST_SUITE_P(Solvers, CudaAdaptiveSteps, testing::ValuesIn(reproducible_configs()), test_name);

// An accepted step is as many undivided ones, whose bits it has: nothing of a rejected attempt is left, on the device
// or in the copies of solvers that integrate on the host.
TEST_P(CudaAdaptiveSteps, AreAsManyShortOnes) {
  const Bodies bodies = cold_ball(GetParam());
  const auto divided = Simulation::create(GetParam(), bodies), undivided = Simulation::create(GetParam(), bodies);
  Params part = kCollapse;
  part.adaptive_steps = 0;
  int least = kMaxStepParts, most = 0;
  for (int k = 0; k < 50; ++k) {
    divided->step(kCollapse, k % 7 == 0);
    const int parts = divided->step_parts();
    part.dt = kCollapse.dt / parts;
    for (int p = 0; p < parts; ++p) undivided->step(part);
    least = std::min(least, parts);
    most = std::max(most, parts);
    EXPECT_EQ(undivided->step_parts(), 1);
  }
  EXPECT_EQ(hash(divided->bodies()), hash(undivided->bodies()));
  EXPECT_EQ(divided->steps(), 50u);
  EXPECT_DOUBLE_EQ(divided->time(), 50 * kCollapse.dt);
  EXPECT_EQ(least, 1);
  EXPECT_GE(most, 4);
}

TEST_P(CudaAdaptiveSteps, RestartsAreExact) {
  const auto whole = Simulation::create(GetParam(), cold_ball(GetParam()));
  for (int k = 0; k < 30; ++k) whole->step(kCollapse);
  const auto resumed =
      Simulation::create(GetParam(), whole->bodies(), {.time = whole->time(), .steps = whole->steps()});
  int most = 0;
  for (int k = 0; k < 10; ++k) {
    whole->step(kCollapse, k % 3 == 0);
    resumed->step(kCollapse);
    EXPECT_EQ(whole->step_parts(), resumed->step_parts());
    most = std::max(most, whole->step_parts());
  }
  EXPECT_TRUE(same_motion(GetParam(), whole->bodies(), resumed->bodies()));
  EXPECT_GT(most, 1);
}

TEST_P(CudaAdaptiveSteps, DoNotDependOnPublishing) {
  const Bodies bodies = cold_ball(GetParam());
  const auto seen = Simulation::create(GetParam(), bodies), unseen = Simulation::create(GetParam(), bodies);
  const DeviceVertices device(bodies.size());
  const VertexTarget target = device.target();
  for (int k = 0; k < 45; ++k) {
    seen->step(kCollapse, false, &target);
    unseen->step(kCollapse);
    EXPECT_FALSE(seen->write_vertices_ahead(kCollapse, target));
  }
  EXPECT_EQ(hash(seen->bodies()), hash(unseen->bodies()));
}

TEST(CudaAdaptiveStep, NeedsThePartsOfTheCpu) {
  const Config cuda{.solver = "direct", .backend = Backend::cuda, .precision = Precision::float64},
      cpu{.solver = "direct", .precision = Precision::float64};
  for (const double softening : {0.0, 0.05}) {
    Params params = kCollapse;
    params.softening = softening;
    params.dt = softening > 0 ? kCollapse.dt : 1e-3;
    const Bodies bodies = scene_bodies("cold-collapse", 200);
    const auto on_gpu = Simulation::create(cuda, bodies), on_cpu = Simulation::create(cpu, bodies);
    for (int k = 0; k < 40; ++k) {
      on_gpu->step(params);
      on_cpu->step(params);
      ASSERT_EQ(on_gpu->step_parts(), on_cpu->step_parts()) << "step " << k << ", softening " << softening;
    }
  }
}

TEST(CudaAdaptiveStep, IsStricterForBodiesWithMass) {
  Bodies bodies(3);
  bodies[0].mass = 1;
  bodies[1].position = {0.5, 0, 0};
  bodies[2].position = {5, 0, 0};
  bodies[2].mass = 1e-6;
  Params params{.dt = 0.032, .softening = 0.1, .adaptive_steps = 1e-4};
  const Config cuda{.solver = "direct", .backend = Backend::cuda, .precision = Precision::float64};
  const auto simulation = Simulation::create(cuda, bodies);
  simulation->step(params);
  EXPECT_EQ(simulation->step_parts(), 2) << "the body with mass";
  params.dt = 0.06;
  bodies.pop_back();
  const auto longer = Simulation::create(cuda, bodies);
  longer->step(params);
  EXPECT_EQ(longer->step_parts(), 2) << "the body without mass";
}

TEST(CudaAdaptiveStep, NeverHangs) {
  const double nan = std::nan("");
  Body unit;
  unit.mass = 1;
  std::vector<Bodies> all = {{}, {unit, unit}, {unit, unit, unit}};
  all[2][1].position = {nan, nan, nan};
  all[2][2].position = {1, 0, 0};
  for (const Bodies& bodies : all) {
    for (const double softening : {0.0, 0.01}) {
      for (const double dt : {0.0, 1e20, -1e-3}) {
        const auto simulation = Simulation::create({.solver = "direct", .backend = Backend::cuda}, bodies);
        const Params params{.dt = dt, .softening = softening, .adaptive_steps = kMinAdaptiveSteps};
        for (int k = 0; k < 3; ++k) simulation->step(params);
        EXPECT_LE(simulation->step_parts(), kMaxStepParts);
        EXPECT_EQ(simulation->steps(), 3u);
      }
    }
  }
}

}  // namespace
}  // namespace pericenter::test
