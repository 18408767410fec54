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
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "sim/core/fault_injection.h"
#include "sim/core/random.h"

namespace pericenter {
namespace {

using namespace std::chrono_literals;

/// Waits for `condition`, for a time that only a defect uses up.
bool eventually(const std::function<bool()>& condition) {
  const auto end = std::chrono::steady_clock::now() + 90s;
  while (std::chrono::steady_clock::now() < end) {
    if (condition()) return true;
    std::this_thread::sleep_for(1ms);
  }
  return condition();
}

/// A simulation thread with a picture that takes every buffer at once.
struct Show {
  std::vector<Vertex> buffer = std::vector<Vertex>(10'000);
  SimulationThread simulation;  // after the buffer: it must end before the memory that it may be writing to
  Published last;

  Show() { simulation.lend(host_target(buffer)); }
  bool frame() {
    const auto published = simulation.take_back();
    if (published) {
      last = *published;
      simulation.lend(host_target(buffer));
    }
    simulation.allow_steps();
    return published.has_value();
  }
  bool loaded(const std::string& scene) {
    return eventually([&] {
      frame();
      const SessionState state = simulation.state();
      return !state.busy && state.scene == scene && last.scene_serial == state.scene_serial;
    });
  }
  void load(const std::string& scene, std::size_t bodies) {
    simulation.request(request::LoadScene{scene, {.bodies = bodies}});
  }
};

TEST(SimulationThread, PublishesASceneBeforeItRuns) {
  Show show;
  show.load("plummer", 500);
  ASSERT_TRUE(show.loaded("plummer"));
  EXPECT_EQ(show.last.count, 500u);
  EXPECT_EQ(show.last.steps, 0u);
  EXPECT_NE(show.buffer[7].x, 0);
  EXPECT_FALSE(show.simulation.state().running);
}

TEST(SimulationThread, StepsOnceWhenAskedAndRunsWhenPlayed) {
  Show show;
  show.load("plummer", 200);
  ASSERT_TRUE(show.loaded("plummer"));
  show.simulation.request(request::SingleStep{});
  ASSERT_TRUE(eventually([&] { return show.frame() && show.last.steps == 1; }));
  std::this_thread::sleep_for(20ms);
  EXPECT_EQ(show.simulation.state().steps, 1u);
  show.simulation.request(request::Play{true});
  EXPECT_TRUE(eventually([&] { return show.frame() && show.last.steps > 20; }));
  EXPECT_GE(show.simulation.take_timings().size(), 20u);
  show.simulation.request(request::Play{false});
  EXPECT_TRUE(eventually([&] {
    show.frame();
    return !show.simulation.state().running;
  }));
}

TEST(SimulationThread, WaitsForThePictureAfterTheStepsOfAFrame) {
  Show show;
  show.load("two-body", 2);
  ASSERT_TRUE(show.loaded("two-body"));
  show.simulation.request(request::SetStepsPerFrame{5});
  show.simulation.request(request::Play{true});
  std::this_thread::sleep_for(50ms);
  EXPECT_LE(show.simulation.state().steps, 10u);  // five for the buffer that it filled, five more until it must wait
}

TEST(SimulationThread, ChoosesASolverForTheBodiesOfEachSceneUntilOneIsChosen) {
  Show show;
  const auto runs = [&](const std::string& scene, std::size_t bodies, const std::string& solver) {
    return eventually([&] {
      const SessionState state = show.simulation.state();
      return !state.busy && state.scene == scene && state.bodies == bodies && state.config.solver == solver;
    });
  };
  show.simulation.request(request::ChooseSolver{true});
  show.load("uniform", 30'000);
  ASSERT_TRUE(runs("uniform", 30'000, "fmm"));
  show.load("plummer", 500);
  ASSERT_TRUE(runs("plummer", 500, "octree"));
  EXPECT_TRUE(show.simulation.state().automatic_solver);
  show.load("uniform", 30'001);
  ASSERT_TRUE(runs("uniform", 30'001, "fmm"));
  Config config = show.simulation.state().config;
  config.solver_options.set(SolverOption::expansion, 0);
  show.simulation.request(request::SetConfig{config});
  ASSERT_TRUE(eventually([&] { return show.simulation.state().config == config; }));
  EXPECT_FALSE(show.simulation.state().automatic_solver);

  show.simulation.request(request::SetConfig{{.solver = "direct"}});
  show.load("two-body", 2);
  ASSERT_TRUE(runs("two-body", 2, "direct"));
  EXPECT_FALSE(show.simulation.state().automatic_solver);
  show.simulation.request(request::ChooseSolver{true});
  ASSERT_TRUE(runs("two-body", 2, "octree"));
}

TEST(SimulationThread, ASceneThatBringsItsConfigKeepsItsSolver) {
  Show show;
  show.simulation.request(request::ChooseSolver{true});
  request::LoadScene wanted{"uniform", {.bodies = 30'000}};
  wanted.config = Config();
  show.simulation.request(wanted);
  ASSERT_TRUE(eventually([&] { return show.simulation.state().bodies == 30'000; }));
  EXPECT_EQ(show.simulation.state().config.solver, "octree");
  EXPECT_FALSE(show.simulation.state().automatic_solver);
}

TEST(SimulationThread, NeverHoldsThePictureUp) {
  Show show;
  show.simulation.request(
      request::SetConfig{{.solver = "direct", .precision = Precision::float64, .simd = Simd::plain}});
  show.load("plummer", 10'000);
  ASSERT_TRUE(show.loaded("plummer"));
  show.simulation.request(request::Play{true});
  ASSERT_TRUE(eventually([&] { return show.simulation.state().running; }));
  auto slowest = 0ns;
  for (int i = 0; i < 300; ++i) {
    const auto start = std::chrono::steady_clock::now();
    show.frame();
    show.simulation.state();
    slowest = std::max<std::chrono::nanoseconds>(slowest, std::chrono::steady_clock::now() - start);
    std::this_thread::sleep_for(1ms);
  }
  EXPECT_LT(slowest, 150ms);  // a step takes several times that
}

TEST(SimulationThread, GoesOnFromTheSameBodiesWithAnotherConfig) {
  Show show;
  show.load("plummer", 1000);
  ASSERT_TRUE(show.loaded("plummer"));
  show.simulation.request(request::Play{true});
  ASSERT_TRUE(eventually([&] { return show.frame() && show.last.steps > 5; }));
  show.simulation.request(request::Play{false});
  show.simulation.request(request::SetConfig{{.solver = "direct", .precision = Precision::float64}});
  ASSERT_TRUE(eventually([&] {
    show.frame();
    return show.simulation.state().config.solver == "direct";
  }));
  const SessionState state = show.simulation.state();
  EXPECT_GT(state.time, 0);
  EXPECT_GT(state.steps, 5u);
  EXPECT_EQ(state.bodies, 1000u);
  EXPECT_EQ(state.scene_serial, 1u);
}

TEST(SimulationThread, KeepsWhatRanWhenAConfigOrParametersAreImpossible) {
  Show show;
  show.load("plummer", 300);
  ASSERT_TRUE(show.loaded("plummer"));
  const Params before = show.simulation.state().params;
  show.simulation.request(request::SetConfig{{.solver = "none such"}});
  ASSERT_TRUE(eventually([&] { return show.simulation.state().message_is_error; }));
  EXPECT_EQ(show.simulation.state().config.solver, "octree");
  show.simulation.request(request::SetParams{{.theta = -1}});
  ASSERT_TRUE(eventually([&] { return show.simulation.state().message.find("-1") != std::string::npos; }));
  EXPECT_EQ(show.simulation.state().params, before);
  show.load("none such", 10);
  ASSERT_TRUE(eventually([&] { return show.simulation.state().message.find("none such") != std::string::npos; }));
  EXPECT_EQ(show.simulation.state().scene, "plummer");
}

TEST(SimulationThread, ResetStartsTheSameSceneAgainWithTheUsersParameters) {
  Show show;
  show.load("plummer", 300);
  ASSERT_TRUE(show.loaded("plummer"));
  Params params = show.simulation.state().params;
  params.theta = 0.3;
  show.simulation.request(request::SetParams{params});
  show.simulation.request(request::SingleStep{});
  ASSERT_TRUE(eventually([&] { return show.frame() && show.last.steps == 1; }));
  show.simulation.request(request::Reset{});
  ASSERT_TRUE(eventually([&] {
    show.frame();
    return show.simulation.state().scene_serial == 2;
  }));
  EXPECT_EQ(show.simulation.state().steps, 0u);
  EXPECT_EQ(show.simulation.state().params.theta, 0.3);
}

TEST(SimulationThread, ASnapshotOfANewSceneHoldsNothingOfTheOldOne) {
  Show show;
  show.load("plummer", 1000);
  ASSERT_TRUE(show.loaded("plummer"));
  show.simulation.request(request::SingleStep{});
  ASSERT_TRUE(eventually([&] { return show.frame() && show.last.steps == 1; }));
  show.load("uniform", 60'000);
  SessionState state;
  ASSERT_TRUE(eventually([&] { return (state = show.simulation.state()).scene_serial == 2; }));
  EXPECT_EQ(state.scene, "uniform");
  EXPECT_EQ(state.bodies, 60'000u);
  EXPECT_EQ(state.steps, 0u);
  EXPECT_EQ(state.time, 0);
  EXPECT_EQ(state.params, state.suggested);
  EXPECT_NEAR(state.diagnostics.kinetic, 0, 1e-12) << "bodies at rest";
}

TEST(SimulationThread, ABufferThatIsTooSmallComesBackEmpty) {
  SimulationThread simulation;
  std::vector<Vertex> small(10);
  simulation.lend(host_target(small));
  simulation.request(request::LoadScene{"plummer", {.bodies = 100}});
  std::optional<Published> published;
  ASSERT_TRUE(eventually([&] { return (published = simulation.take_back()).has_value(); }));
  EXPECT_EQ(published->count, 0u);
  EXPECT_EQ(simulation.state().bodies, 100u);
  std::vector<Vertex> large(100);
  simulation.lend(host_target(large));
  ASSERT_TRUE(eventually([&] { return (published = simulation.take_back()).has_value(); }));
  EXPECT_EQ(published->count, 100u);
}

TEST(SimulationThread, ShowsTheTreeThatItWalked) {
  Show show;
  show.load("plummer", 2000);
  ASSERT_TRUE(show.loaded("plummer"));
  show.simulation.request(request::ShowTree{.show = true, .first_level = 0, .last_level = 2});
  std::optional<std::vector<TreeBox>> boxes;
  ASSERT_TRUE(eventually([&] { return (boxes = show.simulation.take_tree_boxes()).has_value() && !boxes->empty(); }));
  for (const TreeBox& box : *boxes) EXPECT_LE(box.level, 2);
  show.simulation.request(request::ShowTree{});
  ASSERT_TRUE(eventually([&] { return (boxes = show.simulation.take_tree_boxes()).has_value() && boxes->empty(); }));
}

TEST(SimulationThread, ACancelledSceneLeavesTheOldOne) {
  Show show;
  show.load("plummer", 100);
  ASSERT_TRUE(show.loaded("plummer"));
  show.load("collision", 4'000'000);
  ASSERT_TRUE(eventually([&] { return show.simulation.state().busy; }));
  show.simulation.cancel();
  ASSERT_TRUE(eventually([&] { return !show.simulation.state().busy; }));
  EXPECT_EQ(show.simulation.state().scene, "plummer");
  EXPECT_EQ(show.simulation.state().bodies, 100u);
  EXPECT_NE(show.simulation.state().message, "");
  show.simulation.request(request::Reset{});
  EXPECT_TRUE(eventually([&] { return show.simulation.state().scene_serial == 2; }))
      << "what is asked for later is made";
}

TEST(SimulationThread, ATooDaringStepPausesAndSaysWhy) {
  Show show;
  show.load("plummer", 100);
  ASSERT_TRUE(show.loaded("plummer"));
  Params params = show.simulation.state().params;
  params.dt = 1e19;
  params.gravity = 1e30;
  show.simulation.request(request::SetParams{params});
  show.simulation.request(request::Play{true});
  ASSERT_TRUE(eventually([&] {
    show.frame();
    return show.simulation.state().message_is_error;
  }));
  EXPECT_FALSE(show.simulation.state().running);
  EXPECT_GT(show.simulation.state().diagnostics.non_finite, 0u);
}

TEST(SimulationThread, SurvivesRandomRequests) {
  Show show;
  Random random(5);
  for (int i = 0; i < 300; ++i) {
    switch (random.next() % 8) {
      case 0:
        show.simulation.request(request::Play{random.uniform() < 0.7});
        break;
      case 1:
        show.simulation.request(request::SingleStep{});
        break;
      case 2:
        show.load(std::string(scenes()[random.next() % scenes().size()].name), random.next() % 400 + 2);
        break;
      case 3:
        show.simulation.request(request::Reset{});
        break;
      case 4:
        show.simulation.request(request::SetParams{{.dt = random.normal(), .theta = random.uniform()}});
        break;
      case 5:
        show.simulation.request(
            request::SetConfig{{.solver = random.uniform() < 0.5 ? "direct" : "octree",
                                .precision = random.uniform() < 0.5 ? Precision::float32 : Precision::float64,
                                .dimension = random.uniform() < 0.5 ? 2 : 3}});
        break;
      case 6:
        show.simulation.request(request::ShowTree{.show = random.uniform() < 0.5});
        break;
      case 7:
        show.simulation.recall();
        show.simulation.lend(host_target(show.buffer));
        break;
    }
    show.frame();
  }
  show.load("plummer", 50);
  EXPECT_TRUE(show.loaded("plummer"));
}

TEST(SimulationThread, RunsWithTheConfigThatWasAskedForThoughASceneWasRightBehind) {
  Show show;
  Random random(3);
  show.simulation.request(request::Play{});
  show.load("plummer", 1000);
  for (int i = 0; i < 300; ++i) {
    ASSERT_TRUE(eventually([&] { return show.frame() && show.last.steps > 0; })) << i;
    Config config{.solver = random.uniform() < 0.5 ? "direct" : "octree"};
    config.dimension = random.uniform() < 0.5 ? 2 : 3;
    show.simulation.request(request::SetConfig{config});
    const bool other_scene = random.uniform() < 0.3;
    const std::size_t bodies = 100 + random.next() % 4900;
    if (other_scene) show.load("uniform", bodies);
    ASSERT_TRUE(eventually([&] {
      show.frame();
      const SessionState state = show.simulation.state();
      return !state.busy && state.config == config && (!other_scene || state.bodies == bodies);
    })) << i
        << (other_scene ? ", another scene: " : ": ") << show.simulation.state().message;
  }
}

TEST(SimulationThread, Fault10EndsWithoutAStepThatHangs) {
  using Clock = std::chrono::steady_clock;
  {
    Show show;
    EXPECT_TRUE(show.simulation.end(10));
    EXPECT_TRUE(show.simulation.end(0)) << "again";
  }
  Show show;
  show.load("plummer", 50);
  ASSERT_TRUE(show.loaded("plummer"));
  ASSERT_EQ(plan_fault("step_hangs"), "");
  show.simulation.request(request::SingleStep{});
  ASSERT_TRUE(eventually([&] { return show.simulation.state().step_seconds > 0; }));
  const auto start = Clock::now();
  EXPECT_FALSE(show.simulation.end(0.05));
  EXPECT_LT(Clock::now() - start, 1s);
  plan_fault({});
  EXPECT_TRUE(show.simulation.end(10));
}

TEST(SimulationThread, Fault40ALongPauseOfThePicturesBringsNoLeap) {
  Show show;
  show.load("plummer", 50);
  ASSERT_TRUE(show.loaded("plummer"));
  show.simulation.request(request::SetStepsPerFrame{5});
  show.simulation.request(request::Play{});
  ASSERT_TRUE(eventually([&] {
    show.frame();
    return show.simulation.state().steps > 20;
  }));
  std::this_thread::sleep_for(300ms);  // what was allowed is done
  const std::uint64_t before = show.simulation.state().steps;
  std::this_thread::sleep_for(300ms);
  EXPECT_EQ(show.simulation.state().steps, before);
  show.frame();
  std::this_thread::sleep_for(50ms);
  EXPECT_LE(show.simulation.state().steps, before + 5);
}

TEST(SimulationThread, WaitsForTheBufferThatIsDrawn) {
  Show show;
  show.load("plummer", 500);
  ASSERT_TRUE(show.loaded("plummer"));
  show.simulation.recall();
  show.simulation.request(request::ShareBuffer{true});
  show.simulation.request(request::Play{});
  for (std::uint64_t steps = 1; steps < 6; ++steps) {
    ASSERT_TRUE(eventually([&] {
      show.simulation.allow_steps();
      return show.simulation.awaits_buffer();
    }));
    std::this_thread::sleep_for(20ms);  // in which it could take further steps
    EXPECT_EQ(show.simulation.state().steps, steps);
    show.simulation.lend(host_target(show.buffer));
    EXPECT_FALSE(show.simulation.awaits_buffer());
    const auto published = show.simulation.take_back(90);
    ASSERT_TRUE(published);
    EXPECT_EQ(published->steps, steps);
  }
  show.simulation.request(request::Play{false});
  EXPECT_FALSE(show.simulation.take_back(0.05));  // nothing is lent
}

TEST(SimulationThread, YieldsToThePictures) {
  const Show show;
  const int own = ::getpriority(PRIO_PROCESS, 0);
  EXPECT_TRUE(eventually([&] {
    const std::filesystem::directory_iterator threads("/proc/self/task");
    return std::any_of(begin(threads), end(threads), [&](const auto& thread) {
      return ::getpriority(PRIO_PROCESS, static_cast<id_t>(std::stoi(thread.path().filename()))) > own;
    });
  }));
}

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST(SimulationThread, GivesMemoryBackWithANewScene) {
  const auto resident_bytes = [] {
    std::size_t all = 0, resident = 0;
    std::ifstream("/proc/self/statm") >> all >> resident;
    return resident * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  };
  Show show;
  show.load("plummer", 500);
  ASSERT_TRUE(show.loaded("plummer"));
  std::vector<std::unique_ptr<char[]>> blocks(20'000);
  for (auto& block : blocks) {
    block = std::make_unique<char[]>(1000);
    std::fill_n(block.get(), 1000, 'x');
  }
  const auto last = std::move(blocks.back());  // the heap cannot shrink from its end
  blocks.clear();
  const std::size_t before = resident_bytes();
  show.load("two-body", 2);
  ASSERT_TRUE(show.loaded("two-body"));
  EXPECT_LT(resident_bytes() + 15'000'000, before);
}
#endif

}  // namespace
}  // namespace pericenter
