#include "sim/session/simulation_thread.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "sim/core/clock.h"
#include "sim/core/fault_injection.h"
#include "sim/core/random.h"
#include "tests/support/running_simulation.h"

namespace pericenter {
namespace {

using namespace std::chrono_literals;

using test::eventually;
using test::RunningSimulation;

TEST(SimulationThread, PublishesASceneBeforeItRuns) {
  RunningSimulation show;
  ASSERT_TRUE(show.load("plummer", 500));
  EXPECT_EQ(show.last.count, 500u);
  EXPECT_EQ(show.last.steps, 0u);
  EXPECT_NE(show.buffer[7].x, 0);
  EXPECT_FALSE(show.state().running);
}

TEST(SimulationThread, StepsOnceAndPlays) {
  RunningSimulation show;
  ASSERT_TRUE(show.load("plummer", 200));
  show.request(request::Step{});
  ASSERT_TRUE(eventually([&] { return show.frame() && show.last.steps == 1; }));
  std::this_thread::sleep_for(20ms);
  EXPECT_EQ(show.state().steps, 1u);
  show.request(request::Play{true});
  EXPECT_TRUE(eventually([&] { return show.frame() && show.last.steps > 20; }));
  EXPECT_GE(show.thread.take_timings().size(), 20u);
  show.request(request::Play{false});
  EXPECT_TRUE(eventually([&] {
    show.frame();
    return !show.state().running;
  }));
}

TEST(SimulationThread, WaitsAfterTheStepsOfAFrame) {
  RunningSimulation show;
  ASSERT_TRUE(show.load("two-body", 2));
  show.request(request::SetStepsPerFrame{5});
  show.request(request::Play{true});
  std::this_thread::sleep_for(50ms);
  EXPECT_LE(show.state().steps, 10u);  // five for the filled buffer, five more until it waits
}

TEST(SimulationThread, ChoosesTheSolverUntilTheUserDoes) {
  RunningSimulation show;
  const auto runs = [&](const std::string& scene, std::size_t bodies, const std::string& solver) {
    return eventually([&] {
      const SessionState state = show.state();
      return !state.busy && state.scene == scene && state.bodies == bodies && state.config.solver == solver;
    });
  };
  show.request(request::ChooseSolver{true});
  show.request_scene("uniform", 30'000);
  ASSERT_TRUE(runs("uniform", 30'000, "fmm"));
  show.request_scene("plummer", 500);
  ASSERT_TRUE(runs("plummer", 500, "octree"));
  EXPECT_TRUE(show.state().automatic_solver);
  show.request_scene("uniform", 30'001);
  ASSERT_TRUE(runs("uniform", 30'001, "fmm"));
  Config config = show.state().config;
  config.solver_options.set(SolverOption::expansion, 0);
  show.request(request::SetConfig{config});
  ASSERT_TRUE(eventually([&] { return show.state().config == config; }));
  EXPECT_FALSE(show.state().automatic_solver);

  show.request(request::SetConfig{{.solver = "fmm"}});
  show.request_scene("two-body", 2);
  ASSERT_TRUE(runs("two-body", 2, "fmm"));
  EXPECT_FALSE(show.state().automatic_solver);
  show.request(request::ChooseSolver{true});
  ASSERT_TRUE(runs("two-body", 2, "direct"));
}

TEST(SimulationThread, SceneWithConfigKeepsItsSolver) {
  RunningSimulation show;
  show.request(request::ChooseSolver{true});
  request::LoadScene wanted{"uniform", {.bodies = 30'000}};
  wanted.config = Config();
  show.request(wanted);
  ASSERT_TRUE(eventually([&] { return show.state().bodies == 30'000; }));
  EXPECT_EQ(show.state().config.solver, "octree");
  EXPECT_FALSE(show.state().automatic_solver);
}

TEST(SimulationThread, NeverDelaysAFrame) {
  RunningSimulation show;
  show.request(request::SetConfig{{.solver = "direct", .precision = Precision::float64, .simd = Simd::plain}});
  ASSERT_TRUE(show.load("plummer", 10'000));
  show.request(request::Play{true});
  ASSERT_TRUE(eventually([&] { return show.state().running; }));
  double slowest = 0, step = 0;
  const std::uint64_t first = show.state().steps;
  // Other programs delay steps and frames alike.
  ASSERT_TRUE(eventually([&] {
    const auto start = std::chrono::steady_clock::now();
    show.frame();
    const SessionState state = show.state();
    slowest = std::max(slowest, seconds_between(start, std::chrono::steady_clock::now()));
    step = std::max(step, state.step_seconds);
    return state.steps >= first + 2;
  }));
  EXPECT_LT(slowest, 0.6 * step);
}

TEST(SimulationThread, ConfigChangeKeepsTheBodies) {
  RunningSimulation show;
  ASSERT_TRUE(show.load("plummer", 1000));
  show.request(request::Play{true});
  ASSERT_TRUE(eventually([&] { return show.frame() && show.last.steps > 5; }));
  show.request(request::Play{false});
  show.request(request::SetConfig{{.solver = "direct", .precision = Precision::float64}});
  ASSERT_TRUE(eventually([&] {
    show.frame();
    return show.state().config.solver == "direct";
  }));
  const SessionState state = show.state();
  EXPECT_GT(state.time, 0);
  EXPECT_GT(state.steps, 5u);
  EXPECT_EQ(state.bodies, 1000u);
  EXPECT_EQ(state.scene_serial, 1u);
}

TEST(SimulationThread, RefusesInvalidConfigsAndParameters) {
  RunningSimulation show;
  ASSERT_TRUE(show.load("plummer", 300));
  const Params before = show.state().params;
  show.request(request::SetConfig{{.solver = "none such"}});
  ASSERT_TRUE(eventually([&] { return show.state().message_is_error; }));
  EXPECT_EQ(show.state().config.solver, "octree");
  show.request(request::SetParams{{.theta = -1}});
  ASSERT_TRUE(eventually([&] { return show.state().message.find("-1") != std::string::npos; }));
  EXPECT_EQ(show.state().params, before);
  show.request_scene("none such", 10);
  ASSERT_TRUE(eventually([&] { return show.state().message.find("none such") != std::string::npos; }));
  EXPECT_EQ(show.state().scene, "plummer");
}

TEST(SimulationThread, AcknowledgesEachRequestInOrder) {
  RunningSimulation show;
  EXPECT_EQ(show.state().handled_request, 0u);
  ASSERT_TRUE(show.load("plummer", 300));
  const std::uint64_t first = show.state().handled_request;
  EXPECT_EQ(first, 1u) << "the scene";
  for (std::uint64_t k = 1; k < 50; ++k) {
    const int steps = static_cast<int>(k % 7) + 1;
    ASSERT_EQ(show.request(request::SetStepsPerFrame{steps}), first + k);
    SessionState state;
    ASSERT_TRUE(eventually([&] { return (state = show.state()).handled_request == first + k; }));
    EXPECT_EQ(state.steps_per_frame, steps) << "the state that acknowledges a request shows its outcome";
  }
}

TEST(SimulationThread, AcknowledgesRefusedRequests) {
  RunningSimulation show;
  ASSERT_TRUE(show.load("plummer", 300));
  const SessionState before = show.state();
  const std::vector<Request> refused = {request::SetParams{{.theta = -1}}, request::SetConfig{{.solver = "none such"}},
                                        request::LoadScene{"none such", {.bodies = 10}}};
  for (const Request& request : refused) {
    const std::uint64_t serial = show.request(request);
    SessionState state;
    ASSERT_TRUE(eventually([&] { return (state = show.state()).handled_request >= serial; }));
    EXPECT_TRUE(state.message_is_error) << request.index();
    EXPECT_EQ(state.params, before.params);
    EXPECT_EQ(state.config, before.config);
    EXPECT_EQ(state.scene, "plummer");
  }
}

TEST(SimulationThread, AcknowledgesNothingDuringAStep) {
  RunningSimulation show;
  ASSERT_TRUE(show.load("plummer", 50));
  ASSERT_EQ(plan_fault("step_hangs"), "");
  show.request(request::Step{});
  ASSERT_TRUE(eventually([&] { return show.state().step_seconds > 0; }));
  Params params = show.state().params;
  params.theta = 0.4;
  const std::uint64_t serial = show.request(request::SetParams{params});
  std::this_thread::sleep_for(50ms);
  EXPECT_LT(show.state().handled_request, serial);
  plan_fault({});
  ASSERT_TRUE(eventually([&] { return show.state().handled_request >= serial; }));
  EXPECT_EQ(show.state().params.theta, 0.4);
}

TEST(SimulationThread, AcknowledgesASupersededRequestWithItsSuccessor) {
  RunningSimulation show;
  ASSERT_TRUE(show.load("plummer", 100));
  const std::uint64_t first = show.request(request::LoadScene{"collision", {.bodies = 4'000'000}});
  ASSERT_TRUE(eventually([&] { return show.state().busy; }));
  const std::uint64_t config = show.request(request::SetConfig{{.solver = "direct"}});
  const std::uint64_t last = show.request(request::LoadScene{"uniform", {.bodies = 200}});
  ASSERT_TRUE(eventually([&] {
    show.frame();
    const SessionState state = show.state();
    EXPECT_NE(state.handled_request, first);
    EXPECT_TRUE(state.handled_request < first || state.config.solver == "direct") << state.handled_request - config;
    return state.handled_request >= last;
  }));
  EXPECT_EQ(show.state().scene, "uniform");
}

TEST(SimulationThread, ResetKeepsTheParameters) {
  RunningSimulation show;
  ASSERT_TRUE(show.load("plummer", 300));
  Params params = show.state().params;
  params.theta = 0.3;
  show.request(request::SetParams{params});
  show.request(request::Step{});
  ASSERT_TRUE(eventually([&] { return show.frame() && show.last.steps == 1; }));
  show.request(request::Reset{});
  ASSERT_TRUE(eventually([&] {
    show.frame();
    return show.state().scene_serial == 2;
  }));
  EXPECT_EQ(show.state().steps, 0u);
  EXPECT_EQ(show.state().params.theta, 0.3);
}

TEST(SimulationThread, StateOfANewSceneHasNothingOfTheOldOne) {
  RunningSimulation show;
  ASSERT_TRUE(show.load("plummer", 1000));
  show.request(request::Step{});
  ASSERT_TRUE(eventually([&] { return show.frame() && show.last.steps == 1; }));
  show.request_scene("uniform", 60'000);
  SessionState state;
  ASSERT_TRUE(eventually([&] { return (state = show.state()).scene_serial == 2; }));
  EXPECT_EQ(state.scene, "uniform");
  EXPECT_EQ(state.bodies, 60'000u);
  EXPECT_EQ(state.steps, 0u);
  EXPECT_EQ(state.time, 0);
  EXPECT_EQ(state.params, state.suggested);
  EXPECT_NEAR(state.diagnostics.kinetic, 0, 1e-12) << "bodies at rest";
}

// The start of a large scene is seen before its first step, which may take long.
TEST(SimulationThread, FirstStepWaitsOnceForALargerBuffer) {
  SimulationThread simulation;
  std::vector<Vertex> small(10), large(1000);
  simulation.request(request::Play{true});
  simulation.request(request::LoadScene{"plummer", {.bodies = 1000}});
  simulation.lend(host_target(small));
  std::optional<PublishedFrame> taken;
  const auto takes = [&] { return (taken = simulation.take_back()).has_value(); };
  ASSERT_TRUE(eventually(takes));
  EXPECT_EQ(taken->count, 0u);
  for (int frame = 0; frame < 10; ++frame) {
    simulation.allow_steps();
    std::this_thread::sleep_for(2ms);
  }
  EXPECT_EQ(simulation.state().steps, 0u);
  simulation.lend(host_target(large));
  ASSERT_TRUE(eventually(takes));
  EXPECT_EQ(taken->count, 1000u);
  EXPECT_EQ(taken->steps, 0u);
  EXPECT_TRUE(eventually([&] { return simulation.state().steps > 0; }));
}

// So that the larger buffer exists when the bodies do.
TEST(SimulationThread, ReturnsASmallBufferWhileItCreatesTheBodies) {
  SimulationThread simulation;
  std::vector<Vertex> small(10);
  simulation.lend(host_target(small));
  simulation.request(request::LoadScene{"collision", {.bodies = 4'000'000}});
  std::optional<PublishedFrame> taken;
  ASSERT_TRUE(eventually([&] { return (taken = simulation.take_back()).has_value(); }));
  EXPECT_EQ(taken->count, 0u);
  const SessionState state = simulation.state();
  EXPECT_TRUE(state.busy && !state.computing_forces);
  EXPECT_EQ(state.next_bodies, 4'000'000u);
  simulation.cancel();
  ASSERT_TRUE(eventually([&] { return !simulation.state().busy; }));
  EXPECT_EQ(simulation.state().next_bodies, 0u);
}

TEST(SimulationThread, StepsWithoutALargeEnoughBuffer) {
  RunningSimulation show(10);
  show.request(request::Play{true});
  show.request_scene("plummer", 1000);
  EXPECT_TRUE(show.wait_until([](const SessionState& state) { return state.steps > 3; }));
}

TEST(SimulationThread, BufferThatIsTooSmallComesBackEmpty) {
  SimulationThread simulation;
  std::vector<Vertex> small(10);
  simulation.lend(host_target(small));
  simulation.request(request::LoadScene{"plummer", {.bodies = 100}});
  std::optional<PublishedFrame> published;
  ASSERT_TRUE(eventually([&] { return (published = simulation.take_back()).has_value(); }));
  EXPECT_EQ(published->count, 0u);
  EXPECT_EQ(simulation.state().bodies, 100u);
  std::vector<Vertex> large(100);
  simulation.lend(host_target(large));
  ASSERT_TRUE(eventually([&] { return (published = simulation.take_back()).has_value(); }));
  EXPECT_EQ(published->count, 100u);
}

TEST(SimulationThread, ShowsTheTreeThatItWalked) {
  RunningSimulation show;
  ASSERT_TRUE(show.load("plummer", 2000));
  show.request(request::ShowTree{.show = true, .first_level = 0, .last_level = 2});
  std::optional<std::vector<TreeBox>> boxes;
  ASSERT_TRUE(eventually([&] { return (boxes = show.thread.take_tree_boxes()).has_value() && !boxes->empty(); }));
  for (const TreeBox& box : *boxes) EXPECT_LE(box.level, 2);
  show.request(request::ShowTree{});
  ASSERT_TRUE(eventually([&] { return (boxes = show.thread.take_tree_boxes()).has_value() && boxes->empty(); }));
}

TEST(SimulationThread, CancelledSceneKeepsTheOldOne) {
  RunningSimulation show;
  ASSERT_TRUE(show.load("plummer", 100));
  show.request_scene("collision", 4'000'000);
  ASSERT_TRUE(eventually([&] { return show.state().busy; }));
  show.thread.cancel();
  ASSERT_TRUE(eventually([&] { return !show.state().busy; }));
  EXPECT_EQ(show.state().scene, "plummer");
  EXPECT_EQ(show.state().bodies, 100u);
  EXPECT_NE(show.state().message, "");
  show.request(request::Reset{});
  EXPECT_TRUE(eventually([&] { return show.state().scene_serial == 2; })) << "later requests are applied";
}

TEST(SimulationThread, NonfiniteStepPausesWithAnError) {
  RunningSimulation show;
  ASSERT_TRUE(show.load("plummer", 100));
  Params params = show.state().params;
  params.dt = 1e19;
  params.gravity = 1e30;
  show.request(request::SetParams{params});
  show.request(request::Play{true});
  ASSERT_TRUE(eventually([&] {
    show.frame();
    return show.state().message_is_error;
  }));
  EXPECT_FALSE(show.state().running);
  EXPECT_GT(show.state().diagnostics.non_finite, 0u);
}

TEST(SimulationThread, SurvivesRandomRequests) {
  RunningSimulation show;
  Random random(5);
  for (int i = 0; i < 300; ++i) {
    switch (random.next() % 8) {
      case 0:
        show.request(request::Play{random.uniform() < 0.7});
        break;
      case 1:
        show.request(request::Step{});
        break;
      case 2:
        show.request_scene(std::string(scenes()[random.next() % scenes().size()].name), random.next() % 400 + 2);
        break;
      case 3:
        show.request(request::Reset{});
        break;
      case 4:
        show.request(request::SetParams{{.dt = random.normal(), .theta = random.uniform()}});
        break;
      case 5:
        show.request(request::SetConfig{{.solver = random.uniform() < 0.5 ? "direct" : "octree",
                                         .precision = random.uniform() < 0.5 ? Precision::float32 : Precision::float64,
                                         .dimension = random.uniform() < 0.5 ? 2 : 3}});
        break;
      case 6:
        show.request(request::ShowTree{.show = random.uniform() < 0.5});
        break;
      case 7:
        show.thread.recall();
        show.thread.lend(host_target(show.buffer));
        break;
    }
    show.frame();
  }
  EXPECT_TRUE(show.load("plummer", 50));
}

TEST(SimulationThread, ConfigAppliesToASceneRequestedRightAfterIt) {
  RunningSimulation show;
  Random random(3);
  show.request(request::Play{});
  show.request_scene("plummer", 1000);
  for (int i = 0; i < 300; ++i) {
    ASSERT_TRUE(eventually([&] { return show.frame() && show.last.steps > 0; })) << i;
    Config config{.solver = random.uniform() < 0.5 ? "direct" : "octree"};
    config.dimension = random.uniform() < 0.5 ? 2 : 3;
    show.request(request::SetConfig{config});
    const bool other_scene = random.uniform() < 0.3;
    const std::size_t bodies = 100 + random.next() % 4900;
    if (other_scene) show.request_scene("uniform", bodies);
    ASSERT_TRUE(eventually([&] {
      show.frame();
      const SessionState state = show.state();
      return !state.busy && state.config == config && (!other_scene || state.bodies == bodies);
    })) << i
        << (other_scene ? ", another scene: " : ": ") << show.state().message;
  }
}

TEST(SimulationThread, Fault10EndsWithoutAStepThatHangs) {
  using Clock = std::chrono::steady_clock;
  {
    RunningSimulation show;
    EXPECT_TRUE(show.thread.end(10));
    EXPECT_TRUE(show.thread.end(0)) << "again";
  }
  RunningSimulation show;
  ASSERT_TRUE(show.load("plummer", 50));
  ASSERT_EQ(plan_fault("step_hangs"), "");
  show.request(request::Step{});
  ASSERT_TRUE(eventually([&] { return show.state().step_seconds > 0; }));
  const auto start = Clock::now();
  EXPECT_FALSE(show.thread.end(0.05));
  EXPECT_LT(Clock::now() - start, 1s);
  plan_fault({});
  EXPECT_TRUE(show.thread.end(10));
}

// A step that hangs takes 10 s; the frame that shows its end comes before its forces.
TEST(SimulationThread, FillsABufferAheadOfTheForces) {
  RunningSimulation show;
  ASSERT_TRUE(show.load("plummer", 50));
  const std::vector<Vertex> start = show.buffer;
  show.thread.recall();
  show.thread.lend(host_target(show.buffer), true);
  ASSERT_EQ(plan_fault("step_hangs"), "");
  show.request(request::Play{});
  show.thread.allow_steps();
  const std::optional<PublishedFrame> ahead = show.thread.take_back(9);
  const SessionState hanging = show.state();
  show.request(request::Play{false});
  plan_fault({});
  ASSERT_TRUE(ahead);
  EXPECT_EQ(ahead->steps, 1u);
  EXPECT_EQ(ahead->time, hanging.params.dt);
  EXPECT_EQ(hanging.steps, 0u);
  EXPECT_NE(show.buffer[7].x, start[7].x);
  EXPECT_EQ(show.buffer[7].attribute, start[7].attribute) << "the speed of before";
  ASSERT_TRUE(eventually([&] { return show.state().steps == 1; }));

  // In a pause follows what the step has made of the bodies.
  const std::vector<Vertex> written = show.buffer;
  show.thread.lend(host_target(show.buffer), true);
  ASSERT_TRUE(eventually([&] { return show.thread.take_back(1).has_value(); }));
  EXPECT_EQ(show.state().steps, 1u);
  EXPECT_EQ(show.buffer[7].x, written[7].x);
  EXPECT_NE(show.buffer[7].attribute, written[7].attribute);
}

TEST(SimulationThread, FillsABufferAheadOnlyWhileTheRunPlays) {
  RunningSimulation show;
  ASSERT_TRUE(show.load("plummer", 50));
  show.thread.recall();
  show.thread.lend(host_target(show.buffer), true);
  ASSERT_EQ(plan_fault("step_hangs"), "");
  show.request(request::Step{});
  ASSERT_TRUE(eventually([&] { return show.state().step_seconds > 0; }));
  EXPECT_FALSE(show.thread.take_back(0.05)) << "a single step is shown when it is complete";
  plan_fault({});
  ASSERT_TRUE(show.thread.take_back(90));
}

TEST(SimulationThread, Fault40PauseBetweenFramesCausesNoJump) {
  RunningSimulation show;
  ASSERT_TRUE(show.load("plummer", 50));
  show.request(request::SetStepsPerFrame{5});
  show.request(request::Play{});
  ASSERT_TRUE(eventually([&] {
    show.frame();
    return show.state().steps > 20;
  }));
  ASSERT_TRUE(show.takes_allowed_steps());
  const std::uint64_t before = show.state().steps;
  std::this_thread::sleep_for(300ms);
  EXPECT_EQ(show.state().steps, before);
  show.frame();
  std::this_thread::sleep_for(50ms);
  EXPECT_LE(show.state().steps, before + 5);
}

TEST(SimulationThread, WaitsForTheBufferThatIsDrawn) {
  RunningSimulation show;
  ASSERT_TRUE(show.load("plummer", 500));
  show.thread.recall();
  show.request(request::SetSingleBuffer{true});
  show.request(request::Play{});
  for (std::uint64_t steps = 1; steps < 6; ++steps) {
    ASSERT_TRUE(eventually([&] {
      show.thread.allow_steps();
      return show.thread.awaits_buffer();
    }));
    std::this_thread::sleep_for(20ms);  // enough time for further steps
    EXPECT_EQ(show.state().steps, steps);
    show.thread.lend(host_target(show.buffer));
    EXPECT_FALSE(show.thread.awaits_buffer());
    const auto published = show.thread.take_back(90);
    ASSERT_TRUE(published);
    EXPECT_EQ(published->steps, steps);
  }
  show.request(request::Play{false});
  EXPECT_FALSE(show.thread.take_back(0.05));  // no buffer is lent
}

TEST(SimulationThread, HasALowerPriority) {
  const RunningSimulation show;
  const int own = ::getpriority(PRIO_PROCESS, 0);
  EXPECT_TRUE(eventually([&] {
    const std::filesystem::directory_iterator threads("/proc/self/task");
    return std::any_of(begin(threads), end(threads), [&](const auto& thread) {
      return ::getpriority(PRIO_PROCESS, static_cast<id_t>(std::stoi(thread.path().filename()))) > own;
    });
  }));
}

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST(SimulationThread, NewSceneReturnsMemory) {
  const auto resident_bytes = [] {
    std::size_t all = 0, resident = 0;
    std::ifstream("/proc/self/statm") >> all >> resident;
    return resident * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  };
  RunningSimulation show;
  ASSERT_TRUE(show.load("plummer", 500));
  std::vector<std::unique_ptr<char[]>> blocks(20'000);
  for (auto& block : blocks) {
    block = std::make_unique<char[]>(1000);
    std::fill_n(block.get(), 1000, 'x');
  }
  const auto last = std::move(blocks.back());  // prevents the heap from shrinking at its end
  blocks.clear();
  const std::size_t before = resident_bytes();
  ASSERT_TRUE(show.load("two-body", 2));
  EXPECT_LT(resident_bytes() + 15'000'000, before);
}
#endif

}  // namespace
}  // namespace pericenter
