// GPU memory that simulations allocate and release, and out-of-memory handling. No other process may use the GPU during
// these tests.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <regex>

#include "sim/session/simulation_thread.h"
#include "tests/gpu/device.h"
#include "tests/gpu/support.h"

namespace pericenter::test {
namespace {

constexpr std::size_t kMega = std::size_t(1) << 20;
/// The driver allocates memory in blocks of 2 MB and reserves some for itself.
constexpr std::size_t kTolerance = 8 * kMega;

/// Resident memory of this process in bytes.
std::size_t resident_memory() {
  std::size_t all = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> all >> resident;
  return resident * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

/// Creates a simulation and uses all of its buffers.
std::unique_ptr<Simulation> used_simulation(const Config& config, const Bodies& bodies, std::vector<Vertex>& vertices) {
  auto simulation = Simulation::create(config, bodies);
  if (find_solver(config.solver)->has_tree()) simulation->step({.softening = 0.1});
  simulation->write_vertices(host_target(vertices));
  return simulation;
}

class CudaMemory : public testing::TestWithParam<Config> {};
INSTANTIATE_TEST_SUITE_P(Solvers, CudaMemory, testing::ValuesIn(all_configs()), test_name);

TEST_P(CudaMemory, IsReleased) {
  const Bodies bodies = scene_bodies("uniform", sized(100'000), GetParam().dimension);
  std::vector<Vertex> vertices(bodies.size());
  used_simulation(GetParam(), bodies, vertices);  // kernels are loaded at first use and stay resident
  const std::size_t free_before = free_device_memory(), resident_before = resident_memory();
  for (std::size_t i = 0; i < sized(50); ++i) used_simulation(GetParam(), bodies, vertices);
  // Leaking the smallest buffer once per iteration would add up to 20 MB.
  EXPECT_GE(free_device_memory() + kTolerance, free_before);
  EXPECT_LE(resident_memory(), resident_before + 32 * kMega);
}

TEST_P(CudaMemory, MatchesEstimate) {
  // Large enough that a missing vector array exceeds the rounding of the driver, 2 MB per buffer.
  const Bodies bodies = scene_bodies("uniform", sized(2'000'000), GetParam().dimension);
  std::vector<Vertex> vertices(bodies.size());
  used_simulation(GetParam(), bodies, vertices);
  const std::size_t before = free_device_memory();
  const auto simulation = used_simulation(GetParam(), bodies, vertices);
  const double taken = static_cast<double>(before) - static_cast<double>(free_device_memory());
  const DeviceMemory memory = simulation->device_memory();
  const auto said = static_cast<double>(memory.used_bytes);
  EXPECT_NEAR(taken, said, 0.01 * said + 2.0 * kTolerance);
  EXPECT_LE(memory.free_bytes, before);
  EXPECT_LT(memory.used_bytes + memory.free_bytes, memory.total_bytes);
  EXPECT_NE(simulation->device_name(), "");
}

/// The megabytes in an error message: needed, and free.
std::pair<std::size_t, std::size_t> megabytes_in(const std::string& message) {
  std::smatch found;
  if (!std::regex_search(message, found, std::regex("([0-9]+) MB needed, ([0-9]+) MB free"))) return {0, 0};
  return {std::stoul(found[1]), std::stoul(found[2])};
}

constexpr std::size_t kLeft = 200 * kMega;

class OutOfCudaMemory : public testing::Test {
 protected:
  // At least 100 bytes per body: they do not fit into kLeft, even without a solver.
  static constexpr std::size_t kMany = 2'100'000;
  const Config large_{.backend = Backend::cuda, .precision = Precision::float64};

  void SetUp() override {
    if (short_run()) GTEST_SKIP() << "too slow with millions of bodies";
  }
  void expect_refusal(const SessionState& state) {
    const auto [needed, free] = megabytes_in(state.message);
    EXPECT_GT(needed, 200u) << state.message;
    EXPECT_NEAR(static_cast<double>(free), 200, 40) << state.message;
    EXPECT_THAT(state.message, testing::HasSubstr("Keeping the current simulation"));
  }
};

TEST_F(OutOfCudaMemory, KeepsPreviousScene) {
  RunningSimulation show(0);
  show.request(request::SetConfig{large_});
  show.request(request::LoadScene{"plummer", {.bodies = 1000}});
  show.request(request::Play{});
  ASSERT_TRUE(show.takes_more_steps());
  {
    const Ballast ballast(kLeft);
    show.request(request::LoadScene{"uniform", {.bodies = kMany}});
    ASSERT_TRUE(show.wait_until([](const SessionState& state) { return state.message_is_error && !state.busy; }));
    const SessionState state = show.state();
    expect_refusal(state);
    EXPECT_EQ(state.scene, "plummer");
    EXPECT_EQ(state.bodies, 1000u);
    EXPECT_GT(state.steps, 0u);
    EXPECT_TRUE(show.takes_more_steps());
  }
  show.request(request::LoadScene{"uniform", {.bodies = kMany}});
  ASSERT_TRUE(show.wait_until([](const SessionState& state) { return state.bodies == kMany && !state.busy; }));
  EXPECT_EQ(show.state().message, "");
  EXPECT_TRUE(show.takes_more_steps());
}

TEST_F(OutOfCudaMemory, KeepsPreviousBackend) {
  RunningSimulation show(0);
  show.request(request::SetConfig{{}});
  show.request(request::LoadScene{"uniform", {.bodies = kMany}});
  ASSERT_TRUE(show.wait_until([](const SessionState& state) { return state.bodies == kMany && !state.busy; }));
  {
    const Ballast ballast(kLeft);
    show.request(request::SetConfig{large_});
    ASSERT_TRUE(show.wait_until([](const SessionState& state) { return state.message_is_error && !state.busy; }));
    expect_refusal(show.state());
    EXPECT_EQ(show.state().config.backend, Backend::cpu);
    show.request(request::Step{});
    EXPECT_TRUE(show.wait_until([](const SessionState& state) { return state.steps == 1; }));
  }
  show.request(request::SetConfig{large_});
  ASSERT_TRUE(show.wait_until([this](const SessionState& state) { return state.config == large_ && !state.busy; }));
  EXPECT_EQ(show.state().message, "");
  EXPECT_EQ(show.state().steps, 1u) << "the previous run did not continue";
}

// Both do not fit at the same time, but each fits alone: the old simulation is released first.
TEST_F(OutOfCudaMemory, ReleasesOldSimulationFirst) {
  RunningSimulation show(0);
  show.request(request::SetConfig{large_});
  show.request(request::LoadScene{"uniform", {.bodies = kMany}});
  ASSERT_TRUE(show.wait_until([](const SessionState& state) { return state.bodies == kMany && !state.busy; }));
  const Ballast ballast(kLeft);
  Config other = large_;
  other.multipole = Multipole::monopole;
  show.request(request::SetConfig{other});
  ASSERT_TRUE(show.wait_until([&](const SessionState& state) { return state.config == other && !state.busy; }));
  EXPECT_EQ(show.state().message, "");
  EXPECT_EQ(show.state().bodies, kMany);
}

}  // namespace
}  // namespace pericenter::test
