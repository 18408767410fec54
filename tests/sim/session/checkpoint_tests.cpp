#include "sim/session/checkpoint.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <future>
#include <limits>
#include <memory>
#include <new>
#include <string>

#include "sim/core/device.h"
#include "sim/core/nonfinite_bodies.h"
#include "sim/core/timestep_criterion.h"
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

void keep(Checkpoint& state, Snapshot snapshot) {
  state.keep(snapshot.bodies.size(), [&] { return snapshot; });
}

TEST(Checkpoint, ACopyThatIsNotFiniteDoesNotReplaceTheOneBefore) {
  Checkpoint state;
  keep(state, at(1));
  for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    Snapshot position = at(2), velocity = at(3);
    position.bodies[8999].position[2] = bad;
    velocity.bodies[4096].velocity[1] = -bad;
    keep(state, position);
    keep(state, velocity);
    EXPECT_EQ(state.latest()->time, 1);
  }
  EXPECT_EQ(state.rollback_target()->time, 1);
}

TEST(Checkpoint, GoingBackTwiceGoesFurtherBack) {
  Checkpoint state;
  for (const double time : {1, 2, 3}) keep(state, at(time));
  EXPECT_EQ(state.rollback_target()->time, 3);
  state.note_gone_back();
  EXPECT_EQ(state.rollback_target()->time, 2);
  state.note_gone_back();
  EXPECT_EQ(state.latest()->time, 2);
  EXPECT_EQ(state.rollback_target()->time, 2) << "there is none before it";
  keep(state, at(2.5));
  EXPECT_EQ(state.rollback_target()->time, 2.5);
}

TEST(Checkpoint, OfARunThatNeverGoesBackIsTheLatestAlone) {
  Checkpoint state(false);
  keep(state, at(1));
  const std::weak_ptr<const Snapshot> first = state.latest();
  keep(state, at(2));
  EXPECT_TRUE(first.expired());
  EXPECT_EQ(state.latest()->time, 2);
  EXPECT_EQ(state.rollback_target()->time, 2);
}

TEST(Checkpoint, IsKeptOnceASecondAtMost) {
  Checkpoint state;
  keep(state, at(1));
  EXPECT_GE(state.period(), 1);
  state.keep_when_due(1, [] { return PendingCheckpoint{at(2)}; });
  EXPECT_EQ(state.latest()->time, 1);
  EXPECT_EQ(state.rollback_target()->bodies.size(), 9000u);
  state.forget();
  EXPECT_FALSE(state.latest());
}

/// What begins a copy of time 2 whose bodies come when the test says so.
struct Background {
  std::promise<Bodies> bodies;
  int begun = 0;

  void keep_when_due(Checkpoint& state) {
    state.keep_when_due(9000, [this] {
      ++begun;
      PendingCheckpoint copy{at(2)};
      copy.snapshot.bodies.clear();
      copy.bodies = [coming = bodies.get_future().share()] { return coming.get(); };
      return copy;
    });
  }
};

TEST(Checkpoint, IsFinishedInTheBackground) {
  Checkpoint state;
  Background background;
  for (int k = 0; k < 3; ++k) background.keep_when_due(state);
  EXPECT_EQ(background.begun, 1) << "one at a time";
  EXPECT_FALSE(state.latest());
  background.bodies.set_value(at(2).bodies);
  state.finish();
  ASSERT_TRUE(state.latest());
  EXPECT_EQ(state.latest()->bodies.size(), 9000u);
  background.keep_when_due(state);
  EXPECT_EQ(background.begun, 1) << "the next is due in a second";
}

TEST(Checkpoint, ThatComesToNothingInTheBackgroundLeavesTheOneBefore) {
  for (const bool finite : {false, true}) {
    Checkpoint state;
    Background background;
    background.keep_when_due(state);
    if (finite) {
      background.bodies.set_exception(std::make_exception_ptr(DeviceMemoryError(2, 1)));
    } else {
      Bodies bodies = at(2).bodies;
      bodies[17].velocity[1] = std::nan("");
      background.bodies.set_value(bodies);
    }
    state.finish();
    EXPECT_FALSE(state.latest());
    keep(state, at(3));
    EXPECT_EQ(state.latest()->time, 3);
  }
}

TEST(Checkpoint, OfAnotherSceneOrOfAWayThatLedToNoGoodIsDroppedInTheBackground) {
  for (const auto drop : {&Checkpoint::forget, &Checkpoint::note_gone_back}) {
    Checkpoint state;
    Background background;
    background.keep_when_due(state);
    background.bodies.set_value(at(2).bodies);
    (state.*drop)();
    state.finish();
    EXPECT_FALSE(state.latest());
  }
}

TEST(Checkpoint, SoManyBodiesThatACopyWouldFillTheMemoryAreNotCopied) {
  Checkpoint state;
  state.keep(std::numeric_limits<std::uint32_t>::max() * std::size_t(1000), []() -> Snapshot { throw 1; });
  EXPECT_FALSE(state.latest());
  EXPECT_EQ(state.period(), 0);
}

TEST(Checkpoint, MemoryThatIsMissingEndsNoRun) {
  Checkpoint state;
  keep(state, at(1));
  state.keep(1, []() -> Snapshot { throw DeviceMemoryError(2, 1); });
  EXPECT_EQ(state.latest()->time, 1);
  state.keep(1, []() -> Snapshot { throw std::bad_alloc(); });
  EXPECT_FALSE(state.latest());
}

TEST(Fault9, ErrorsOfCudaAreSortedByWhatFollowsFromThem) {
  EXPECT_EQ(meaning_of_cuda_error(2), CudaTrouble::smaller);
  for (const int code : {46, 214, 700, 702, 710, 715, 716, 717, 718, 719})
    EXPECT_EQ(meaning_of_cuda_error(code), CudaTrouble::device_lost) << code;
  for (const int code : {1, 3, 35, 98, 209, 304, 400, 701, 720, 801, 900, 999})
    EXPECT_EQ(meaning_of_cuda_error(code), CudaTrouble::defect) << code;
}

TEST(Fault9, EverySolverGoesOnOnTheCpu) {
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

TEST(Fault24, TheFirstLostBodyIsNamed) {
  EXPECT_EQ(body_name(17, make_tag(1, Component::halo)), "body 17 (halo of galaxy 2)");
  EXPECT_EQ(body_name(17, make_tag(0, Component::other)), "body 17");
  EXPECT_EQ(nonfinite_bodies_message("body 17", 1), "Body 17 has a NaN or infinite position or velocity.");
  EXPECT_EQ(nonfinite_bodies_message("body 17", 4), "Body 17 and 3 more have a NaN or infinite position or velocity.");
}

TEST(StepReach, CountsSofteningLengthsOfTheFastestBody) {
  Diagnostics diagnostics;
  diagnostics.fastest = 4;
  const Params params{.dt = -0.01, .softening = 0.05};
  EXPECT_DOUBLE_EQ(softenings_per_step(params, diagnostics), 0.8);
  EXPECT_TRUE(exceeds_timestep_criterion(params, diagnostics));
  const double longest = max_safe_dt(params, diagnostics);
  EXPECT_FALSE(exceeds_timestep_criterion({.dt = longest, .softening = 0.05}, diagnostics));
  EXPECT_TRUE(exceeds_timestep_criterion({.dt = 1.01 * longest, .softening = 0.05}, diagnostics));
  EXPECT_TRUE(exceeds_suggested(params, {.dt = 0.009, .softening = 0.05}));
  EXPECT_FALSE(exceeds_suggested(params, params));
  EXPECT_FALSE(exceeds_suggested(params, {.dt = 0.009, .softening = 0.04}));
  EXPECT_FALSE(exceeds_timestep_criterion({.dt = 100, .softening = 0}, diagnostics)) << "no length tells what is far";
}

}  // namespace
}  // namespace pericenter
