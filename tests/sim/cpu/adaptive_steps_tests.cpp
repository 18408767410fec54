// Steps that are divided where accelerations need it: Params::adaptive_steps.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

#include "sim/core/cancellation.h"
#include "sim/core/simulation.h"
#include "sim/core/timestep_criterion.h"
#include "sim/core/vertex_target.h"
#include "tests/support/recording_session.h"
#include "tests/support/reference.h"

namespace pericenter::test {
namespace {

/// Masses 3/4 and 1/4 on an ellipse with semi-major axis 1 and period 2 pi, from its apocentre.
Bodies eccentric_pair(double eccentricity) {
  const double distance = 1 + eccentricity, speed = std::sqrt((1 - eccentricity) / (1 + eccentricity));
  return {{.position = {-0.25 * distance, 0, 0}, .velocity = {0, -0.25 * speed, 0}, .mass = 0.75},
          {.position = {0.75 * distance, 0, 0}, .velocity = {0, 0.75 * speed, 0}, .mass = 0.25}};
}

Body resting(double x, double mass) {
  Body body{};
  body.position = {x, 0, 0};
  body.mass = mass;
  return body;
}

std::unique_ptr<Simulation> exact_simulation(const Bodies& bodies, int threads = 0) {
  return Simulation::create({.solver = "direct", .precision = Precision::float64, .threads = threads}, bodies);
}

/// A cold ball that collapses at about t = 1.1, with steps that are too long then.
const Params kCollapse{.dt = 1.0 / 32, .theta = 0.6, .softening = 0.05, .adaptive_steps = kMaxFallPerStep};

struct DividedRun {
  double worst = 0;  ///< energy error
  std::vector<int> parts;
};

DividedRun divided_run(Simulation& simulation, const Params& params, int steps) {
  const Diagnostics start = simulation.diagnostics(params);
  DividedRun found;
  for (int k = 0; k < steps; ++k) {
    simulation.step(params, true);
    found.worst = std::max(found.worst, std::abs(energy_error(start, simulation.diagnostics(params))));
    found.parts.push_back(simulation.step_parts());
  }
  return found;
}

int most(const std::vector<int>& parts) {
  return *std::ranges::max_element(parts);
}
int least(const std::vector<int>& parts) {
  return *std::ranges::min_element(parts);
}

TEST(AdaptiveSteps, NeedAPowerOfTwoOfPartsUpToSixtyFour) {
  EXPECT_EQ(parts_of_step(0.1, 0.1), 1);
  EXPECT_EQ(parts_of_step(-0.1, 0.099), 2);
  EXPECT_EQ(parts_of_step(0.1, 0.1 / 5), 8);
  EXPECT_EQ(parts_of_step(1e20, 1e-20), kMaxStepParts);
  EXPECT_EQ(parts_of_step(0.1, 0), kMaxStepParts);
  EXPECT_EQ(parts_of_step(0, 0), 1);
  EXPECT_EQ(parts_of_step(0.1, std::numeric_limits<double>::infinity()), 1);
  EXPECT_EQ(parts_of_step(std::numeric_limits<double>::quiet_NaN(), 0.1), 1);
}

TEST(AdaptiveSteps, AreValidated) {
  for (const double valid : {0.0, 1e-6, 0.025, 1.0}) EXPECT_EQ(problem_with(Params{.adaptive_steps = valid}), "");
  for (const double bad : {-0.025, 1e-7, 1.5, HUGE_VAL, std::nan("")})
    EXPECT_NE(problem_with(Params{.adaptive_steps = bad}).find("adaptive-steps"), std::string::npos) << bad;
}

// An accepted step is as many undivided ones, whose bits it has: nothing of a rejected attempt is left.
TEST(AdaptiveSteps, AreAsManyShortOnes) {
  Params whole = kCollapse, part = kCollapse;
  part.adaptive_steps = 0;
  const auto divided = Simulation::create({}, scene_bodies("cold-collapse", 500)),
             undivided = Simulation::create({}, scene_bodies("cold-collapse", 500));
  std::vector<int> parts;
  for (int k = 0; k < 60; ++k) {
    divided->step(whole, k % 7 == 0);
    parts.push_back(divided->step_parts());
    part.dt = whole.dt / parts.back();
    for (int p = 0; p < parts.back(); ++p) undivided->step(part);
    ASSERT_TRUE(same_motion(divided->bodies(), undivided->bodies())) << "step " << k;
    EXPECT_EQ(divided->time(), (k + 1) * whole.dt);
    EXPECT_EQ(divided->steps(), static_cast<std::uint64_t>(k + 1));
  }
  EXPECT_EQ(least(parts), 1);
  EXPECT_GE(most(parts), 4);
}

// The parts satisfy the criterion at both ends of each.
TEST(AdaptiveSteps, AreShortEnoughAtTheirEnd) {
  const auto simulation = exact_simulation(scene_bodies("cold-collapse", 300));
  int rejected = 0;
  for (int k = 0; k < 60; ++k) {
    const auto at_start =
        parts_of_step(kCollapse.dt, max_undivided_dt(kCollapse.softening, simulation->diagnostics(kCollapse)));
    simulation->step(kCollapse);
    const auto at_end =
        parts_of_step(kCollapse.dt, max_undivided_dt(kCollapse.softening, simulation->diagnostics(kCollapse)));
    EXPECT_GE(simulation->step_parts(), std::max(at_start, at_end)) << k;
    rejected += at_end > at_start;
  }
  EXPECT_GT(rejected, 0);
}

// N11 with divided steps: the way back finds the same parts.
TEST(AdaptiveSteps, RunBackwards) {
  for (const std::uint64_t seed : {1, 2, 3, 4}) {
    const Bodies start = scene_bodies("cold-collapse", 100, 3, seed);
    const auto simulation = exact_simulation(start);
    Params params = kCollapse;
    std::vector<int> there = divided_run(*simulation, params, 64).parts;
    params.dt = -params.dt;
    std::vector<int> back = divided_run(*simulation, params, 64).parts;
    std::ranges::reverse(back);
    EXPECT_EQ(back, there) << "seed " << seed;
    EXPECT_GE(most(there), 4);
    const Bodies end = simulation->bodies();
    double worst = 0;
    for (std::size_t i = 0; i < start.size(); ++i) worst = std::max(worst, length(end[i].position - start[i].position));
    EXPECT_LE(worst, 1e-9) << "seed " << seed;
    EXPECT_EQ(simulation->time(), 0);
  }
}

TEST(AdaptiveSteps, FollowAnEccentricOrbitWithoutSoftening) {
  Params params{.dt = 2 * std::numbers::pi / 256, .softening = 0};
  const auto fixed = exact_simulation(eccentric_pair(0.95)), divided = exact_simulation(eccentric_pair(0.95));
  const DividedRun coarse = divided_run(*fixed, params, 256);
  params.adaptive_steps = kMaxFallPerStep / 64;  // 160 steps per orbit
  const DividedRun fine = divided_run(*divided, params, 256);
  EXPECT_EQ(most(coarse.parts), 1);
  EXPECT_EQ(most(fine.parts), 64);
  EXPECT_LT(fine.worst, coarse.worst / 20);
}

TEST(AdaptiveSteps, DoNotDependOnTheThreads) {
  const Bodies bodies = scene_bodies("cold-collapse", 3000);
  const auto one = Simulation::create({.threads = 1}, bodies), two = Simulation::create({.threads = 2}, bodies);
  int parts = 0;
  for (int k = 0; k < 40; ++k) {
    one->step(kCollapse);
    two->step(kCollapse);
    EXPECT_EQ(one->step_parts(), two->step_parts());
    parts = std::max(parts, one->step_parts());
  }
  EXPECT_GT(parts, 1);
  EXPECT_TRUE(same_motion(one->bodies(), two->bodies()));
}

TEST(AdaptiveSteps, RestartsAreExact) {
  for (const Config& config : configs_of(Backend::cpu)) {
    auto whole = Simulation::create(config, scene_bodies("cold-collapse", 300, config.dimension));
    int parts = 0;
    for (int k = 0; k < 30; ++k) whole->step(kCollapse);
    auto resumed = Simulation::create(config, whole->bodies(), {.time = whole->time(), .steps = whole->steps()});
    for (int k = 0; k < 10; ++k) {
      whole->step(kCollapse, k % 3 == 0);
      resumed->step(kCollapse);
      EXPECT_EQ(whole->step_parts(), resumed->step_parts());
      parts = std::max(parts, whole->step_parts());
    }
    EXPECT_TRUE(same_motion(config, whole->bodies(), resumed->bodies())) << describe(config);
    EXPECT_GT(parts, 1) << describe(config);
  }
}

TEST(AdaptiveSteps, ContinueWhereTheyWereCancelled) {
  CancellationToken cancellation;
  const Bodies bodies = scene_bodies("cold-collapse", 300);
  const auto expected = Simulation::create({}, bodies),
             simulation = Simulation::create({}, bodies, {.cancellation = &cancellation});
  int cancelled = 0;
  simulation->accelerations(kCollapse);
  for (int k = 0; k < 45; ++k) {
    expected->step(kCollapse);
    cancellation.ask(CancellationToken::Why::cancelled);
    EXPECT_THROW(simulation->step(kCollapse), Cancelled);
    EXPECT_TRUE(simulation->in_step());
    cancelled += expected->step_parts() > 1;
    cancellation.ask(CancellationToken::Why::nothing);
    simulation->step(kCollapse);
    EXPECT_FALSE(simulation->in_step());
  }
  EXPECT_GT(cancelled, 0);
  EXPECT_TRUE(same_motion(simulation->bodies(), expected->bodies()));
  EXPECT_EQ(simulation->time(), expected->time());
}

// With dt = 0.032, the second body falls 0.019 softening lengths, the third 0.0002.
TEST(AdaptiveSteps, AreStricterForBodiesWithMass) {
  const Bodies bodies = {resting(0, 1), resting(0.5, 0), resting(5, 1e-6)};
  Params params{.dt = 0.032, .softening = 0.1, .adaptive_steps = 1e-4};
  const auto simulation = exact_simulation(bodies);
  simulation->step(params);
  EXPECT_EQ(simulation->step_parts(), 2) << "the body with mass";
  params.dt = 0.06;
  const auto longer = exact_simulation({bodies[0], bodies[1]});
  longer->step(params);
  EXPECT_EQ(longer->step_parts(), 2) << "the body without mass";
}

TEST(AdaptiveSteps, NeverHang) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Bodies all[] = {
      {resting(0, 1), resting(0, 1)},
      {resting(0, 1), resting(1e-30, 1)},
      {resting(0, 1), resting(nan, 1), resting(1, 1)},
      {},
  };
  for (const Bodies& bodies : all) {
    for (const Precision precision : {Precision::float32, Precision::float64}) {
      for (const double softening : {0.0, 0.01}) {
        for (const double dt : {0.0, 1e20, -1e-3}) {
          const auto simulation = Simulation::create({.solver = "direct", .precision = precision}, bodies);
          const Params params{.dt = dt, .softening = softening, .adaptive_steps = kMinAdaptiveSteps};
          for (int k = 0; k < 3; ++k) simulation->step(params);
          EXPECT_LE(simulation->step_parts(), kMaxStepParts);
          EXPECT_EQ(simulation->steps(), 3u);
          if (dt == 0) {
            EXPECT_EQ(simulation->step_parts(), 1);
          }
        }
      }
    }
  }
}

TEST(AdaptiveSteps, AreNotShownAhead) {
  const auto simulation = Simulation::create({}, scene_bodies("cold-collapse", 300));
  std::vector<Vertex> vertices(300);
  EXPECT_FALSE(simulation->write_vertices_ahead(kCollapse, host_target(vertices)));
  EXPECT_EQ(vertices[7].x, 0);
}

TEST(AdaptiveSteps, AreNoReasonForAWarning) {
  Diagnostics diagnostics;
  diagnostics.strongest = 40;
  Params params{.dt = 0.08, .softening = 0.05};
  EXPECT_DOUBLE_EQ(fall_per_step(params, diagnostics), 2.56);
  EXPECT_TRUE(exceeds_timestep_criterion(params, diagnostics));
  params.adaptive_steps = 1e-3;
  EXPECT_DOUBLE_EQ(fall_per_step(params, diagnostics), 0.01) << "16 parts";
  EXPECT_FALSE(exceeds_timestep_criterion(params, diagnostics));
  params.dt = 64 * 0.08;
  EXPECT_TRUE(exceeds_timestep_criterion(params, diagnostics)) << "64 parts are not enough";
}

}  // namespace
}  // namespace pericenter::test
