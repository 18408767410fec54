#include "app/ui/ablation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "sim/solvers/registry.h"

namespace pericenter::app {
namespace {

/// Session states of consecutive steps.
class AblationTest : public ::testing::Test {
 protected:
  AblationTest() {
    state.scene = "collision";
    state.scene_serial = 1;
    state.bodies = 1000;
    state.params = {0.03, 0.7, 0.1, 1};
    ablation.update(state);
  }

  void step(double ms, int count = 1) {
    for (int k = 0; k < count; ++k) {
      ++state.steps;
      state.timings = {};
      state.timings[Stage::walk] = static_cast<float>(ms);
      state.timings[Stage::write_vertices] = 1000;
      state.timings[Stage::diagnostics] = 1000;
      for (int frames = 0; frames < 3; ++frames) ablation.update(state);
    }
  }
  void set(SolverOption which, auto choice) {
    state.config = with_value(state.config, which, static_cast<int>(choice));
    ablation.update(state);
  }

  SessionState state;
  Ablation ablation;
};

TEST_F(AblationTest, TimesAreMeansOfTheLastHundredSteps) {
  EXPECT_EQ(ablation.current()->steps, 0u);
  step(500, 3);  // warm-up
  EXPECT_EQ(ablation.current()->steps, 0u);
  step(8, 50);
  EXPECT_EQ(ablation.current()->steps, 50u);
  EXPECT_DOUBLE_EQ(ablation.current()->ms, 8);
  step(2, 50);
  EXPECT_DOUBLE_EQ(ablation.current()->ms, 5);
  step(2, 25);
  EXPECT_EQ(ablation.current()->steps, 100u);
  EXPECT_DOUBLE_EQ(ablation.current()->ms, 3.5);
  EXPECT_FALSE(ablation.previous());
}

TEST_F(AblationTest, BothSidesOfAChangeAreMeasured) {
  step(10, 43);
  set(SolverOption::walk, Walk::stack);
  EXPECT_EQ(ablation.current_steps(), 0u);
  step(700, 3);
  step(25, 7);
  ASSERT_TRUE(ablation.previous());
  EXPECT_EQ(ablation.previous()->steps, 40u);
  EXPECT_DOUBLE_EQ(ablation.previous()->ms, 10);
  EXPECT_EQ(ablation.current()->steps, 7u);
  EXPECT_EQ(ablation.current_steps(), 7u);
  EXPECT_DOUBLE_EQ(ablation.current()->ms, 25);
  EXPECT_EQ(ablation.variants().size(), 2u);
}

TEST_F(AblationTest, EachVariantHasTheErrorOfItsLastSample) {
  const auto sample = [&](double mean) {
    state.force_sample.bodies = 500;
    state.force_sample.errors.mean = mean;
    state.force_sample.params = state.params;
    ablation.update(state);
  };
  EXPECT_TRUE(std::isnan(ablation.current()->error));
  step(10, 10);
  sample(1e-3);
  sample(2e-3);
  EXPECT_EQ(ablation.current()->error, 2e-3);
  state.force_sample = {};  // as a session does for another configuration
  set(SolverOption::walk, Walk::stack);
  EXPECT_TRUE(std::isnan(ablation.current()->error));
  step(10, 10);
  sample(5e-3);
  EXPECT_EQ(ablation.previous()->error, 2e-3);
  EXPECT_EQ(ablation.current()->error, 5e-3);
  state.params.theta = 0.3;  // the sample is still that of the old angle
  ablation.update(state);
  EXPECT_TRUE(std::isnan(ablation.current()->error));
  sample(1e-4);
  EXPECT_EQ(ablation.current()->error, 1e-4);
}

TEST_F(AblationTest, UnmeasuredVariantsAreNotCompared) {
  step(10, 10);
  set(SolverOption::walk, Walk::stack);
  step(5, 2);
  set(SolverOption::order, Order::shuffled);
  step(30, 10);
  ASSERT_TRUE(ablation.previous());
  EXPECT_DOUBLE_EQ(ablation.previous()->ms, 10);
  EXPECT_EQ(ablation.variants().size(), 2u);
  EXPECT_EQ(changes(ablation.previous()->config, ablation.current()->config).size(), 2u);
}

TEST_F(AblationTest, AVariantIsMeasuredAgainInItsPlace) {
  step(10, 10);
  set(SolverOption::walk, Walk::stack);
  step(20, 10);
  set(SolverOption::walk, Walk::group);
  EXPECT_EQ(ablation.current(), &ablation.variants()[0]);
  EXPECT_EQ(ablation.previous(), &ablation.variants()[1]);
  EXPECT_EQ(ablation.current_steps(), 0u);
  EXPECT_DOUBLE_EQ(ablation.current()->ms, 10);  // the old value until it is measured again
  step(14, 5);
  EXPECT_DOUBLE_EQ(ablation.current()->ms, 14);
  EXPECT_EQ(ablation.current()->steps, 2u);
  EXPECT_EQ(ablation.variants().size(), 2u);
}

TEST_F(AblationTest, AnotherProblemClearsTheList) {
  const auto expect_empty = [&](const char* what) {
    ablation.update(state);
    EXPECT_EQ(ablation.variants().size(), 1u) << what;
    EXPECT_FALSE(ablation.previous()) << what;
    EXPECT_EQ(ablation.current()->steps, 0u) << what;
    step(10, 10);
    state.config.precision = Precision::float64;
    step(10, 10);
    state.config.precision = Precision::float32;
    step(10, 10);
    EXPECT_EQ(ablation.variants().size(), 2u) << what;
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
  ablation.clear();
  expect_empty("clear()");
}

TEST_F(AblationTest, ARestartOrReversedTimeIsTheSameProblem) {
  step(10, 10);
  set(SolverOption::walk, Walk::stack);
  step(20, 10);
  state.params.dt = -0.01;
  ++state.scene_serial;
  state.steps = 0;
  ablation.update(state);
  EXPECT_EQ(ablation.variants().size(), 2u);
  EXPECT_DOUBLE_EQ(ablation.previous()->ms, 10);
  EXPECT_EQ(ablation.current_steps(), 0u);
  step(900, 3);
  step(40, 2);
  EXPECT_DOUBLE_EQ(ablation.current()->ms, 40);
}

TEST_F(AblationTest, TheLastEightAreStored) {
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
        ASSERT_LE(ablation.variants().size(), Ablation::kMaxVariants);
        ASSERT_TRUE(ablation.current());
        ASSERT_EQ(ablation.previous() != nullptr, configs > 2);
      }
  EXPECT_EQ(ablation.variants().size(), Ablation::kMaxVariants);
  EXPECT_DOUBLE_EQ(ablation.variants().back().ms, 16);
  EXPECT_DOUBLE_EQ(ablation.variants().front().ms, 9);
}

TEST_F(AblationTest, AnExplicitDefaultIsNoChange) {
  step(10, 10);
  state.config.solver_options.set(SolverOption::walk, Walk::group);  // as --walk group does
  step(10, 10);
  EXPECT_EQ(ablation.variants().size(), 1u);
  EXPECT_EQ(ablation.current()->steps, 17u);
}

TEST(AblationText, NamesTheDifferences) {
  Config octree;
  const Config stack = with_value(octree, SolverOption::walk, static_cast<int>(Walk::stack));
  EXPECT_EQ(title_of(octree), "Octree, CPU");
  EXPECT_EQ(title_of(stack), "Octree, CPU, Walk: per body, stack");
  const std::vector<Change> found = changes(octree, stack);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].setting, "Walk");
  EXPECT_EQ(found[0].from, "group walk");
  EXPECT_EQ(found[0].to, "per body, stack");
  EXPECT_EQ(step_title(octree, stack), "Walk: per body, stack");
  Config hybrid = octree;
  hybrid.solver = "hybrid";
  hybrid.backend = Backend::cuda;
  EXPECT_EQ(step_title(stack, hybrid), "Hybrid, CUDA");
  EXPECT_EQ(changes(octree, hybrid).size(), 3u);  // algorithm, backend and cells
  Config one = octree;
  one.threads = 1;
  EXPECT_EQ(step_title(octree, one), "CPU threads: one");
  EXPECT_EQ(step_title(one, octree), "CPU threads: all cores");
  for (const SolverInfo& info : solvers()) {
    octree.solver = info.name;
    EXPECT_THAT(description_of(octree), testing::HasSubstr(info.title));
  }
}

TEST(AblationText, StatesTheSpeedup) {
  EXPECT_EQ(ratio_text(18, 10), "1.8× faster");
  EXPECT_EQ(ratio_text(10, 23), "2.3× slower");
  EXPECT_EQ(ratio_text(1000, 10), "100× faster");
  EXPECT_EQ(ratio_text(10, 10.3), "equal within noise");
}

}  // namespace
}  // namespace pericenter::app
