#include "sim/run/checkpoint.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <future>
#include <limits>
#include <memory>
#include <new>
#include <numbers>
#include <string>

#include "sim/core/bodies.h"
#include "sim/core/device.h"
#include "sim/core/device_errors.h"
#include "sim/core/simulation.h"
#include "sim/core/timestep_criterion.h"
#include "sim/scenes/registry.h"
#include "sim/solvers/registry.h"

namespace pericenter {
namespace {

Snapshot at(double time) {
  Snapshot snapshot;
  snapshot.bodies.resize(9000);
  snapshot.time = time;
  snapshot.run = SavedRun{};
  return snapshot;
}

void add(Checkpoints& checkpoints, Snapshot snapshot) {
  checkpoints.add(snapshot.bodies.size(), [&] { return snapshot; });
}

TEST(Checkpoints, NonfiniteOneIsDiscarded) {
  Checkpoints checkpoints;
  add(checkpoints, at(1));
  for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    Snapshot position = at(2), velocity = at(3);
    position.bodies[8999].position[2] = bad;
    velocity.bodies[4096].velocity[1] = -bad;
    add(checkpoints, position);
    add(checkpoints, velocity);
    EXPECT_EQ(checkpoints.latest()->time, 1);
  }
  EXPECT_EQ(checkpoints.rollback_target()->time, 1);
}

TEST(Checkpoints, SecondRollbackGoesFurtherBack) {
  Checkpoints checkpoints;
  for (const double time : {1, 2, 3}) add(checkpoints, at(time));
  EXPECT_EQ(checkpoints.rollback_target()->time, 3);
  checkpoints.note_rollback();
  EXPECT_EQ(checkpoints.rollback_target()->time, 2);
  checkpoints.note_rollback();
  EXPECT_EQ(checkpoints.latest()->time, 2);
  EXPECT_EQ(checkpoints.rollback_target()->time, 2) << "there is no earlier one";
  add(checkpoints, at(2.5));
  EXPECT_EQ(checkpoints.rollback_target()->time, 2.5);
}

TEST(Checkpoints, WithoutRollbackOnlyTheLatestIsStored) {
  Checkpoints checkpoints(false);
  add(checkpoints, at(1));
  const std::weak_ptr<const Snapshot> first = checkpoints.latest();
  add(checkpoints, at(2));
  EXPECT_TRUE(first.expired());
  EXPECT_EQ(checkpoints.latest()->time, 2);
  EXPECT_EQ(checkpoints.rollback_target()->time, 2);
}

TEST(Checkpoints, PeriodIsAtLeastOneSecond) {
  Checkpoints checkpoints;
  add(checkpoints, at(1));
  EXPECT_GE(checkpoints.period(), 1);
  checkpoints.update(1, [] { return PendingCheckpoint{at(2)}; });
  EXPECT_EQ(checkpoints.latest()->time, 1);
  EXPECT_EQ(checkpoints.rollback_target()->bodies.size(), 9000u);
  checkpoints.clear();
  EXPECT_FALSE(checkpoints.latest());
}

/// Starts a checkpoint of time 2 whose bodies the test provides later.
struct Background {
  std::promise<Bodies> bodies;
  int started = 0;

  void update(Checkpoints& checkpoints) {
    checkpoints.update(9000, [this] {
      ++started;
      PendingCheckpoint copy{at(2)};
      copy.snapshot.bodies.clear();
      copy.bodies = [coming = bodies.get_future().share()] { return coming.get(); };
      return copy;
    });
  }
};

TEST(Checkpoints, FinishInTheBackground) {
  Checkpoints checkpoints;
  Background background;
  for (int k = 0; k < 3; ++k) background.update(checkpoints);
  EXPECT_EQ(background.started, 1) << "one at a time";
  EXPECT_FALSE(checkpoints.latest());
  background.bodies.set_value(at(2).bodies);
  checkpoints.finish();
  ASSERT_TRUE(checkpoints.latest());
  EXPECT_EQ(checkpoints.latest()->bodies.size(), 9000u);
  background.update(checkpoints);
  EXPECT_EQ(background.started, 1) << "the next one is due in one second";
}

TEST(Checkpoints, FailedPendingOneKeepsThePrevious) {
  for (const bool finite : {false, true}) {
    Checkpoints checkpoints;
    Background background;
    background.update(checkpoints);
    if (finite) {
      background.bodies.set_exception(std::make_exception_ptr(DeviceMemoryError(2, 1)));
    } else {
      Bodies bodies = at(2).bodies;
      bodies[17].velocity[1] = std::nan("");
      background.bodies.set_value(bodies);
    }
    checkpoints.finish();
    EXPECT_FALSE(checkpoints.latest());
    add(checkpoints, at(3));
    EXPECT_EQ(checkpoints.latest()->time, 3);
  }
}

TEST(Checkpoints, ClearAndRollbackDropThePendingOne) {
  for (const auto drop : {&Checkpoints::clear, &Checkpoints::note_rollback}) {
    Checkpoints checkpoints;
    Background background;
    background.update(checkpoints);
    background.bodies.set_value(at(2).bodies);
    (checkpoints.*drop)();
    checkpoints.finish();
    EXPECT_FALSE(checkpoints.latest());
  }
}

TEST(Checkpoints, AreDisabledWhenOneWouldFillTheMemory) {
  Checkpoints checkpoints;
  checkpoints.add(std::numeric_limits<std::uint32_t>::max() * std::size_t(1000), []() -> Snapshot { throw 1; });
  EXPECT_FALSE(checkpoints.latest());
  EXPECT_EQ(checkpoints.period(), 0);
  EXPECT_TRUE(checkpoints.missing());
  add(checkpoints, at(1));
  EXPECT_FALSE(checkpoints.missing());
  checkpoints.add(std::size_t{1} << 40, []() -> Snapshot { throw 1; });
  checkpoints.clear();
  EXPECT_FALSE(checkpoints.missing()) << "of the next run";
}

TEST(Checkpoints, OutOfMemoryIsNotFatal) {
  Checkpoints checkpoints;
  add(checkpoints, at(1));
  checkpoints.add(1, []() -> Snapshot { throw DeviceMemoryError(2, 1); });
  EXPECT_EQ(checkpoints.latest()->time, 1);
  EXPECT_FALSE(checkpoints.missing());
  checkpoints.add(1, []() -> Snapshot { throw std::bad_alloc(); });
  EXPECT_FALSE(checkpoints.latest());
  EXPECT_TRUE(checkpoints.missing());
}

TEST(Fault9, CudaErrorsAreClassified) {
  EXPECT_EQ(meaning_of_cuda_error(2), CudaErrorKind::out_of_memory);
  for (const int code : {46, 214, 700, 702, 710, 715, 716, 717, 718, 719})
    EXPECT_EQ(meaning_of_cuda_error(code), CudaErrorKind::device_lost) << code;
  for (const int code : {1, 3, 35, 98, 209, 304, 400, 701, 720, 801, 900, 999})
    EXPECT_EQ(meaning_of_cuda_error(code), CudaErrorKind::defect) << code;
}

TEST(Fault9, EverySolverContinuesOnTheCpu) {
  for (const SolverInfo& info : solvers()) {
    if (!info.cuda) continue;
    Config config{.solver = std::string(info.name), .backend = Backend::cuda, .precision = Precision::float64};
    for (const SupportedOption& row : info.options) {
      for (std::size_t choice = 0; choice < solver_option_info(row.which).values.size(); ++choice) {
        Config chosen = config;
        chosen.solver_options.set(row.which, static_cast<int>(choice));
        if (!problem_with(chosen).empty()) continue;
        EXPECT_EQ(problem_with(on_cpu(chosen)), "") << info.name;
        EXPECT_EQ(on_cpu(chosen).backend, Backend::cpu);
        EXPECT_EQ(on_cpu(chosen).solver, chosen.solver);
        EXPECT_EQ(on_cpu(chosen).precision, Precision::float64);
      }
    }
  }
}

TEST(Fault24, FirstNonfiniteBodyIsNamed) {
  EXPECT_EQ(body_name(17, make_tag(1, Component::halo)), "body 17 (halo of galaxy 2)");
  EXPECT_EQ(body_name(17, make_tag(0, Component::other)), "body 17");
  EXPECT_EQ(nonfinite_bodies_message("body 17", 1), "Body 17 has a NaN or infinite position or velocity.");
  EXPECT_EQ(nonfinite_bodies_message("body 17", 4), "Body 17 and 3 more have a NaN or infinite position or velocity.");
}

TEST(TimestepCriterion, UsesTheLargestAcceleration) {
  Diagnostics diagnostics;
  diagnostics.fastest = 1e9;
  diagnostics.strongest = 40;
  const Params params{.dt = -0.01, .softening = 0.05};
  EXPECT_DOUBLE_EQ(fall_per_step(params, diagnostics), 0.04);
  EXPECT_TRUE(exceeds_timestep_criterion(params, diagnostics));
  const double longest = max_safe_dt(params, diagnostics);
  EXPECT_FALSE(exceeds_timestep_criterion({.dt = longest, .softening = 0.05}, diagnostics));
  EXPECT_TRUE(exceeds_timestep_criterion({.dt = 1.01 * longest, .softening = 0.05}, diagnostics));
  EXPECT_TRUE(exceeds_suggested(params, {.dt = 0.009, .softening = 0.05}));
  EXPECT_FALSE(exceeds_suggested(params, params));
  EXPECT_FALSE(exceeds_suggested(params, {.dt = 0.009, .softening = 0.04}));
  EXPECT_FALSE(exceeds_timestep_criterion({.dt = 100, .softening = 0}, diagnostics)) << "no orbit is known";
}

TEST(TimestepCriterion, UsesTheShortestOrbitWithoutSoftening) {
  // A light body on a circular orbit of radius 1/4 has a period of 2 pi / 8.
  const Bodies bodies = {{{}, {}, 1, 0}, {{0.25, 0, 0}, {0, 2, 0}, 1e-9, 0}, {{0, 9, 0}, {}, 1e-9, 0}};
  const auto simulation = Simulation::create({.precision = Precision::float64}, bodies);
  const Params params{.dt = -0.05, .softening = 0};
  const Diagnostics diagnostics = simulation->diagnostics(params);
  EXPECT_NEAR(diagnostics.shortest_orbit, std::numbers::pi / 4, 1e-6);
  EXPECT_NEAR(max_safe_dt(params, diagnostics), std::numbers::pi / 80, 1e-6);
  EXPECT_TRUE(exceeds_timestep_criterion(params, diagnostics));
  EXPECT_FALSE(exceeds_timestep_criterion({.dt = 0.03, .softening = 0}, diagnostics));
  EXPECT_TRUE(exceeds_suggested(params, {.dt = 0.04, .softening = 0}));
  EXPECT_FALSE(exceeds_suggested(params, {.dt = 0.05, .softening = 0}));
  EXPECT_TRUE(exceeds_suggested({.dt = 0.05, .softening = 0.1}, {.dt = 0.04, .softening = 0}));
}

TEST(TimestepCriterion, DoesNotTrustSuggestedValues) {
  Diagnostics diagnostics;
  diagnostics.strongest = 1;
  const auto needed = [&](double dt) {
    const Params params{.dt = dt, .softening = 1};
    return needs_shorter_step(params, params, diagnostics);
  };
  EXPECT_FALSE(needed(0.2));
  EXPECT_FALSE(needed(0.8)) << "scenes of the scene table were tested with it";
  EXPECT_TRUE(needed(2));
}

TEST(TimestepCriterion, ScenesStartWithoutAWarning) {
  for (const SceneInfo& info : scenes()) {
    const Scene scene = info.make({.bodies = info.allowed(500)});
    const Diagnostics diagnostics = Simulation::create({}, scene.bodies)->diagnostics(scene.params);
    EXPECT_FALSE(needs_shorter_step(scene.params, scene.params, diagnostics)) << info.name;
  }
}

}  // namespace
}  // namespace pericenter
