#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <future>
#include <optional>
#include <vector>

#include "sim/core/fault_injection.h"
#include "sim/core/random.h"
#include "sim/session/simulation_thread.h"
#include "tests/gpu/device.h"
#include "tests/gpu/main_loop.h"

namespace pericenter::test {
namespace {

class BridgeSwitching : public OnOneGpu {
 protected:
  Config any_config(Random& random) const {
    std::vector<Config> all = configs_of(Backend::cpu);
    for (const Config& config : configs_of(Backend::cuda)) all.push_back(cuda(config));
    Config config = all[random.next() % all.size()];
    config.multipole = random.uniform() < 0.5 ? Multipole::monopole : Multipole::quadrupole;
    return config;
  }

  /// Changes the scene occasionally and all other settings each time, and runs some frames after each change.
  void switch_around(std::size_t times) {
    Random random(3);
    MainLoop loop(interop());
    ASSERT_TRUE(loop.load("plummer", 1000));
    loop.request(request::Play{});
    for (std::size_t i = 0; i < times; ++i) {
      const Config config = any_config(random);
      const std::string what = "switch " + std::to_string(i) + " to " + describe(config);
      loop.request(request::SetConfig{config});
      if (random.uniform() < 0.3) {
        const char* scene = random.uniform() < 0.5 ? "plummer" : "uniform";
        ASSERT_TRUE(loop.load(scene, 100 + random.next() % 4900)) << what << ": " << loop.state().message;
      }
      ASSERT_TRUE(loop.runs(config)) << what << ": " << loop.state().message;
      const std::uint64_t steps = loop.state().steps;
      ASSERT_TRUE(loop.shows([&](const PublishedFrame& p) { return p.steps > steps; })) << what;
      const SessionState state = loop.state();
      ASSERT_FALSE(state.message_is_error) << what << ": " << state.message;
      ASSERT_EQ(loop.bridge().count(), state.bodies) << what;
      ASSERT_TRUE(loop.uses(config.backend == Backend::cpu ? "host" : "interop")) << what;
    }
    const SessionState end = loop.state();
    EXPECT_EQ(end.message, "");
    EXPECT_EQ(end.diagnostics.non_finite, 0u);
    EXPECT_TRUE(std::isfinite(end.diagnostics.energy()));
  }
};

TEST_F(BridgeSwitching, ThousandChangesLeakNoMemory) {
  constexpr std::size_t kDriverTolerance = std::size_t(32) << 20;  // reserved by the OpenGL driver
  switch_around(sized(100));
  ASSERT_FALSE(HasFatalFailure());
  glFinish();
  const std::size_t before = free_device_memory();
  switch_around(sized(1000));
  glFinish();
  EXPECT_TRUE(eventually([&] { return free_device_memory() + kDriverTolerance >= before; }))
      << before << " bytes were free, then " << free_device_memory();
}

class StartingGpu : public OnOneGpu {
 protected:
  static constexpr std::size_t kBodies = 100'000, kSteps = 3;
};

// As in the window: the CPU shows the bodies while CUDA starts. The run is that of a GPU from the start.
TEST_F(StartingGpu, TakesOverTheSceneThatTheCpuShows) {
  std::promise<std::optional<int>> device;
  MainLoop loop(app::Interop{.problem = "CUDA is starting"});
  loop.request(request::AwaitDevice{device.get_future().share()});
  loop.request(request::ChooseSolver{true});
  ASSERT_TRUE(loop.load("collision", kBodies));
  EXPECT_TRUE(loop.state().awaits_device);
  EXPECT_EQ(loop.bridge().name(), "host");
  const std::vector<Vertex> shown = loop.drawn();

  loop.set_interop(interop());
  device.set_value(cuda().device);
  ASSERT_TRUE(eventually([&] {
    loop.frame();
    return !loop.state().busy;
  }));
  EXPECT_EQ(loop.state().config.backend, Backend::cuda);
  EXPECT_EQ(loop.state().config.solver, "fmm");
  EXPECT_EQ(loop.state().scene_serial, 1u);
  const std::vector<Vertex> started = loop.drawn();
  ASSERT_EQ(started.size(), kBodies);
  for (std::size_t i = 0; i < kBodies; ++i) {
    ASSERT_EQ(started[i].x, shown[i].x) << i;
    ASSERT_EQ(started[i].attribute, shown[i].attribute) << i;
  }
  ASSERT_TRUE(loop.step(kSteps));
  EXPECT_TRUE(loop.uses("interop"));

  MainLoop direct(interop());
  direct.request(request::SetConfig{cuda()});
  direct.request(request::ChooseSolver{true});
  ASSERT_TRUE(direct.load("collision", kBodies));
  ASSERT_TRUE(direct.step(kSteps));
  const std::vector<Vertex> now = loop.drawn(), expected = direct.drawn();
  ASSERT_EQ(now.size(), expected.size());
  for (std::size_t i = 0; i < kBodies; ++i) ASSERT_EQ(now[i].x, expected[i].x) << i;
}

/// Whether a run continues on the CPU after the loss of the GPU, and no device is listed any more.
bool survives_a_lost_gpu() {
  RunningSimulation show(0);
  show.request_scene("plummer", 5000, Config{.backend = Backend::cuda});
  show.request(request::Play{});
  if (!show.wait_until([](const SessionState& state) { return state.steps > 20; })) return false;
  plan_fault("device_lost:1");
  if (!show.wait_until([](const SessionState& state) { return !state.device_lost.empty(); })) return false;
  return show.state().config.backend == Backend::cpu && !cuda_status().available() && show.takes_more_steps();
}

// Runs in a separate process, because later tests would find no GPU.
TEST(LostGpuDeathTest, Fault9RunContinuesOnCpu) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(std::exit(survives_a_lost_gpu() ? 0 : 1), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace pericenter::test
