// The measurements of a run, each with a simulation alone.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <numbers>
#include <string>

#include "sim/core/vertex_target.h"
#include "sim/run/accuracy_watch.h"
#include "sim/run/encounter_watch.h"
#include "sim/run/force_sample_watch.h"
#include "sim/run/orbit_watch.h"
#include "sim/run/recording.h"
#include "sim/run/rotation_watch.h"
#include "sim/run/structure_watch.h"
#include "sim/run/tree_and_probe.h"
#include "sim/scenes/registry.h"

namespace pericenter {
namespace {

class Watcher : public testing::Test {
 protected:
  void create(const std::string& scene, std::size_t count, const std::string& solver = "octree") {
    Scene made = find_scene(scene)->make({.bodies = count});
    simulation_ = Simulation::create({.solver = solver, .precision = Precision::float64}, made.bodies);
    state_.params = made.params;
  }
  void step(RunWatcher& watcher, int count = 1) {
    for (int k = 0; k < count; ++k) {
      simulation_->step(state_.params);
      watcher.after_step(view());
    }
  }
  void measure(AccuracyWatch& accuracy, OrbitWatch& orbits) {
    accuracy.measure_diagnostics(view());
    orbits.on_diagnostics(view());
    accuracy.on_diagnostics(view());
  }
  RunView view() {
    return {.simulation = *simulation_,
            .state = state_,
            .record = record_,
            .bodies = bodies_,
            .checkpoints = checkpoints_,
            .options = options_,
            .step_seconds = step_seconds_,
            .samples_forces = true};
  }
  /// With it, the bodies have memory for a copy.
  void add_checkpoint() {
    checkpoints_.add(simulation_->size(), [this] {
      Snapshot snapshot;
      snapshot.bodies = simulation_->bodies();
      snapshot.time = simulation_->time();
      snapshot.run.emplace().steps = simulation_->steps();
      return snapshot;
    });
  }
  std::shared_ptr<const LabRecord> record() { return record_.record(false); }

  std::unique_ptr<Simulation> simulation_;
  RunState state_;
  LabRecorder record_;
  BodyMeasurements bodies_;
  Checkpoints checkpoints_;
  RunOptions options_;
  double step_seconds_ = 0;
};

TEST_F(Watcher, AccuracyCarriesTheEnergyErrorAcrossAChangeOfSoftening) {
  create("plummer", 200, "direct");
  AccuracyWatch watch;
  ASSERT_TRUE(watch.measure_diagnostics(view()));
  EXPECT_EQ(state_.energy_error, 0);
  EXPECT_TRUE(watch.is_current(view()));
  state_.params.dt *= 20;
  step(watch, 10);
  EXPECT_FALSE(watch.is_current(view()));
  watch.measure_diagnostics(view());
  const double error = state_.energy_error;
  ASSERT_GT(std::abs(error), 1e-6);
  state_.params.softening *= 3;
  watch.measure_diagnostics(view());
  EXPECT_DOUBLE_EQ(state_.energy_error, error);
}

TEST_F(Watcher, AccuracyOfACopyIsThatOfItsMoment) {
  create("plummer", 200, "direct");
  AccuracyWatch watch;
  watch.measure_diagnostics(view());
  const AccuracyWatch early = watch;
  const double start = state_.diagnostics.energy();
  step(watch, 5);
  watch.measure_diagnostics(view());
  EXPECT_EQ(early.reference()->energy(), start);
  EXPECT_EQ(watch.reference()->energy(), start) << "the reference stays";
}

TEST_F(Watcher, HealthCountsATriedTimeStepOnlyOnceItWasUsed) {
  create("plummer", 200, "direct");
  AccuracyWatch watch;
  watch.measure_diagnostics(view());
  const double dt = state_.params.dt;
  state_.params.dt = 1e3 * dt;
  watch.update_health(view());
  state_.params.dt = dt;
  watch.update_health(view());
  EXPECT_TRUE(std::isnan(state_.health.fall_per_step.worst));
  state_.params.dt = 1e3 * dt;
  watch.on_step(view());
  watch.update_health(view());
  EXPECT_GT(state_.health.fall_per_step.worst, 10);
}

// Regression: a comet without mass was thrown out of the solar system while the result was called trustworthy.
TEST_F(Watcher, OrbitOfACometIsDoubtfulBeforeItFailsAndWrongAfterwards) {
  constexpr double kEccentricity = 0.967, kPericenter = 0.5885;
  const double far = kPericenter * (1 + kEccentricity) / (1 - kEccentricity);
  const double speed = std::sqrt((1 - kEccentricity) / far);
  const Bodies bodies = {{.position = {}, .velocity = {}, .mass = 1},
                         {.position = {far, 0, 0}, .velocity = {0, speed, 0}}};
  const double turn = 2 * std::numbers::pi * std::pow(kPericenter, 1.5);
  for (const double steps : {2.0, 25.0}) {
    simulation_ = Simulation::create({.solver = "direct", .precision = Precision::float64}, bodies);
    state_ = {};
    state_.params = {.dt = turn / steps, .softening = 0};
    AccuracyWatch accuracy;
    OrbitWatch orbits;
    measure(accuracy, orbits);
    const double period = 2 * std::numbers::pi * std::pow(kPericenter / (1 - kEccentricity), 1.5);
    EXPECT_NEAR(state_.health.steps_at_pericenter.now, steps, 1e-6);
    EXPECT_EQ(state_.health.level, steps < 20 ? HealthLevel::fair : HealthLevel::good);
    step(accuracy, static_cast<int>(period / state_.params.dt));
    measure(accuracy, orbits);
    EXPECT_EQ(state_.health.level, steps < 20 ? HealthLevel::poor : HealthLevel::good);
    EXPECT_EQ(std::isnan(state_.orbit_check.energy_change), steps >= 20);
    if (steps >= 20) {
      EXPECT_NEAR(length(simulation_->bodies()[1].position), far, 1e-3 * far);
    }
  }
}

TEST_F(Watcher, AnApproachingBodyThatIsNotBoundCounts) {
  const double near = 0.0124, across = std::sqrt(2 * near), inwards = std::sqrt(2 - across * across);
  for (const double direction : {-1.0, 1.0}) {
    simulation_ = Simulation::create({.solver = "direct", .precision = Precision::float64},
                                     {{.position = {}, .velocity = {}, .mass = 1},
                                      {.position = {1, 0, 0}, .velocity = {direction * inwards, across, 0}}});
    state_ = {};
    state_.params = {.dt = 0.02, .softening = 0};
    AccuracyWatch accuracy;
    OrbitWatch orbits;
    measure(accuracy, orbits);
    EXPECT_EQ(state_.health.level, direction < 0 ? HealthLevel::fair : HealthLevel::good);
    if (direction > 0) continue;
    EXPECT_NEAR(state_.orbit_check.pericenter, near, 1e-9);
    step(accuracy, 60);
    measure(accuracy, orbits);
    EXPECT_EQ(state_.health.level, HealthLevel::poor) << "it left with another energy";
  }
}

TEST_F(Watcher, OrbitsCountOnlyAboutACentralBody) {
  create("plummer", 400);
  OrbitWatch watch;
  watch.on_diagnostics(view());
  EXPECT_EQ(state_.orbit_check.number, 1u);
  watch.on_diagnostics(view());
  EXPECT_EQ(state_.orbit_check.number, 1u) << "not looked for again";
}

TEST_F(Watcher, ForcesOfPausedBodiesAreSampledOnce) {
  create("plummer", 400);
  state_.params.theta = 1;
  ForceSampleWatch watch;
  watch.resume(view());
  EXPECT_TRUE(watch.sample_paused(view()));
  EXPECT_GT(state_.force_sample.errors.mean, 1e-6);
  EXPECT_GE(state_.force_sample.bodies, SampleSchedule::kLeast);
  EXPECT_FALSE(watch.sample_paused(view())) << "the bodies have not changed";
  state_.params.theta = 0.3;
  const double before = state_.force_sample.errors.mean;
  EXPECT_TRUE(watch.sample_paused(view()));
  EXPECT_LT(state_.force_sample.errors.mean, before);
  watch.resume(view());
  EXPECT_EQ(state_.force_sample.bodies, 0u) << "another simulation has other forces";
}

TEST_F(Watcher, ASampleOfForcesReachesTheHealth) {
  create("plummer", 400);
  AccuracyWatch accuracy;
  ForceSampleWatch forces;
  accuracy.measure_diagnostics(view());
  EXPECT_TRUE(std::isnan(state_.health.force_error.now));
  ASSERT_TRUE(forces.sample_paused(view()));
  accuracy.after_step(view());
  EXPECT_EQ(state_.health.force_error.now, state_.force_sample.errors.mean);
}

TEST_F(Watcher, StructureIsRecordedFromTheStartOn) {
  create("collision", 600);
  options_.measures_each_step = true;
  StructureWatch watch;
  watch.begin(view());
  EXPECT_TRUE(record()->structure.empty()) << "no memory for a copy of the bodies";
  add_checkpoint();
  bodies_.begin(true);
  watch.begin(view());
  step(watch, 2);
  watch.on_diagnostics(view());
  ASSERT_EQ(record()->structure.size(), 3u);
  EXPECT_GT(record()->structure[0].separation, 0);
  EXPECT_EQ(record()->structure[2].position, 2);
  ASSERT_EQ(record()->samples.size(), 1u);
  EXPECT_GT(record()->samples[0].start_distance, 0);
}

TEST_F(Watcher, EncounterFindsThePericenterOnceTheStructureIsKnown) {
  create("collision", 600);
  add_checkpoint();
  EncounterWatch watch;
  step(watch);
  EXPECT_TRUE(record_.events().empty());
  StructureWatch::measure_now(view());
  for (int k = 0; k < 2000 && record_.events().empty(); ++k) step(watch);
  ASSERT_FALSE(record_.events().empty());
  EXPECT_EQ(record_.events().front().kind, EncounterEventKind::pericenter);
}

TEST_F(Watcher, PericentreDoesNotDependOnTheDurationOfSteps) {
  const auto position = [this](double seconds) {
    create("collision", 600);
    record_ = {};
    bodies_ = {};
    step_seconds_ = seconds;
    StructureWatch::measure_now(view());
    EncounterWatch watch;
    for (int k = 0; k < 2000 && record_.events().empty(); ++k) step(watch);
    return record_.events().empty() ? 0 : record_.events().front().position;
  };
  const double of_short_steps = position(1e-9);
  EXPECT_GT(of_short_steps, 0);
  EXPECT_EQ(position(1e3), of_short_steps);
}

TEST_F(Watcher, RotationIsMeasuredWhileItIsOn) {
  create("galaxy", 3000);
  StructureWatch::measure_now(view());
  RotationWatch watch;
  step(watch);
  EXPECT_TRUE(record()->rotation.radius.empty());
  watch.turn(true, view());
  EXPECT_FALSE(record()->rotation.radius.empty());
  watch.turn(false, view());
  EXPECT_TRUE(record()->rotation.radius.empty());
}

TEST_F(Watcher, TreeIsShownAgainAfterEachStep) {
  create("plummer", 300);
  TreeAndProbe watch;
  const RunView run = view();
  EXPECT_FALSE(watch.new_boxes(&run, false));
  watch.show_tree({.show = true, .first_level = 0, .last_level = 1});
  const auto boxes = watch.new_boxes(&run, false);
  ASSERT_TRUE(boxes);
  EXPECT_EQ(boxes->size(), 9u) << "the root and its eight cells";
  EXPECT_FALSE(watch.new_boxes(&run, false));
  step(watch);
  EXPECT_TRUE(watch.new_boxes(&run, false));
  step(watch);
  EXPECT_EQ(watch.new_boxes(&run, true)->size(), 0u) << "a recorded moment has no tree";
}

TEST_F(Watcher, ProbeHasTheForceOfItsBody) {
  create("plummer", 300);
  TreeAndProbe watch;
  const RunView run = view();
  std::string problem;
  watch.show_probe(7);
  const auto found = watch.new_probe(&run, false, problem);
  ASSERT_TRUE(found && *found);
  EXPECT_EQ((*found)->acceleration, simulation_->accelerations(state_.params)[7]);
  EXPECT_FALSE(watch.new_probe(&run, false, problem)) << "unchanged";
  step(watch);
  const auto rewound = watch.new_probe(&run, true, problem);
  ASSERT_TRUE(rewound);
  EXPECT_FALSE(*rewound);
  EXPECT_THAT(problem, testing::HasSubstr("A recorded moment has no tree"));
}

TEST_F(Watcher, RecordingOfACopyContinuesIndependently) {
  create("plummer", 50);
  Recording recording;
  recording.history().set_budget(std::size_t{1} << 24);
  recording.start(*simulation_, nullptr);
  ASSERT_TRUE(recording.history().is_on()) << recording.history().off_because();
  const auto advance = [&] {
    recording.before_step(*simulation_, state_.params, {});
    simulation_->step(state_.params);
    recording.after_step(*simulation_, 1e-3);
    if (recording.wants_keyframe()) recording.record(*simulation_);
  };
  for (int k = 0; k < 4; ++k) advance();
  ASSERT_TRUE(recording.record_newest(*simulation_));
  const Recording copy = recording;
  for (int k = 0; k < 4; ++k) advance();
  EXPECT_EQ(copy.history().line().last.step, 4u);
  EXPECT_EQ(recording.history().line().last.step, 8u);
  EXPECT_EQ(copy.history().line().keyframes.front().motion, recording.history().line().keyframes.front().motion)
      << "the copy shares the keyframes";
}

}  // namespace
}  // namespace pericenter
