#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "sim/core/fault_injection.h"
#include "sim/core/random.h"
#include "sim/session/simulation_thread.h"
#include "sim/solvers/registry.h"

// What a running simulation does when something breaks under it.

namespace pericenter {
namespace {

using namespace std::chrono_literals;

/// A simulation thread whose pictures are taken at once.
class Recovery : public testing::Test {
 protected:
  Recovery() { thread.lend(host_target(buffer)); }
  ~Recovery() override { plan_fault({}); }

  void frame() {
    if (const auto published = thread.take_back()) {
      last = *published;
      thread.lend(host_target(buffer));
    }
    thread.allow_steps();
  }
  /// Waits for it, for a time that only a defect uses up.
  bool eventually(const std::function<bool(const SessionState&)>& condition) {
    const auto end = std::chrono::steady_clock::now() + 20s;
    while (std::chrono::steady_clock::now() < end) {
      frame();
      if (condition(thread.state())) return true;
      std::this_thread::sleep_for(1ms);
    }
    return false;
  }
  bool load(const std::string& scene, std::size_t bodies) {
    const std::uint64_t before = thread.state().scene_serial;
    thread.request(request::LoadScene{scene, {.bodies = bodies}});
    return eventually([&](const SessionState& state) { return !state.busy && state.scene_serial > before; });
  }
  /// Waits until everything that was asked for is done or refused.
  bool all_applied() {
    const int other = 3 - thread.state().steps_per_frame;
    thread.request(request::SetStepsPerFrame{other});
    return eventually([&](const SessionState& state) { return state.steps_per_frame == other; });
  }
  bool run_until_step(std::uint64_t steps) {
    thread.request(request::Play{true});
    return eventually([&](const SessionState& state) { return state.steps >= steps; });
  }
  Bodies bodies_now() {
    thread.request(request::TakeSnapshot{});
    std::optional<Snapshot> taken;
    eventually([&](const SessionState&) { return (taken = thread.take_snapshot()).has_value(); });
    return taken ? taken->bodies : Bodies();
  }

  std::vector<Vertex> buffer = std::vector<Vertex>(2000);
  SimulationThread thread;  // after the buffer: it must end before the memory that it may be writing to
  Published last;
};

bool same_motion(const Bodies& first, const Bodies& second) {
  return std::ranges::equal(first, second, [](const Body& a, const Body& b) {
    return a.position == b.position && a.velocity == b.velocity && a.mass == b.mass && a.tag == b.tag;
  });
}

TEST_F(Recovery, ThereIsAGoodStateFromTheFirstMomentOfAScene) {
  EXPECT_FALSE(thread.rollback_target());
  ASSERT_TRUE(load("plummer", 300));
  const auto good = thread.rollback_target();
  ASSERT_TRUE(good);
  EXPECT_EQ(good->run->scene, "plummer");
  EXPECT_TRUE(same_motion(good->bodies, bodies_now()));
  ASSERT_TRUE(load("two-body", 2));
  EXPECT_EQ(thread.rollback_target()->bodies.size(), 2u);
}

TEST_F(Recovery, TheGoodStateIsNoMoreThanASecondOld) {
  ASSERT_TRUE(load("plummer", 300));
  ASSERT_TRUE(run_until_step(1));
  const auto start = std::chrono::steady_clock::now();
  EXPECT_TRUE(eventually([&](const SessionState&) { return thread.rollback_target()->run->steps > 0; }));
  EXPECT_LT(std::chrono::steady_clock::now() - start, 1500ms);
}

TEST_F(Recovery, Fault24ABodyThatIsNotFiniteIsNamedAndTheRunGoesBack) {
  ASSERT_TRUE(load("collision", 300));
  ASSERT_TRUE(run_until_step(5));
  const auto good = thread.rollback_target();
  plan_fault("not_finite:1");
  ASSERT_TRUE(eventually([](const SessionState& state) { return !state.running && state.message_is_error; }));
  const SessionState broken = thread.state();
  EXPECT_EQ(broken.lost_body.find("body 150 ("), 0u) << broken.lost_body;
  EXPECT_THAT(broken.message, testing::HasSubstr(" of galaxy "));
  EXPECT_THAT(broken.message, testing::HasSubstr("half the step"));
  ASSERT_TRUE(broken.rollback_target);
  EXPECT_LT(broken.rollback_target->steps, broken.steps);

  Params half = broken.params;
  half.dt /= 2;
  thread.request(request::GoBack{half});
  ASSERT_TRUE(eventually([&](const SessionState& state) { return state.steps == broken.rollback_target->steps; }));
  const SessionState back = thread.state();
  EXPECT_EQ(back.time, broken.rollback_target->time);
  EXPECT_EQ(back.params, half);
  EXPECT_FALSE(back.running);
  EXPECT_EQ(back.diagnostics.non_finite, 0u);
  EXPECT_EQ(back.lost_body, "");
  EXPECT_EQ(back.scene_serial, broken.scene_serial);
  EXPECT_TRUE(same_motion(bodies_now(), thread.rollback_target()->bodies));
  ASSERT_TRUE(eventually([&](const SessionState&) { return last.steps == back.steps; }));
  EXPECT_EQ(last.continuity.discontinuities, 1u) << "trails would else lead to where it was";
  EXPECT_TRUE(run_until_step(back.steps + 3));
}

TEST_F(Recovery, GoingBackAsItWasBringsBackTheParameters) {
  ASSERT_TRUE(load("plummer", 200));
  const Params first = thread.state().params;
  Params other = first;
  other.dt *= 3;
  thread.request(request::SetParams{other});
  thread.request(request::SingleStep{});
  ASSERT_TRUE(eventually([](const SessionState& state) { return state.steps == 1; }));
  thread.request(request::GoBack{});
  ASSERT_TRUE(eventually([](const SessionState& state) { return state.steps == 0; }));
  EXPECT_EQ(thread.state().params, first);
  thread.request(request::GoBack{Params{.dt = std::nan("")}});
  EXPECT_TRUE(eventually([](const SessionState& state) { return state.message_is_error; }));
}

TEST_F(Recovery, Fault9ALostGpuIsFollowedByTheCpu) {
  ASSERT_TRUE(load("plummer", 300));
  ASSERT_TRUE(run_until_step(5));
  const auto good = thread.rollback_target();
  plan_fault("device_lost:1");
  ASSERT_TRUE(eventually([](const SessionState& state) { return !state.device_lost.empty(); }));
  const SessionState state = thread.state();
  EXPECT_TRUE(state.running);
  EXPECT_FALSE(state.busy);
  EXPECT_EQ(state.config.backend, Backend::cpu);
  EXPECT_TRUE(state.message_is_error);
  for (const char* words : {"The GPU was lost", "goes on from t = ", "restart the program"})
    EXPECT_THAT(state.message, testing::HasSubstr(words));
  EXPECT_TRUE(eventually([&](const SessionState& now) { return now.steps > good->run->steps + 20; }));
}

TEST_F(Recovery, Fault9SaysTheTimeInTheUnitsOfTheScene) {
  ASSERT_TRUE(load("collision", 300));
  plan_fault("device_lost:1");
  thread.request(request::SingleStep{});
  ASSERT_TRUE(eventually([](const SessionState& state) { return !state.device_lost.empty(); }));
  EXPECT_THAT(thread.state().message, testing::HasSubstr("goes on from 0 Myr on the CPU"));
}

TEST_F(Recovery, AChangeKeepsTheBodiesThatTheOldSimulationHad) {
  thread.request(request::SetConfig{{.precision = Precision::float64}});
  ASSERT_TRUE(load("plummer", 300));
  const Bodies exact = bodies_now();
  thread.request(request::SetConfig{{.precision = Precision::float32}});
  ASSERT_TRUE(eventually([](const SessionState& state) {
    return !state.busy && state.bodies > 0 && state.config.precision == Precision::float32;
  }));
  EXPECT_TRUE(same_motion(thread.rollback_target()->bodies, exact));
  EXPECT_FALSE(same_motion(bodies_now(), exact));
}

TEST_F(Recovery, Fault9TheRunGoesOnFromTheCopy) {
  ASSERT_TRUE(load("plummer", 300));
  const auto step = [&](std::uint64_t steps) {
    thread.request(request::SingleStep{});
    return eventually([&](const SessionState& state) { return state.steps == steps; });
  };
  ASSERT_TRUE(step(1));
  const Bodies first = bodies_now();
  ASSERT_TRUE(step(2) && step(3));
  ASSERT_EQ(thread.rollback_target()->run->steps, 0u);
  plan_fault("device_lost:1");
  ASSERT_TRUE(step(1)) << "the step that was asked for is done on the CPU";
  EXPECT_TRUE(same_motion(bodies_now(), first));
  EXPECT_TRUE(eventually([&](const SessionState&) { return last.steps == 1 && last.continuity.discontinuities == 1; }));
}

TEST_F(Recovery, Fault9WhatIsLostAgainAtOnceIsPaused) {
  ASSERT_TRUE(load("plummer", 300));
  const Bodies begin = bodies_now();
  plan_fault("device_lost");
  thread.request(request::Play{true});
  ASSERT_TRUE(eventually([](const SessionState& state) { return !state.device_lost.empty() && !state.running; }));
  EXPECT_TRUE(same_motion(bodies_now(), begin));
  const std::string words = thread.state().message;
  EXPECT_THAT(words, testing::HasSubstr("is paused at t = 0.00 on the CPU"));
  EXPECT_THAT(words, testing::Not(testing::HasSubstr("goes on from")));
}

TEST_F(Recovery, Fault4AFirstSceneThatDoesNotFitSaysThatNothingRuns) {
  plan_fault("device_memory");
  thread.request(request::LoadScene{"plummer", {.bodies = 300}});
  ASSERT_TRUE(eventually([](const SessionState& state) { return !state.message.empty(); }));
  const std::string words = thread.state().message;
  EXPECT_THAT(words, testing::HasSubstr("nothing runs now"));
}

TEST_F(Recovery, TheSameWordsAreNewsWhenTheyComeAgain) {
  ASSERT_TRUE(load("plummer", 300));
  for (std::uint64_t serial = thread.state().message_serial, k = 1; k <= 2; ++k) {
    thread.request(request::LoadScene{"there is none such", {}});
    ASSERT_TRUE(eventually([&](const SessionState& state) { return state.message_serial == serial + k; }));
  }
}

TEST_F(Recovery, Fault10WhileAStepHangsAllElseAnswers) {
  ASSERT_TRUE(load("plummer", 300));
  EXPECT_EQ(thread.state().step_seconds, 0);
  plan_fault("step_hangs");
  thread.request(request::SingleStep{});
  ASSERT_TRUE(eventually([](const SessionState& state) { return state.step_seconds > 0.1; }));
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < 20; ++i) {
    frame();
    thread.request(request::SetStepsPerFrame{2});
    thread.take_timings();
    thread.take_tree_boxes();
    thread.take_snapshot();
    thread.recall();
    thread.lend(host_target(buffer));
    EXPECT_TRUE(thread.rollback_target());
  }
  EXPECT_LT(std::chrono::steady_clock::now() - start, 200ms);
  EXPECT_GT(thread.state().step_seconds, 0.1);
  plan_fault({});
  EXPECT_TRUE(
      eventually([](const SessionState& state) { return state.step_seconds == 0 && state.steps_per_frame == 2; }));
}

TEST_F(Recovery, Fault4And5ASceneThatDoesNotFitLeavesTheOneBefore) {
  ASSERT_TRUE(load("plummer", 300));
  ASSERT_TRUE(run_until_step(3));
  const SessionState before = thread.state();
  plan_fault("device_memory");
  thread.request(request::LoadScene{"plummer", {.bodies = 1500}});
  ASSERT_TRUE(eventually([](const SessionState& state) { return state.message_is_error && !state.busy; }));
  EXPECT_THAT(thread.state().message, testing::HasSubstr("1 MB needed, 0 MB free"));
  EXPECT_THAT(thread.state().message, testing::HasSubstr("Fewer bodies"));
  EXPECT_EQ(thread.state().bodies, 300u);
  EXPECT_EQ(thread.state().scene_serial, before.scene_serial);
  thread.request(request::SetConfig{{.solver = "direct"}});
  ASSERT_TRUE(eventually(
      [](const SessionState& state) { return state.message.find("Cannot change over") == 0 && !state.busy; }));
  EXPECT_EQ(thread.state().config.solver, before.config.solver);
  const std::uint64_t now = thread.state().steps;
  EXPECT_TRUE(eventually([&](const SessionState& state) { return state.steps > now + 5; }));
}

TEST_F(Recovery, Fault26AnyStepIsTakenOrRefusedInWords) {
  ASSERT_TRUE(load("plummer", 200));
  const Params first = thread.state().params;
  const Bodies begin = bodies_now();
  const auto step_with = [&](double dt) {
    Params params = first;
    params.dt = dt;
    const std::uint64_t steps = thread.state().steps;
    thread.request(request::SetParams{params});
    thread.request(request::SingleStep{});
    return eventually([&](const SessionState& state) { return state.steps == steps + 1; });
  };
  ASSERT_TRUE(step_with(0));
  EXPECT_EQ(thread.state().time, 0);
  EXPECT_TRUE(same_motion(bodies_now(), begin)) << "no time, no motion";
  ASSERT_TRUE(step_with(-0.01));
  EXPECT_DOUBLE_EQ(thread.state().time, -0.01);
  ASSERT_TRUE(step_with(1e30));
  EXPECT_THAT(thread.state().message, testing::HasSubstr("at most 1e+20, because longer steps"));
  EXPECT_DOUBLE_EQ(thread.state().time, -0.02) << "it stays as it was";
  EXPECT_EQ(thread.state().diagnostics.non_finite, 0u);
}

TEST_F(Recovery, Fault39AThousandRandomSwitchesWhileItSteps) {
  const std::uint64_t seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  Random random(seed);
  thread.request(request::Play{true});
  for (int i = 0; i < 1000; ++i) {
    const SolverInfo& solver = solvers()[random.next() % solvers().size()];
    const Config config{.solver = std::string(solver.name),
                        .backend = random.uniform() < 0.2 ? Backend::cuda : Backend::cpu,
                        .precision = random.uniform() < 0.5 ? Precision::float32 : Precision::float64,
                        .dimension = random.uniform() < 0.3 ? 2 : 3};
    const char* scene = std::array{"plummer", "two-body", "uniform", "figure-eight"}[random.next() % 4];
    switch (random.next() % 4) {
      case 0:
        thread.request(request::LoadScene{scene, {.bodies = random.next() % 300 + 2}});
        break;
      case 1:
        thread.request(request::SetConfig{config});
        break;
      case 2:
        thread.request(request::SetParams{{.dt = 0.01 * random.normal(), .theta = random.uniform()}});
        break;
      case 3:
        thread.request(request::GoBack{});
        thread.request(request::Play{true});
        break;
    }
    frame();
    // Now they meet each other, now the steps of what they have made.
    if (random.uniform() < 0.5) {
      ASSERT_TRUE(all_applied()) << i;
    }
  }
  thread.request(request::LoadScene{"plummer", {.bodies = 500}});
  thread.request(request::Play{true});
  EXPECT_TRUE(eventually([](const SessionState& state) {
    return state.scene == "plummer" && state.bodies == 500 && state.steps >= 3;
  })) << thread.state().message;
  EXPECT_EQ(thread.state().diagnostics.non_finite, 0u);
}

}  // namespace
}  // namespace pericenter
