#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <fstream>
#include <thread>

#include "app/settings/auto_body_count.h"
#include "sim/core/clock.h"
#include "tests/support/bridge_fixture.h"
#include "tests/support/program.h"

namespace pericenter::app {
namespace {

using namespace std::chrono_literals;

TEST_F(Bridges, IsEmptyBeforeTheFirstScene) {
  EXPECT_FALSE(bridge->exchange(simulation, simulation.state()));
  EXPECT_EQ(bridge->count(), 0u);
}

TEST_F(Bridges, ShowsTheBodiesOfAScene) {
  simulation.request(plummer(500));
  ASSERT_TRUE(wait_for(500));
  EXPECT_EQ(bridge->count(), 500u);
  double radius = 0;
  for (const Vertex& vertex : drawn_vertices()) radius += std::hypot(vertex.x, vertex.y, vertex.z) / 500;
  EXPECT_GT(radius, 0.2);  // Plummer sphere in Henon units
  EXPECT_LT(radius, 3);
}

TEST_F(Bridges, ShowsTheOldSceneUntilTheNewOneIsReady) {
  simulation.request(plummer(500));
  ASSERT_TRUE(wait_for(500));
  simulation.request(plummer(30'000));
  EXPECT_TRUE(test::eventually([&] {
    bridge->exchange(simulation, simulation.state());
    return bridge->count() != 500u;
  }));
  EXPECT_EQ(bridge->count(), 30'000u) << "nothing between the two scenes";
}

// A direct sum of a million bodies takes minutes.
TEST_F(Bridges, ShowsANewSceneWhileItsFirstForcesAreComputed) {
  constexpr std::size_t kMany = 1'000'000;
  simulation.request(plummer(500));
  ASSERT_TRUE(wait_for(500));
  request::LoadScene wanted = plummer(kMany);
  wanted.config = Config{.solver = "direct"};
  simulation.request(wanted);
  ASSERT_TRUE(wait_for(kMany));
  EXPECT_TRUE(simulation.state().computing_forces);
  simulation.cancel();
  ASSERT_TRUE(wait_for(500));
}

// CUDA may start after the first scene is shown.
TEST_F(Bridges, SharesBuffersOnceThatIsPossible) {
  use({.problem = "CUDA is starting"});
  simulation.request(plummer(500));
  ASSERT_TRUE(wait_for(500));
  EXPECT_EQ(bridge->name(), "host");
  std::size_t shared = 0;
  bridge->set_interop({.problem = {},
                       .suits = [](const SessionState&) { return true; },
                       .make =
                           [&](std::size_t capacity, int) {
                             ++shared;
                             return make_host_buffer(capacity);
                           }});
  simulation.request(request::Play{});
  ASSERT_TRUE(wait_for(500));
  ASSERT_TRUE(wait_for(500));
  EXPECT_GT(shared, 0u);
  EXPECT_EQ(bridge->name(), "interop");
}

TEST_F(Bridges, NeverDrawsTheBufferThatIsWritten) {
  simulation.request(plummer(2000));
  ASSERT_TRUE(wait_for(2000));
  simulation.request(request::Play{});
  for (int k = 0; k < 20; ++k) {
    ASSERT_TRUE(wait_for(2000));
    const std::vector<Vertex> first = drawn_vertices();
    std::this_thread::sleep_for(5ms);  // the next step is written during this time
    const std::vector<Vertex> second = drawn_vertices();
    ASSERT_EQ(std::memcmp(first.data(), second.data(), first.size() * sizeof(Vertex)), 0);
  }
}

TEST_F(Bridges, DoesNotWaitForAStep) {
  simulation.request(plummer(12'000));
  simulation.request(
      request::SetConfig{{.solver = "direct", .precision = Precision::float64, .threads = 1, .simd = Simd::plain}});
  ASSERT_TRUE(wait_for(12'000));
  simulation.request(request::Play{});
  double slowest = 0, step = 0;
  // Other programs delay steps and exchanges alike.
  ASSERT_TRUE(test::eventually([&] {
    const SessionState state = simulation.state();
    step = std::max(step, state.step_seconds);
    const auto start = std::chrono::steady_clock::now();
    bridge->exchange(simulation, state);
    slowest = std::max(slowest, seconds_between(start, std::chrono::steady_clock::now()));
    return state.steps >= 2;
  }));
  EXPECT_LT(slowest, 0.6 * step);
}

TEST(AutoBodyCount, FitsTheGpuThatComputes) {
  if (!cuda_status().available()) GTEST_SKIP() << cuda_status().missing;
  const auto start = std::chrono::steady_clock::now();
  const std::size_t bodies =
      fitting_bodies("collision", time_step("collision", Config{.backend = Backend::cuda}), false);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  EXPECT_GE(bodies, 100'000u);
  EXPECT_LE(bodies, 1'000'000u);
  EXPECT_LT(seconds, 3);
  EXPECT_LE(fitting_bodies("collision", time_step("collision", Config{.backend = Backend::cuda}), true), 200'000u);
}

TEST(AutoBodyCount, FitsTheSceneAndTheMachine) {
  const auto start = std::chrono::steady_clock::now();
  const std::size_t with_gpu = fitting_bodies("collision", time_step("collision", Config()), false);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  EXPECT_GE(with_gpu, 2000u);
  EXPECT_LE(with_gpu, 1'000'000u);
  EXPECT_LT(seconds, 3);
  EXPECT_EQ(fitting_bodies("two-body", time_step("two-body", Config()), true), 2u);
}

// 36 steps of 4000 bodies per second are the default speed, or 9 of 50,000 and more, whose time step is four times
// longer.
TEST(AutoBodyCount, KeepsTheSpeedOfTheScene) {
  const StepSample quick{.bodies = 4000, .ms = 2, .has_tree = true, .interval_ms = 27.6};
  EXPECT_EQ(fitting_bodies("collision", quick, true), 60'000u);
  EXPECT_EQ(fitting_bodies("collision", quick, false), 100'000u);
  const StepSample slow{.bodies = 4000, .ms = 6, .has_tree = true, .interval_ms = 27.6};
  EXPECT_EQ(fitting_bodies("collision", slow, true), 10'000u);
  EXPECT_NEAR(time_step("collision", Config()).interval_ms, 27.6, 0.1);
}

TEST(AutoBodyCount, FewerBodiesOfWhichAMachineReachesHalfTheSpeed) {
  const auto fewer = [](const char* scene, std::size_t bodies, double share, bool has_tree) {
    return bodies_for_share(*find_scene(scene), bodies, share, has_tree);
  };
  EXPECT_EQ(fewer("plummer", 80'000, 0.5, true), 40'000u);
  EXPECT_EQ(fewer("plummer", 80'000, 0.25, false), 40'000u);
  EXPECT_EQ(fewer("collision", 400'000, 0.5, true), 200'000u);
  EXPECT_EQ(fewer("collision", 80'000, 0.5, true), 20'000u) << "their time step is half as long";
  EXPECT_EQ(fewer("plummer", 80'000, 1e-3, true), 0u);
  EXPECT_EQ(fewer("plummer", 2000, 0.5, true), 0u);
  EXPECT_EQ(fewer("plummer", 0, 0.5, true), 0u);
}

// Regression: a rehearsal and the lecture had 30,000 and 50,000 bodies.
TEST(AutoBodyCount, IsRememberedForTheNextStart) {
  const test::TemporaryFolder folder;
  const std::string file = folder / "step_times.txt";
  const StepSample first = remembered_step("plummer", {}, file);
  for (int k = 0; k < 3; ++k) EXPECT_EQ(remembered_step("plummer", {}, file).ms, first.ms);
  EXPECT_EQ(remembered_step("plummer", {}, file).has_tree, first.has_tree);
  const StepSample other = remembered_step("plummer", {.solver = "direct"}, file);
  EXPECT_FALSE(other.has_tree) << "another solver is timed";
  EXPECT_EQ(remembered_step("plummer", {}, file).ms, first.ms) << "beside it";
  std::ofstream(file) << "4000 nan 1 ?\n\xff\n";
  EXPECT_GT(remembered_step("plummer", {}, file).ms, 0) << "a damaged file";
  EXPECT_GT(remembered_step("plummer", {}, folder / "no folder" / "x").ms, 0);
}

}  // namespace
}  // namespace pericenter::app
