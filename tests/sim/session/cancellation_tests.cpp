// Evaluations of forces, and with them steps and scenes, end when another thread asks for it.
#include <gmock/gmock.h>

#include "sim/core/cancellation.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "sim/core/fault_injection.h"
#include "sim/session/simulation_thread.h"
#include "sim/session/simulation_worker.h"
#include "tests/support/reference.h"

namespace pericenter::test {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

class Interrupting : public testing::TestWithParam<Config> {};
std::vector<Config> all_on_cpu() {
  std::vector<Config> configs;
  for (const SolverInfo& solver : solvers()) {
    if (!solver.cpu) continue;
    configs.push_back({.solver = std::string(solver.name)});
    configs.push_back({.solver = std::string(solver.name), .precision = Precision::float64, .dimension = 2});
  }
  Config by_body{.solver = "octree"};
  by_body.solver_options.set(SolverOption::walk, static_cast<int>(Walk::stack));
  configs.push_back(by_body);
  return configs;
}
INSTANTIATE_TEST_SUITE_P(Solvers, Interrupting, testing::ValuesIn(all_on_cpu()), test_name);

TEST_P(Interrupting, EndsAnEvaluationThatHasBegun) {
  constexpr std::size_t kBodies = 60'000;
  CancellationToken cancellation;
  const auto simulation =
      Simulation::create(GetParam(), scene_bodies("plummer", kBodies), {.cancellation = &cancellation});
  cancellation.begin(1);
  std::thread other([&] {
    while (cancellation.share() == 0) std::this_thread::yield();
    cancellation.ask(CancellationToken::Why::cancelled);
  });
  EXPECT_THROW(simulation->accelerations({.theta = 0, .softening = 0.05}), Cancelled);
  other.join();
  EXPECT_LT(cancellation.share(), 1);
  EXPECT_FALSE(simulation->in_step());
}

TEST_P(Interrupting, AStepIsEndedByTheNext) {
  const bool exact = find_solver(GetParam().solver)->reproducible;
  const Bodies bodies = scene_bodies("collision", 3000, GetParam().dimension);
  const Params params{.dt = 0.02, .theta = 0.5, .softening = 0.1};
  const auto expected = Simulation::create(GetParam(), bodies);
  for (int k = 0; k < 3; ++k) expected->step(params, k == 1);

  CancellationToken cancellation;
  const auto simulation = Simulation::create(GetParam(), bodies, {.cancellation = &cancellation});
  simulation->step(params);
  cancellation.ask(CancellationToken::Why::cancelled);
  EXPECT_THROW(simulation->step(params, true), Cancelled);
  EXPECT_THROW(simulation->step(params, true), Cancelled);
  EXPECT_TRUE(simulation->in_step());
  EXPECT_EQ(simulation->steps(), 1u);
  EXPECT_EQ(simulation->time(), 0.02);
  cancellation.ask(CancellationToken::Why::nothing);
  Params longer = params;
  longer.dt = 5;  // from the next step on
  simulation->step(longer, true);
  EXPECT_FALSE(simulation->in_step());
  EXPECT_EQ(cancellation.share(), 1);
  simulation->release_scratch();
  simulation->step(params);
  EXPECT_EQ(simulation->steps(), 3u);
  EXPECT_EQ(simulation->time(), expected->time());
  const Bodies is = simulation->bodies(), should = expected->bodies();
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    ASSERT_LE(length(is[i].position - should[i].position), exact ? 0 : 1e-4) << i;
    ASSERT_LE(length(is[i].velocity - should[i].velocity), exact ? 0 : 1e-3) << i;
  }
}

bool same(const Bodies& a, const Bodies& b) {
  return std::ranges::equal(
      a, b, [](const Body& x, const Body& y) { return x.position == y.position && x.velocity == y.velocity; });
}

/// A run of its own, which may be interrupted in its last step.
struct Stepped {
  SimulationWorker worker{[](const SessionState&) { return true; }};

  explicit Stepped(std::uint64_t steps) {
    worker.apply(request::LoadScene{"collision", {.bodies = 2000}});
    for (std::uint64_t k = 0; k < steps; ++k) step();
  }
  void step() {
    worker.apply(request::SingleStep{});
    worker.step(nullptr);
  }
  void step_half() {
    worker.cancellation().ask(CancellationToken::Why::superseded);
    EXPECT_THROW(step(), Cancelled);
    worker.cancellation().ask(CancellationToken::Why::nothing);
  }
  Bodies bodies_now() {
    worker.apply(request::TakeSnapshot{});
    return worker.take_snapshot()->bodies;
  }
};

// In the first step there is a copy of its begin, in the second one there is none.
TEST(InterruptedStep, IsNeverSeenHalfDone) {
  for (const std::uint64_t before : {0, 1}) {
    Stepped run(before);
    run.step_half();
    const Bodies bodies = run.bodies_now();
    const std::uint64_t steps = run.worker.state().steps;
    EXPECT_EQ(steps, before == 0 ? 0 : 2);
    EXPECT_TRUE(same(bodies, Stepped(steps).bodies_now())) << before;
  }
}

TEST(InterruptedStep, AnotherSolverGoesOnFromAWholeOne) {
  for (const std::uint64_t before : {0, 1}) {
    Stepped run(before);
    run.step_half();
    run.worker.apply(request::SetConfig{{.solver = "direct"}});
    EXPECT_EQ(run.worker.state().config.solver, "direct");
    const std::uint64_t steps = run.worker.state().steps;
    EXPECT_EQ(steps, before == 0 ? 0 : 2);
    EXPECT_TRUE(same(run.bodies_now(), Stepped(steps).bodies_now())) << before;
  }
}

// The change has to do the step first, and is interrupted in that.
TEST(InterruptedStep, AnotherSolverThatGivesWayMeanwhileComesWithTheNextScene) {
  Stepped run(1);
  run.step_half();
  run.worker.cancellation().ask(CancellationToken::Why::superseded);
  run.worker.apply(request::SetConfig{{.solver = "direct"}});
  EXPECT_FALSE(run.worker.state().busy);
  EXPECT_EQ(run.worker.state().message, "");
  run.worker.cancellation().ask(CancellationToken::Why::nothing);
  run.worker.apply(request::LoadScene{"plummer", {.bodies = 50}});
  EXPECT_EQ(run.worker.state().bodies, 50u);
  EXPECT_EQ(run.worker.state().config.solver, "direct");
}

// Neither is what cannot be had kept for the scene that it would give way to.
TEST(InterruptedStep, AnotherConfigThatIsRefusedMeanwhileDoesNotComeWithTheNextScene) {
  const auto load = [](Stepped& run) {
    run.worker.cancellation().ask(CancellationToken::Why::nothing);
    run.worker.apply(request::LoadScene{"plummer", {.bodies = 50}});
    EXPECT_EQ(run.worker.state().bodies, 50u) << run.worker.state().message;
    EXPECT_EQ(run.worker.state().config, Config());
  };
  Stepped run(1);
  run.step_half();
  run.worker.cancellation().ask(CancellationToken::Why::superseded);
  run.worker.apply(request::SetConfig{{.backend = Backend::cuda, .device = 99}});
  EXPECT_THAT(run.worker.state().message, testing::HasSubstr("CUDA"));
  load(run);

  run.worker.cancellation().ask(CancellationToken::Why::superseded);
  ASSERT_EQ(plan_fault("device_memory"), "");
  run.worker.apply(request::SetConfig{{.solver = "direct"}});
  plan_fault({});
  EXPECT_THAT(run.worker.state().message, testing::HasSubstr("Cannot change over"));
  load(run);
}

TEST(InterruptedStep, AnotherSolverThatIsCancelledMeanwhileChangesNothing) {
  Stepped run(1);
  const Config before = run.worker.state().config;
  run.step_half();
  run.worker.cancellation().ask(CancellationToken::Why::cancelled);
  run.worker.apply(request::SetConfig{{.solver = "direct"}});
  EXPECT_FALSE(run.worker.state().busy);
  EXPECT_THAT(run.worker.state().message, testing::HasSubstr("Cancelled"));
  EXPECT_EQ(run.worker.state().config, before);
  run.worker.cancellation().ask(CancellationToken::Why::nothing);
  run.worker.step(nullptr);
  EXPECT_TRUE(same(run.bodies_now(), Stepped(2).bodies_now()));
}

TEST(InterruptedStep, IsDoneWhereItsSceneGoesOn) {
  Stepped run(1);
  run.step_half();
  run.worker.apply(request::LoadScene{"no such scene", {}});
  EXPECT_TRUE(run.worker.state().message_is_error);
  run.worker.step(nullptr);
  EXPECT_EQ(run.worker.state().steps, 2u);
  EXPECT_TRUE(same(run.bodies_now(), Stepped(2).bodies_now()));
}

TEST(InterruptedStep, WhatItKeptFromBeingShownIsShownLater) {
  Stepped run(1);
  run.worker.apply(request::ShowTree{.show = true});
  run.worker.apply(request::ShowProbe{3});
  Params other = run.worker.state().params;
  other.theta /= 2;
  run.worker.apply(request::SetParams{other});
  run.worker.cancellation().ask(CancellationToken::Why::superseded);
  EXPECT_THROW(run.worker.new_tree_boxes(), Cancelled);
  EXPECT_THROW(run.worker.new_probe(), Cancelled);
  run.worker.cancellation().ask(CancellationToken::Why::nothing);
  EXPECT_TRUE(run.worker.new_tree_boxes());
  EXPECT_TRUE(run.worker.new_probe());
  EXPECT_FALSE(run.worker.new_tree_boxes());
  EXPECT_FALSE(run.worker.new_probe());
}

/// A run of 100 bodies in a window that shows every picture at once.
class LongForces : public testing::Test {
 protected:
  // Direct sums take minutes on two cores, and some 20 s on a hundred.
  static constexpr std::size_t kVeryMany = 2'000'000;

  LongForces() {
    thread.lend(host_target(buffer));
    thread.request(request::Play{true});
    load("plummer", 100);
    EXPECT_TRUE(within(90s, [](const SessionState& state) { return state.bodies == 100; }));
  }
  void load(const std::string& scene, std::size_t bodies, const std::string& solver = "octree") {
    request::LoadScene wanted{scene, {.bodies = bodies}};
    wanted.config = Config{.solver = solver};
    thread.request(std::move(wanted));
  }
  bool within(Clock::duration time, const std::function<bool(const SessionState&)>& condition) {
    for (const auto end = Clock::now() + time; Clock::now() < end; std::this_thread::sleep_for(1ms)) {
      if (thread.take_back()) thread.lend(host_target(buffer));
      thread.allow_steps();
      if (condition(thread.state())) return true;
    }
    return false;
  }
  bool computes_first_forces() {
    return within(60s, [](const SessionState& state) {
      return state.busy && state.computing_forces && state.progress > 0 && state.progress < 1;
    });
  }
  /// Soon: machines that run tests have other work, too, and sanitizers take their time.
  bool soon(const std::function<bool(const SessionState&)>& condition) { return within(8s, condition); }

  std::vector<Vertex> buffer = std::vector<Vertex>(25'000);
  SimulationThread thread;
};

TEST_F(LongForces, OfANewSceneAreCancelled) {
  load("uniform", kVeryMany, "direct");
  ASSERT_TRUE(computes_first_forces());
  thread.cancel();
  ASSERT_TRUE(soon([](const SessionState& state) { return !state.busy; }));
  const SessionState state = thread.state();
  EXPECT_EQ(state.bodies, 100u);
  EXPECT_EQ(state.config.solver, "octree");
  EXPECT_EQ(state.scene_serial, 1u);
  EXPECT_THAT(state.message, testing::HasSubstr("what ran before goes on"));
  EXPECT_TRUE(soon([&](const SessionState& now) { return now.steps > state.steps + 3; }));
}

TEST_F(LongForces, OfANewSceneGiveWayToAnother) {
  load("uniform", kVeryMany, "direct");
  ASSERT_TRUE(computes_first_forces());
  thread.request(request::Play{true});
  load("plummer", 50);
  EXPECT_TRUE(soon([](const SessionState& state) { return state.bodies == 50 && state.steps > 3; }));
}

TEST_F(LongForces, SoDoBodiesThatAreStillMade) {
  load("collision", 4'000'000);
  ASSERT_TRUE(soon([](const SessionState& state) { return state.busy; }));
  load("plummer", 50);
  EXPECT_TRUE(soon([](const SessionState& state) { return state.bodies == 50 && state.steps > 3; }));
}

TEST_F(LongForces, OfAnotherSolverAreCancelledOrGiveWay) {
  load("uniform", 300'000);
  ASSERT_TRUE(within(60s, [](const SessionState& state) { return state.bodies == 300'000 && !state.busy; }));
  const Config slow{.solver = "direct-pairs"};
  thread.request(request::SetConfig{slow});
  ASSERT_TRUE(computes_first_forces());
  thread.cancel();
  ASSERT_TRUE(soon([](const SessionState& state) { return !state.busy; }));
  EXPECT_EQ(thread.state().config.solver, "octree");
  EXPECT_THAT(thread.state().message, testing::HasSubstr("Cancelled"));

  thread.request(request::SetConfig{slow});
  ASSERT_TRUE(computes_first_forces());
  thread.request(request::SetConfig{{.solver = "octree", .precision = Precision::float64}});
  EXPECT_TRUE(soon([](const SessionState& state) { return state.config.precision == Precision::float64; }));
  EXPECT_EQ(thread.state().bodies, 300'000u);
}

TEST_F(LongForces, OfAnotherSolverGiveWayToAnotherSceneThatHasIt) {
  load("uniform", 300'000);
  ASSERT_TRUE(within(60s, [](const SessionState& state) { return state.bodies == 300'000 && !state.busy; }));
  const std::uint64_t messages = thread.state().message_serial;
  thread.request(request::SetConfig{{.solver = "direct-pairs"}});
  ASSERT_TRUE(computes_first_forces());
  thread.request(request::LoadScene{"plummer", {.bodies = 50}});
  EXPECT_TRUE(soon([](const SessionState& state) { return state.bodies == 50; }));
  EXPECT_EQ(thread.state().config.solver, "direct-pairs");
  EXPECT_EQ(thread.state().message_serial, messages) << thread.state().message;
}

TEST_F(LongForces, OfAStepGiveWayToWhatReplacesIt) {
  const auto at_first_forces = [](const SessionState& state) { return state.busy && state.computing_forces; };
  const std::vector<std::pair<Request, std::function<bool(const SessionState&)>>> ways = {
      {request::Reset{}, at_first_forces},
      {request::SetConfig{{.precision = Precision::float64}}, at_first_forces},
      {request::GoBack{Params{}}, [](const SessionState& state) { return state.params == Params{}; }},
      {request::LoadScene{"plummer", {.bodies = 50}}, [](const SessionState& state) { return state.bodies == 50; }}};
  load("uniform", 300'000);
  ASSERT_TRUE(within(60s, [](const SessionState& state) { return state.bodies == 300'000 && !state.busy; }));
  for (const auto& [way, done] : ways) {
    Params exact = thread.state().params;
    exact.theta = 0;
    thread.request(request::SetParams{exact});
    thread.request(request::Play{true});
    ASSERT_TRUE(within(60s, [](const SessionState& state) { return state.step_seconds > 0 && state.step_share > 0; }))
        << way.index();
    thread.request(way);
    EXPECT_TRUE(soon(done)) << way.index();
    thread.cancel();  // what is as slow as the step
    EXPECT_TRUE(soon([](const SessionState& state) { return !state.busy; })) << way.index();
  }
}

// Whatever was asked for before it and after it.
TEST_F(LongForces, OfAStepAreDoneForASnapshot) {
  load("uniform", 20'000);
  ASSERT_TRUE(within(60s, [](const SessionState& state) { return state.bodies == 20'000 && state.steps > 3; }));
  Params exact = thread.state().params;
  exact.theta = 0;
  thread.request(request::SetParams{exact});
  ASSERT_TRUE(within(60s, [](const SessionState& state) { return state.step_share > 0 && state.step_share < 1; }));
  thread.request(request::SetConfig{{.solver = "no such solver"}});
  thread.request(request::TakeSnapshot{});
  thread.request(request::LoadScene{"plummer", {.bodies = 50}});
  std::optional<Snapshot> snapshot;
  ASSERT_TRUE(within(90s, [&](const SessionState&) { return (snapshot = thread.take_snapshot()).has_value(); }));
  EXPECT_EQ(snapshot->bodies.size(), 20'000u);
  EXPECT_TRUE(soon([](const SessionState& state) { return state.bodies == 50; }));
}

TEST_F(LongForces, DoNotHoldUpTheEndOfTheProgram) {
  load("uniform", kVeryMany, "direct");
  ASSERT_TRUE(computes_first_forces());
  EXPECT_TRUE(thread.end(8));
}

}  // namespace
}  // namespace pericenter::test
