#include "app/ui/ablation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sim/solvers/registry.h"

namespace pericenter::app {
namespace {

/// Steps of a simulation, as the snapshots of frames show them.
class Climb : public ::testing::Test {
 protected:
  Climb() {
    state.scene = "collision";
    state.scene_serial = 1;
    state.bodies = 1000;
    state.params = {0.03, 0.7, 0.1, 1};
    ladder.follow(state);
  }

  void step(double ms, int count = 1) {
    for (int k = 0; k < count; ++k) {
      ++state.steps;
      state.timings = {};
      state.timings[Stage::walk] = static_cast<float>(ms);
      state.timings[Stage::publish] = 1000;
      state.timings[Stage::diagnostics] = 1000;
      for (int frames = 0; frames < 3; ++frames) ladder.follow(state);
    }
  }
  void set(SolverOption which, auto choice) {
    state.config = with_value(state.config, which, static_cast<int>(choice));
    ladder.follow(state);
  }

  SessionState state;
  Ablation ladder;
};

TEST_F(Climb, ACostIsTheMeanOfTheLastHundredSteps) {
  EXPECT_EQ(ladder.now()->steps, 0u);
  step(500, 3);  // left out
  EXPECT_EQ(ladder.now()->steps, 0u);
  step(8, 50);
  EXPECT_EQ(ladder.now()->steps, 50u);
  EXPECT_DOUBLE_EQ(ladder.now()->ms, 8);
  step(2, 50);
  EXPECT_DOUBLE_EQ(ladder.now()->ms, 5);
  step(2, 25);
  EXPECT_EQ(ladder.now()->steps, 100u);
  EXPECT_DOUBLE_EQ(ladder.now()->ms, 3.5);
  EXPECT_FALSE(ladder.before());
}

TEST_F(Climb, BothSidesOfAChangeAreCounted) {
  step(10, 43);
  set(SolverOption::walk, Walk::stack);
  EXPECT_EQ(ladder.steps_now(), 0u);
  step(700, 3);
  step(25, 7);
  ASSERT_TRUE(ladder.before());
  EXPECT_EQ(ladder.before()->steps, 40u);
  EXPECT_DOUBLE_EQ(ladder.before()->ms, 10);
  EXPECT_EQ(ladder.now()->steps, 7u);
  EXPECT_EQ(ladder.steps_now(), 7u);
  EXPECT_DOUBLE_EQ(ladder.now()->ms, 25);
  EXPECT_EQ(ladder.rungs().size(), 2u);
}

TEST_F(Climb, WhatWasOnlyPassedOnTheWayIsNotCompared) {
  step(10, 10);
  set(SolverOption::walk, Walk::stack);
  step(5, 2);
  set(SolverOption::order, Order::shuffled);
  step(30, 10);
  ASSERT_TRUE(ladder.before());
  EXPECT_DOUBLE_EQ(ladder.before()->ms, 10);
  EXPECT_EQ(ladder.rungs().size(), 2u);
  EXPECT_EQ(changes(ladder.before()->config, ladder.now()->config).size(), 2u);
}

TEST_F(Climb, ARungIsMeasuredAgainInItsPlace) {
  step(10, 10);
  set(SolverOption::walk, Walk::stack);
  step(20, 10);
  set(SolverOption::walk, Walk::group);
  EXPECT_EQ(ladder.now(), &ladder.rungs()[0]);
  EXPECT_EQ(ladder.before(), &ladder.rungs()[1]);
  EXPECT_EQ(ladder.steps_now(), 0u);
  EXPECT_DOUBLE_EQ(ladder.now()->ms, 10);  // as it was until there is news
  step(14, 5);
  EXPECT_DOUBLE_EQ(ladder.now()->ms, 14);
  EXPECT_EQ(ladder.now()->steps, 2u);
  EXPECT_EQ(ladder.rungs().size(), 2u);
}

TEST_F(Climb, AnotherProblemEmptiesTheLadder) {
  const auto expect_empty = [&](const char* what) {
    ladder.follow(state);
    EXPECT_EQ(ladder.rungs().size(), 1u) << what;
    EXPECT_FALSE(ladder.before()) << what;
    EXPECT_EQ(ladder.now()->steps, 0u) << what;
    step(10, 10);
    state.config.precision = Precision::float64;
    step(10, 10);
    state.config.precision = Precision::float32;
    step(10, 10);
    EXPECT_EQ(ladder.rungs().size(), 2u) << what;
  };
  expect_empty("nothing");
  state.params.theta = 0.5;
  expect_empty("theta");
  state.params.accuracy = 1e-4;
  expect_empty("accuracy");
  state.params.softening = 0.2;
  expect_empty("softening");
  state.bodies = 2000;
  expect_empty("bodies");
  state.config.dimension = 2;
  expect_empty("dimension");
  state.scene = "galaxy";
  expect_empty("scene");
  ladder.clear();
  expect_empty("clear()");
}

TEST_F(Climb, ASceneThatStartsAgainOrBackwardsIsTheSameProblem) {
  step(10, 10);
  set(SolverOption::walk, Walk::stack);
  step(20, 10);
  state.params.dt = -0.01;
  ++state.scene_serial;
  state.steps = 0;
  ladder.follow(state);
  EXPECT_EQ(ladder.rungs().size(), 2u);
  EXPECT_DOUBLE_EQ(ladder.before()->ms, 10);
  EXPECT_EQ(ladder.steps_now(), 0u);
  step(900, 3);
  step(40, 2);
  EXPECT_DOUBLE_EQ(ladder.now()->ms, 40);
}

TEST_F(Climb, TheLastEightAreKept) {
  step(1, 10);
  int configs = 1;
  for (const Precision precision : {Precision::float32, Precision::float64})
    for (const Walk walk : {Walk::group, Walk::skip, Walk::climb, Walk::stack})
      for (const Multipole multipole : {Multipole::quadrupole, Multipole::monopole}) {
        state.config.precision = precision;
        state.config.multipole = multipole;
        set(SolverOption::walk, walk);
        step(configs, 10);
        ++configs;
        ASSERT_LE(ladder.rungs().size(), Ablation::kRungs);
        ASSERT_TRUE(ladder.now());
        ASSERT_EQ(ladder.before() != nullptr, configs > 2);
      }
  EXPECT_EQ(ladder.rungs().size(), Ablation::kRungs);
  EXPECT_DOUBLE_EQ(ladder.rungs().back().ms, 16);
  EXPECT_DOUBLE_EQ(ladder.rungs().front().ms, 9);
}

TEST_F(Climb, WhatIsChosenAnywayIsNoChange) {
  step(10, 10);
  state.config.solver_options.set(SolverOption::walk, Walk::group);  // as --walk group does
  step(10, 10);
  EXPECT_EQ(ladder.rungs().size(), 1u);
  EXPECT_EQ(ladder.now()->steps, 17u);
}

TEST(LadderWords, NameWhatDiffers) {
  Config octree;
  const Config stack = with_value(octree, SolverOption::walk, static_cast<int>(Walk::stack));
  EXPECT_EQ(title_of(octree), "Octree, CPU");
  EXPECT_EQ(title_of(stack), "Octree, CPU, Walk: one by one, stack");
  const std::vector<Change> found = changes(octree, stack);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].setting, "Walk");
  EXPECT_EQ(found[0].from, "groups of bodies");
  EXPECT_EQ(found[0].to, "one by one, stack");
  EXPECT_EQ(step_title(octree, stack), "Walk: one by one, stack");
  Config hybrid = octree;
  hybrid.solver = "hybrid";
  hybrid.backend = Backend::cuda;
  EXPECT_EQ(step_title(stack, hybrid), "Hybrid, CUDA");
  EXPECT_EQ(changes(octree, hybrid).size(), 3u);  // algorithm, backend, and the cells that it has not
  Config one = octree;
  one.threads = 1;
  EXPECT_EQ(step_title(octree, one), "CPU threads: one");
  EXPECT_EQ(step_title(one, octree), "CPU threads: all cores");
  for (const SolverInfo& info : solvers()) {
    octree.solver = info.name;
    EXPECT_THAT(description_of(octree), testing::HasSubstr(info.title));
  }
}

TEST(LadderWords, SayHowMuchFaster) {
  EXPECT_EQ(ratio_text(18, 10), "1.8 times as fast");
  EXPECT_EQ(ratio_text(10, 23), "2.3 times as slow");
  EXPECT_EQ(ratio_text(1000, 10), "100 times as fast");
  EXPECT_EQ(ratio_text(10, 10.3), "about as fast");
}

}  // namespace
}  // namespace pericenter::app
