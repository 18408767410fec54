#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "sim/core/clock.h"
#include "sim/core/fault_injection.h"
#include "sim/core/random.h"
#include "sim/session/session.h"
#include "sim/session/simulation_thread.h"
#include "sim/solvers/registry.h"
#include "tests/support/running_simulation.h"

// Lost GPUs, non-finite bodies, steps that hang and missing memory.

namespace pericenter {
namespace {

using namespace std::chrono_literals;

class Recovery : public testing::Test, public test::RunningSimulation {
 protected:
  ~Recovery() override { plan_fault({}); }
};

bool same_motion(const Bodies& first, const Bodies& second) {
  return std::ranges::equal(first, second, [](const Body& a, const Body& b) {
    return a.position == b.position && a.velocity == b.velocity && a.mass == b.mass && a.tag == b.tag;
  });
}

TEST_F(Recovery, SceneStartsWithACheckpoint) {
  EXPECT_FALSE(thread.checkpoint());
  ASSERT_TRUE(load("plummer", 300));
  const auto good = thread.checkpoint();
  ASSERT_TRUE(good);
  EXPECT_EQ(good->run->scene, "plummer");
  EXPECT_TRUE(same_motion(good->bodies, bodies()));
  ASSERT_TRUE(load("two-body", 2));
  EXPECT_EQ(thread.checkpoint()->bodies.size(), 2u);
}

TEST_F(Recovery, SceneSaysThatItHasNoCheckpoints) {
  ASSERT_EQ(plan_fault("snapshot_memory"), "");
  Session session({.diagnostics_period = 1e9});
  session.load(request::LoadScene{"plummer", {.bodies = 1'000'000}});
  EXPECT_THAT(session.state().message, testing::StartsWith("Without checkpoints: a copy of these bodies takes 0.1 GB"));
  EXPECT_FALSE(session.state().message_is_error);
  plan_fault({});
  session.load(request::LoadScene{"plummer", {.bodies = 100}});
  EXPECT_EQ(session.state().message, "");
}

TEST_F(Recovery, CheckpointIsAtMostOneSecondOld) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point begin = Clock::now();
  Session session;
  session.load(request::LoadScene{"plummer", {.bodies = 300}});
  const Clock::time_point made = Clock::now();
  const Checkpoints& checkpoints = session.run().checkpoints();
  // On a busy machine a copy takes long, and the next one comes later.
  EXPECT_LE(checkpoints.period(), std::max(1.0, 20 * seconds_between(begin, made)));
  while (checkpoints.latest()->run->steps == 0) {
    const bool due = seconds_between(made, Clock::now()) > checkpoints.period();
    session.step();
    ASSERT_TRUE(!due || checkpoints.latest()->run->steps > 0) << session.state().steps;
  }
  EXPECT_EQ(checkpoints.latest()->run->steps, session.state().steps);

  ASSERT_TRUE(load("plummer", 300));
  request(request::Play{true});
  EXPECT_TRUE(wait_until([&](const SessionState&) { return thread.checkpoint()->run->steps > 0; }));
}

TEST_F(Recovery, Fault24NonfiniteBodyIsNamedAndRolledBack) {
  ASSERT_TRUE(load("collision", 300));
  ASSERT_TRUE(play_to_step(5));
  const auto good = thread.checkpoint();
  plan_fault("not_finite:1");
  ASSERT_TRUE(wait_until([](const SessionState& state) { return !state.running && state.message_is_error; }));
  const SessionState broken = state();
  EXPECT_EQ(broken.first_nonfinite.find("body 150 ("), 0u) << broken.first_nonfinite;
  EXPECT_THAT(broken.message, testing::HasSubstr(" of galaxy "));
  EXPECT_THAT(broken.message, testing::HasSubstr("half the time step"));
  ASSERT_TRUE(broken.rollback_target);
  EXPECT_LT(broken.rollback_target->steps, broken.steps);

  Params half = broken.params;
  half.dt /= 2;
  request(request::Rollback{half});
  ASSERT_TRUE(wait_until([&](const SessionState& state) { return state.steps == broken.rollback_target->steps; }));
  const SessionState back = state();
  EXPECT_EQ(back.time, broken.rollback_target->time);
  EXPECT_EQ(back.params, half);
  EXPECT_FALSE(back.running);
  EXPECT_EQ(back.diagnostics.non_finite, 0u);
  EXPECT_EQ(back.first_nonfinite, "");
  EXPECT_EQ(back.scene_serial, broken.scene_serial);
  EXPECT_TRUE(same_motion(bodies(), thread.checkpoint()->bodies));
  ASSERT_TRUE(wait_until([&](const SessionState&) { return last.steps == back.steps; }));
  EXPECT_EQ(last.continuity.discontinuities, 1u) << "trails must not connect the positions before and after";
  EXPECT_TRUE(play_to_step(back.steps + 3));
}

TEST_F(Recovery, RollbackRestoresTheParameters) {
  ASSERT_TRUE(load("plummer", 200));
  const Params first = state().params;
  Params other = first;
  other.dt *= 3;
  request(request::SetParams{other});
  request(request::Step{});
  ASSERT_TRUE(wait_until([](const SessionState& state) { return state.steps == 1; }));
  request(request::Rollback{});
  ASSERT_TRUE(wait_until([](const SessionState& state) { return state.steps == 0; }));
  EXPECT_EQ(state().params, first);
  request(request::Rollback{Params{.dt = std::nan("")}});
  EXPECT_TRUE(wait_until([](const SessionState& state) { return state.message_is_error; }));
}

TEST_F(Recovery, Fault9LostGpuContinuesOnTheCpu) {
  ASSERT_TRUE(load("plummer", 300));
  ASSERT_TRUE(play_to_step(5));
  const auto good = thread.checkpoint();
  plan_fault("device_lost:1");
  ASSERT_TRUE(wait_until([](const SessionState& state) { return !state.device_lost.empty(); }));
  const SessionState lost = state();
  EXPECT_TRUE(lost.running);
  EXPECT_FALSE(lost.busy);
  EXPECT_EQ(lost.config.backend, Backend::cpu);
  EXPECT_TRUE(lost.message_is_error);
  for (const char* words : {"The GPU was lost", "continues from t = ", "restart the program"})
    EXPECT_THAT(lost.message, testing::HasSubstr(words));
  EXPECT_TRUE(wait_until([&](const SessionState& now) { return now.steps > good->run->steps + 20; }));
}

TEST_F(Recovery, Fault9MessageHasTheUnitsOfTheScene) {
  ASSERT_TRUE(load("collision", 300));
  plan_fault("device_lost:1");
  request(request::Step{});
  ASSERT_TRUE(wait_until([](const SessionState& state) { return !state.device_lost.empty(); }));
  EXPECT_THAT(state().message, testing::HasSubstr("continues from 0 Myr on the CPU"));
}

TEST_F(Recovery, ConfigChangeKeepsTheExactBodies) {
  request(request::SetConfig{{.precision = Precision::float64}});
  ASSERT_TRUE(load("plummer", 300));
  const Bodies exact = bodies();
  request(request::SetConfig{{.precision = Precision::float32}});
  ASSERT_TRUE(wait_until([](const SessionState& state) {
    return !state.busy && state.bodies > 0 && state.config.precision == Precision::float32;
  }));
  EXPECT_TRUE(same_motion(thread.checkpoint()->bodies, exact));
  EXPECT_FALSE(same_motion(bodies(), exact));
}

TEST_F(Recovery, Fault9ContinuesFromTheCheckpoint) {
  ASSERT_TRUE(load("plummer", 300));
  request(request::Step{3});
  ASSERT_TRUE(wait_until([&](const SessionState& state) { return state.steps == 3; }));
  // The start of the scene, or a later step where three of them took a second.
  const std::uint64_t next = thread.checkpoint()->run->steps + 1;
  Session other;
  other.load(request::LoadScene{"plummer", {.bodies = 300}});
  while (other.simulation()->steps() < next) other.step();
  plan_fault("device_lost:1");
  request(request::Step{});
  ASSERT_TRUE(wait_until([&](const SessionState& state) { return !state.device_lost.empty() && state.steps == next; }))
      << "the requested step is done on the CPU";
  EXPECT_TRUE(same_motion(bodies(), other.simulation()->bodies()));
  EXPECT_TRUE(
      wait_until([&](const SessionState&) { return last.steps == next && last.continuity.discontinuities == 1; }));
}

TEST_F(Recovery, Fault9SecondLossPauses) {
  ASSERT_TRUE(load("plummer", 300));
  const Bodies begin = bodies();
  plan_fault("device_lost");
  request(request::Play{true});
  ASSERT_TRUE(wait_until([](const SessionState& state) { return !state.device_lost.empty() && !state.running; }));
  EXPECT_TRUE(same_motion(bodies(), begin));
  const std::string words = state().message;
  EXPECT_THAT(words, testing::HasSubstr("is paused at t = 0.00 on the CPU"));
  EXPECT_THAT(words, testing::Not(testing::HasSubstr("continues from")));
}

TEST_F(Recovery, Fault4FirstSceneThatDoesNotFit) {
  plan_fault("device_memory");
  request(request::LoadScene{"plummer", {.bodies = 300}});
  ASSERT_TRUE(wait_until([](const SessionState& state) { return !state.message.empty(); }));
  const std::string words = state().message;
  EXPECT_THAT(words, testing::HasSubstr("No simulation is running"));
}

TEST_F(Recovery, RepeatedMessageHasANewSerial) {
  ASSERT_TRUE(load("plummer", 300));
  for (std::uint64_t serial = state().message_serial, k = 1; k <= 2; ++k) {
    request(request::LoadScene{"there is none such", {}});
    ASSERT_TRUE(wait_until([&](const SessionState& state) { return state.message_serial == serial + k; }));
  }
}

TEST_F(Recovery, Fault10OtherCallsAnswerWhileAStepHangs) {
  ASSERT_TRUE(load("plummer", 300));
  EXPECT_EQ(state().step_seconds, 0);
  plan_fault("step_hangs");
  request(request::Step{});
  ASSERT_TRUE(wait_until([](const SessionState& state) { return state.step_seconds > 0.1; }));
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < 20; ++i) {
    frame();
    request(request::SetStepsPerFrame{2});
    thread.take_timings();
    thread.take_tree_boxes();
    thread.take_snapshot();
    thread.recall();
    thread.lend(host_target(buffer));
    EXPECT_TRUE(thread.checkpoint());
  }
  EXPECT_LT(std::chrono::steady_clock::now() - start, 2s) << "the step takes 10 s";
  EXPECT_GT(state().step_seconds, 0.1);
  plan_fault({});
  EXPECT_TRUE(
      wait_until([](const SessionState& state) { return state.step_seconds == 0 && state.steps_per_frame == 2; }));
}

TEST_F(Recovery, Fault10AnotherSceneDoesNotWaitForAStepThatHangs) {
  ASSERT_TRUE(load("plummer", 300));
  request(request::SetStepsPerFrame{3});
  request(request::ShowTree{.show = true});
  const std::uint64_t serial = state().scene_serial;
  ASSERT_TRUE(wait_until([](const SessionState& state) { return state.silent_seconds == 0; }));
  plan_fault("step_hangs");
  request(request::Step{});
  ASSERT_TRUE(wait_until([](const SessionState& state) { return state.silent_seconds > 0.05; }));
  EXPECT_EQ(thread.scene_waits_seconds(), 0);
  request(request::Reset{});
  const std::uint64_t wanted = request(request::LoadScene{"uniform", {.bodies = 200}});
  ASSERT_TRUE(test::eventually([&] { return thread.scene_waits_seconds() > 0.05; }));
  const std::unique_ptr<SimulationThread> left = thread.leave_work();
  EXPECT_GE(state().scene_serial, serial) << "serials never decrease";
  thread.lend(host_target(buffer));
  ASSERT_TRUE(wait_until([&](const SessionState& state) { return state.handled_request == wanted; }));
  EXPECT_EQ(state().scene, "uniform");
  EXPECT_EQ(state().bodies, 200u);
  EXPECT_GT(state().scene_serial, serial);
  EXPECT_EQ(state().steps_per_frame, 3);
  EXPECT_TRUE(test::eventually([&] { return thread.take_tree_boxes().has_value(); }));
  EXPECT_EQ(thread.scene_waits_seconds(), 0);
  EXPECT_FALSE(left->end(0));
  plan_fault({});
  EXPECT_TRUE(left->end(60));
}

TEST_F(Recovery, Fault4And5SceneThatDoesNotFitKeepsThePrevious) {
  ASSERT_TRUE(load("plummer", 300));
  ASSERT_TRUE(play_to_step(3));
  const SessionState before = state();
  plan_fault("device_memory");
  request(request::LoadScene{"plummer", {.bodies = 1500}});
  ASSERT_TRUE(wait_until([](const SessionState& state) { return state.message_is_error && !state.busy; }));
  EXPECT_THAT(state().message, testing::HasSubstr("1 MB needed, 0 MB free"));
  EXPECT_THAT(state().message, testing::HasSubstr("Use fewer bodies"));
  EXPECT_EQ(state().bodies, 300u);
  EXPECT_EQ(state().scene_serial, before.scene_serial);
  request(request::SetConfig{{.solver = "direct"}});
  ASSERT_TRUE(wait_until([](const SessionState& state) {
    return state.message.find("Cannot change the configuration") == 0 && !state.busy;
  }));
  EXPECT_EQ(state().config.solver, before.config.solver);
  const std::uint64_t now = state().steps;
  EXPECT_TRUE(wait_until([&](const SessionState& state) { return state.steps > now + 5; }));
}

TEST_F(Recovery, Fault26AnyTimeStepIsTakenOrRefused) {
  ASSERT_TRUE(load("plummer", 200));
  const Params first = state().params;
  const Bodies begin = bodies();
  const auto step_with = [&](double dt) {
    Params params = first;
    params.dt = dt;
    const std::uint64_t steps = state().steps;
    request(request::SetParams{params});
    request(request::Step{});
    return wait_until([&](const SessionState& state) { return state.steps == steps + 1; });
  };
  ASSERT_TRUE(step_with(0));
  EXPECT_EQ(state().time, 0);
  EXPECT_TRUE(same_motion(bodies(), begin)) << "dt = 0 moves nothing";
  ASSERT_TRUE(step_with(-0.01));
  EXPECT_DOUBLE_EQ(state().time, -0.01);
  ASSERT_TRUE(step_with(1e30));
  EXPECT_THAT(state().message, testing::HasSubstr("at most 1e+20, the range of single precision"));
  EXPECT_DOUBLE_EQ(state().time, -0.02) << "unchanged";
  EXPECT_EQ(state().diagnostics.non_finite, 0u);
}

TEST_F(Recovery, Fault39AThousandRandomRequests) {
  const char* given = std::getenv("PERICENTER_TEST_SEED");
  const std::uint64_t seed = given ? std::stoull(given) : 39;
  SCOPED_TRACE("seed " + std::to_string(seed));
  Random random(seed);
  request(request::Play{true});
  for (int i = 0; i < 1000; ++i) {
    const SolverInfo& solver = solvers()[random.next() % solvers().size()];
    const Config config{.solver = std::string(solver.name),
                        .backend = random.uniform() < 0.2 ? Backend::cuda : Backend::cpu,
                        .precision = random.uniform() < 0.5 ? Precision::float32 : Precision::float64,
                        .dimension = random.uniform() < 0.3 ? 2 : 3};
    const char* scene = std::array{"plummer", "two-body", "uniform", "figure-eight"}[random.next() % 4];
    switch (random.next() % 4) {
      case 0:
        request(request::LoadScene{scene, {.bodies = random.next() % 300 + 2}});
        break;
      case 1:
        request(request::SetConfig{config});
        break;
      case 2:
        request(request::SetParams{{.dt = 0.01 * random.normal(), .theta = random.uniform()}});
        break;
      case 3:
        request(request::Rollback{});
        request(request::Play{true});
        break;
    }
    frame();
    // Some requests meet others in the queue, some meet steps.
    if (random.uniform() < 0.5) {
      ASSERT_TRUE(all_applied()) << i;
    }
  }
  request(request::LoadScene{"plummer", {.bodies = 500}});
  request(request::Play{true});
  EXPECT_TRUE(wait_until([](const SessionState& state) {
    return state.scene == "plummer" && state.bodies == 500 && state.steps >= 3;
  })) << state().message;
  EXPECT_EQ(state().diagnostics.non_finite, 0u);
}

}  // namespace
}  // namespace pericenter
