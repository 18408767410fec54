// Another thread cancels evaluations of forces, and with them steps and scenes.
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
#include "sim/session/session.h"
#include "sim/session/simulation_thread.h"
#include "tests/support/reference.h"
#include "tests/support/running_simulation.h"

namespace pericenter::test {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

class ForceCancellation : public testing::TestWithParam<Config> {};
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
  for (const std::string solver : {"direct", "direct-pairs", "concurrent-octree", "hilbert-bvh"}) {
    Config standard{.solver = solver};
    standard.solver_options.set(SolverOption::parallel, Parallel::standard);
    if (problem_with(standard).empty()) configs.push_back(standard);
  }
  return configs;
}
INSTANTIATE_TEST_SUITE_P(Solvers, ForceCancellation, testing::ValuesIn(all_on_cpu()), test_name);

TEST_P(ForceCancellation, EndsARunningEvaluation) {
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

TEST_P(ForceCancellation, NextStepCompletesACancelledStep) {
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
  std::vector<Vertex> ahead(bodies.size()), after(bodies.size());
  ASSERT_TRUE(simulation->write_vertices_ahead(params, host_target(ahead)));
  cancellation.ask(CancellationToken::Why::nothing);
  Params longer = params;
  longer.dt = 5;  // from the next step on
  simulation->step(longer, true);
  EXPECT_FALSE(simulation->in_step());
  simulation->write_vertices(host_target(after));
  EXPECT_EQ(ahead[7].x, after[7].x) << "the end of the step that was cancelled";
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

/// A session whose last step may be cancelled.
struct Stepped {
  Session session;

  explicit Stepped(std::uint64_t steps) {
    session.apply(request::LoadScene{"collision", {.bodies = 2000}});
    for (std::uint64_t k = 0; k < steps; ++k) step();
  }
  void step() {
    session.apply(request::Step{});
    session.step(nullptr);
  }
  void step_half() {
    session.cancellation().ask(CancellationToken::Why::superseded);
    EXPECT_THROW(step(), Cancelled);
    session.cancellation().ask(CancellationToken::Why::nothing);
  }
  Bodies bodies_now() {
    session.apply(request::TakeSnapshot{});
    return session.take_snapshot()->bodies;
  }
};

// The first step has a checkpoint of its start, the second one does not.
TEST(CancelledStep, IsNeverVisible) {
  for (const std::uint64_t before : {0, 1}) {
    Stepped run(before);
    run.step_half();
    const Bodies bodies = run.bodies_now();
    const std::uint64_t steps = run.session.state().steps;
    EXPECT_EQ(steps, before == 0 ? 0 : 2);
    EXPECT_TRUE(same(bodies, Stepped(steps).bodies_now())) << before;
  }
}

TEST(CancelledStep, SolverChangeContinuesFromAWholeStep) {
  for (const std::uint64_t before : {0, 1}) {
    Stepped run(before);
    run.step_half();
    run.session.apply(request::SetConfig{{.solver = "direct"}});
    EXPECT_EQ(run.session.state().config.solver, "direct");
    const std::uint64_t steps = run.session.state().steps;
    EXPECT_EQ(steps, before == 0 ? 0 : 2);
    EXPECT_TRUE(same(run.bodies_now(), Stepped(steps).bodies_now())) << before;
  }
}

// The change completes the step first and is superseded within it.
TEST(CancelledStep, SupersededSolverChangeAppliesToTheNextScene) {
  Stepped run(1);
  run.step_half();
  run.session.cancellation().ask(CancellationToken::Why::superseded);
  run.session.apply(request::SetConfig{{.solver = "direct"}});
  EXPECT_FALSE(run.session.state().busy);
  EXPECT_EQ(run.session.state().message, "");
  run.session.cancellation().ask(CancellationToken::Why::nothing);
  run.session.apply(request::LoadScene{"plummer", {.bodies = 50}});
  EXPECT_EQ(run.session.state().bodies, 50u);
  EXPECT_EQ(run.session.state().config.solver, "direct");
}

// A refused configuration is not deferred either.
TEST(CancelledStep, RefusedConfigDoesNotApplyToTheNextScene) {
  const auto load = [](Stepped& run) {
    run.session.cancellation().ask(CancellationToken::Why::nothing);
    run.session.apply(request::LoadScene{"plummer", {.bodies = 50}});
    EXPECT_EQ(run.session.state().bodies, 50u) << run.session.state().message;
    EXPECT_EQ(run.session.state().config, Config());
  };
  Stepped run(1);
  run.step_half();
  run.session.cancellation().ask(CancellationToken::Why::superseded);
  run.session.apply(request::SetConfig{{.backend = Backend::cuda, .device = 99}});
  EXPECT_THAT(run.session.state().message, testing::HasSubstr("CUDA"));
  load(run);

  run.session.cancellation().ask(CancellationToken::Why::superseded);
  ASSERT_EQ(plan_fault("device_memory"), "");
  run.session.apply(request::SetConfig{{.solver = "direct"}});
  plan_fault({});
  EXPECT_THAT(run.session.state().message, testing::HasSubstr("Cannot change the configuration"));
  load(run);
}

TEST(CancelledStep, CancelledSolverChangeHasNoEffect) {
  Stepped run(1);
  const Config before = run.session.state().config;
  run.step_half();
  run.session.cancellation().ask(CancellationToken::Why::cancelled);
  run.session.apply(request::SetConfig{{.solver = "direct"}});
  EXPECT_FALSE(run.session.state().busy);
  EXPECT_THAT(run.session.state().message, testing::HasSubstr("Cancelled"));
  EXPECT_EQ(run.session.state().config, before);
  run.session.cancellation().ask(CancellationToken::Why::nothing);
  run.session.step(nullptr);
  EXPECT_TRUE(same(run.bodies_now(), Stepped(2).bodies_now()));
}

TEST(CancelledStep, IsCompletedWhenTheSceneContinues) {
  Stepped run(1);
  run.step_half();
  run.session.apply(request::LoadScene{"no such scene", {}});
  EXPECT_TRUE(run.session.state().message_is_error);
  run.session.step(nullptr);
  EXPECT_EQ(run.session.state().steps, 2u);
  EXPECT_TRUE(same(run.bodies_now(), Stepped(2).bodies_now()));
}

TEST(CancelledStep, DelaysTreeAndProbe) {
  Stepped run(1);
  run.session.apply(request::ShowTree{.show = true});
  run.session.apply(request::ShowProbe{3});
  Params other = run.session.state().params;
  other.theta /= 2;
  run.session.apply(request::SetParams{other});
  run.session.cancellation().ask(CancellationToken::Why::superseded);
  EXPECT_THROW(run.session.new_tree_boxes(), Cancelled);
  EXPECT_THROW(run.session.new_probe(), Cancelled);
  run.session.cancellation().ask(CancellationToken::Why::nothing);
  EXPECT_TRUE(run.session.new_tree_boxes());
  EXPECT_TRUE(run.session.new_probe());
  EXPECT_FALSE(run.session.new_tree_boxes());
  EXPECT_FALSE(run.session.new_probe());
}

/// Starts with 100 running bodies.
class LongEvaluation : public testing::Test, public RunningSimulation {
 protected:
  // Direct sums take minutes on two cores, and about 20 s on a hundred.
  static constexpr std::size_t kVeryMany = 2'000'000;

  LongEvaluation() {
    request(request::Play{true});
    request_scene("plummer", 100);
    EXPECT_TRUE(wait_until([](const SessionState& state) { return state.bodies == 100; }));
  }
  void load(const std::string& scene, std::size_t bodies, const std::string& solver = "octree") {
    request_scene(scene, bodies, Config{.solver = solver});
  }
  bool computes_first_forces() {
    return within(60s, [](const SessionState& state) {
      return state.busy && state.computing_forces && state.progress > 0 && state.progress < 1;
    });
  }
  /// The limit allows for loaded machines and sanitizers.
  bool soon(const std::function<bool(const SessionState&)>& condition) { return within(8s, condition); }
};

TEST_F(LongEvaluation, OfANewSceneIsCancelled) {
  load("uniform", kVeryMany, "direct");
  ASSERT_TRUE(computes_first_forces());
  thread.cancel();
  ASSERT_TRUE(soon([](const SessionState& state) { return !state.busy; }));
  const SessionState state = thread.state();
  EXPECT_EQ(state.bodies, 100u);
  EXPECT_EQ(state.config.solver, "octree");
  EXPECT_EQ(state.scene_serial, 1u);
  EXPECT_THAT(state.message, testing::HasSubstr("Keeping the current simulation"));
  EXPECT_TRUE(soon([&](const SessionState& now) { return now.steps > state.steps + 3; }));
}

TEST_F(LongEvaluation, OfANewSceneThatIsAlreadyShown) {
  resize(kVeryMany);
  load("uniform", kVeryMany, "direct");
  ASSERT_TRUE(shows([](const PublishedFrame& frame) { return frame.scene_serial == 2; }));
  EXPECT_EQ(last.count, kVeryMany);
  EXPECT_EQ(last.steps, 0u);
  EXPECT_NE(buffer[kVeryMany - 1].x, 0);
  const SessionState shown = thread.state();
  EXPECT_TRUE(shown.busy && shown.computing_forces);
  EXPECT_EQ(shown.scene, "uniform");
  EXPECT_EQ(shown.bodies, kVeryMany);
  EXPECT_EQ(shown.config.solver, "direct");
  EXPECT_EQ(shown.scene_serial, 2u);
  EXPECT_EQ(shown.params, shown.suggested);
  EXPECT_EQ(shown.steps, 0u);
  EXPECT_EQ(shown.diagnostics.mass, 0) << "unknown";
  EXPECT_TRUE(shown.running);
  request(request::Play{false});
  thread.cancel();
  ASSERT_TRUE(shows([](const PublishedFrame& frame) { return frame.scene_serial == 1; }));
  EXPECT_EQ(last.count, 100u);
  ASSERT_TRUE(soon([](const SessionState& state) { return !state.busy; }));
  const SessionState old = thread.state();
  EXPECT_EQ(old.scene, "plummer");
  EXPECT_EQ(old.scene_serial, 1u);
  EXPECT_EQ(old.bodies, 100u);
  EXPECT_EQ(last.steps, old.steps);
  EXPECT_GT(old.diagnostics.mass, 0);
  EXPECT_THAT(old.message, testing::HasSubstr("Keeping the current simulation"));
  load("plummer", 50);
  EXPECT_TRUE(soon([](const SessionState& state) { return state.bodies == 50; }));
  EXPECT_EQ(thread.state().scene_serial, 3u) << "not the number of the scene that was shown and cancelled";
}

TEST_F(LongEvaluation, OfANewSceneThatIsShownIsSupersededByAnother) {
  resize(kVeryMany);
  load("uniform", kVeryMany, "direct");
  ASSERT_TRUE(shows([](const PublishedFrame& frame) { return frame.scene_serial == 2; }));
  load("uniform", 20'000, "direct");
  ASSERT_TRUE(shows([](const PublishedFrame& frame) { return frame.scene_serial == 3; }));
  EXPECT_EQ(last.count, 20'000u);
  EXPECT_TRUE(soon([](const SessionState& state) { return !state.busy; }));
  EXPECT_EQ(thread.state().scene_serial, 3u);
  EXPECT_GT(thread.state().diagnostics.mass, 0);
}

// The vertices of this scalar need the forces.
TEST_F(LongEvaluation, OfANewSceneIsNotShownAsAccelerations) {
  ASSERT_TRUE(shows([](const PublishedFrame& frame) { return frame.scene_serial == 1; }));
  request(request::ShowScalar{Scalar::acceleration});
  resize(kVeryMany);
  load("uniform", kVeryMany, "direct");
  ASSERT_TRUE(computes_first_forces());
  EXPECT_EQ(state().scene_serial, 1u);
  EXPECT_EQ(last.scene_serial, 1u);
}

TEST_F(LongEvaluation, OfANewSceneIsSupersededByAnother) {
  load("uniform", kVeryMany, "direct");
  ASSERT_TRUE(computes_first_forces());
  request(request::Play{true});
  load("plummer", 50);
  EXPECT_TRUE(soon([](const SessionState& state) { return state.bodies == 50 && state.steps > 3; }));
}

TEST_F(LongEvaluation, SceneCreationIsSupersededByAnother) {
  load("collision", 4'000'000);
  ASSERT_TRUE(soon([](const SessionState& state) { return state.busy; }));
  load("plummer", 50);
  EXPECT_TRUE(soon([](const SessionState& state) { return state.bodies == 50 && state.steps > 3; }));
}

TEST_F(LongEvaluation, OfASolverChangeIsCancelledOrSuperseded) {
  const Clock::time_point start = Clock::now();
  load("uniform", 300'000);
  ASSERT_TRUE(within(60s, [](const SessionState& state) { return state.bodies == 300'000 && !state.busy; }));
  const auto loading = std::chrono::ceil<std::chrono::seconds>(Clock::now() - start);
  const Config slow{.solver = "direct-pairs"};
  request(request::SetConfig{slow});
  ASSERT_TRUE(computes_first_forces());
  thread.cancel();
  ASSERT_TRUE(soon([](const SessionState& state) { return !state.busy; }));
  EXPECT_EQ(state().config.solver, "octree");
  EXPECT_THAT(state().message, testing::HasSubstr("Cancelled"));

  request(request::SetConfig{slow});
  ASSERT_TRUE(computes_first_forces());
  request(request::SetConfig{{.solver = "fmm"}});
  // The forces of a tree code take about as long as loading, and a direct sum takes ten times as long.
  EXPECT_TRUE(within(8s + 3 * loading, [](const SessionState& state) { return state.config.solver == "fmm"; }));
  EXPECT_EQ(state().bodies, 300'000u);
}

TEST_F(LongEvaluation, OfASolverChangeIsSupersededByASceneWithThatSolver) {
  load("uniform", 300'000);
  ASSERT_TRUE(within(60s, [](const SessionState& state) { return state.bodies == 300'000 && !state.busy; }));
  const std::uint64_t messages = state().message_serial;
  request(request::SetConfig{{.solver = "direct-pairs"}});
  ASSERT_TRUE(computes_first_forces());
  request(request::LoadScene{"plummer", {.bodies = 50}});
  EXPECT_TRUE(soon([](const SessionState& state) { return state.bodies == 50; }));
  EXPECT_EQ(state().config.solver, "direct-pairs");
  EXPECT_EQ(state().message_serial, messages) << state().message;
}

TEST_F(LongEvaluation, OfAStepIsSupersededByReplacements) {
  const auto at_first_forces = [](const SessionState& state) { return state.busy && state.computing_forces; };
  const std::vector<std::pair<Request, std::function<bool(const SessionState&)>>> ways = {
      {request::Reset{}, at_first_forces},
      {request::SetConfig{{.precision = Precision::float64}}, at_first_forces},
      {request::Rollback{Params{}}, [](const SessionState& state) { return state.params == Params{}; }},
      {request::LoadScene{"plummer", {.bodies = 50}}, [](const SessionState& state) { return state.bodies == 50; }}};
  load("uniform", 300'000);
  ASSERT_TRUE(within(60s, [](const SessionState& state) { return state.bodies == 300'000 && !state.busy; }));
  for (const auto& [way, done] : ways) {
    Params exact = state().params;
    exact.theta = 0;
    request(request::SetParams{exact});
    request(request::Play{true});
    ASSERT_TRUE(within(60s, [](const SessionState& state) {
      return state.step_seconds > 0 && state.step_progress > 0;
    })) << way.index();
    request(way);
    EXPECT_TRUE(soon(done)) << way.index();
    thread.cancel();  // the replacement is as slow as the step
    EXPECT_TRUE(soon([](const SessionState& state) { return !state.busy; })) << way.index();
  }
}

// Independent of the requests before and after it.
TEST_F(LongEvaluation, OfAStepIsCompletedForASnapshot) {
  load("uniform", 20'000);
  ASSERT_TRUE(within(60s, [](const SessionState& state) { return state.bodies == 20'000 && state.steps > 3; }));
  Params exact = state().params;
  exact.theta = 0;
  request(request::SetParams{exact});
  ASSERT_TRUE(
      within(60s, [](const SessionState& state) { return state.step_progress > 0 && state.step_progress < 1; }));
  request(request::SetConfig{{.solver = "no such solver"}});
  request(request::TakeSnapshot{});
  request(request::LoadScene{"plummer", {.bodies = 50}});
  std::optional<Snapshot> snapshot;
  ASSERT_TRUE(within(90s, [&](const SessionState&) { return (snapshot = thread.take_snapshot()).has_value(); }));
  EXPECT_EQ(snapshot->bodies.size(), 20'000u);
  EXPECT_TRUE(soon([](const SessionState& state) { return state.bodies == 50; }));
}

TEST_F(LongEvaluation, DoesNotDelayExit) {
  load("uniform", kVeryMany, "direct");
  ASSERT_TRUE(computes_first_forces());
  EXPECT_TRUE(thread.end(8));
}

}  // namespace
}  // namespace pericenter::test
