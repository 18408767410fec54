#include <gmock/gmock.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>

#include "render/gl_info.h"
#include "sim/core/fault_injection.h"
#include "tests/support/bridge_fixture.h"

namespace pericenter::app {
namespace {

/// Counts the calls to a fake interop buffer, and defines which of them fail.
struct Device {
  int fail_at_make = 0, fail_at_map = 0, fail_at_unmap = 0;  ///< number of the failing call; 0: none
  int made = 0, mapped = 0, unmapped = 0;
  int alive = 0;
  std::size_t largest = 0;  ///< capacity of a buffer
  bool suits = true;
};

/// A fake interop buffer for machines without a GPU. OpenGL refuses to draw from it while it is mapped.
class DeviceBuffer : public VertexBuffer {
 public:
  DeviceBuffer(std::size_t vertices, Device& device) : VertexBuffer(vertices), device_(device) {
    if (++device_.made == device_.fail_at_make) throw std::runtime_error("cannot be shared");
    glNamedBufferStorage(name(), bytes(), nullptr, GL_MAP_WRITE_BIT);
    ++device_.alive;
    device_.largest = std::max(device_.largest, vertices);
  }
  ~DeviceBuffer() override { --device_.alive; }

  VertexTarget map() override {
    if (++device_.mapped == device_.fail_at_map) throw std::runtime_error("cannot be mapped");
    auto* memory = static_cast<Vertex*>(glMapNamedBufferRange(name(), 0, bytes(), GL_MAP_WRITE_BIT));
    return {.vertices = memory, .capacity = capacity()};
  }
  void unmap() override {
    if (++device_.unmapped == device_.fail_at_unmap) throw std::runtime_error("cannot be unmapped");
    glUnmapNamedBuffer(name());
  }

 private:
  GLsizeiptr bytes() const { return static_cast<GLsizeiptr>(capacity() * sizeof(Vertex)); }

  Device& device_;
};

class SharedBuffers : public Bridges {
 protected:
  SharedBuffers() { render::install_gl_debug(true); }

  void TearDown() override {  // destroys the buffers before the device that counts them
    simulation.recall();
    bridge.reset();
  }

  Interop interop() {
    Interop result;
    result.suits = [this](const SessionState&) { return device.suits; };
    result.make = [this](std::size_t capacity, int) { return std::make_unique<DeviceBuffer>(capacity, device); };
    return result;
  }

  /// Frames arrive, each of the same or a later step than the last one.
  void expect_frames() {
    simulation.request(request::Play{});
    std::uint64_t steps = 0;
    for (int k = 0; k < 20; ++k) {
      const auto published = wait_for(kBodies);
      ASSERT_TRUE(published);
      ASSERT_GE(published->steps, steps);
      steps = published->steps;
      ASSERT_EQ(drawn_vertices().size(), kBodies);
    }
    EXPECT_GT(steps, 5u);
    EXPECT_NO_THROW(render::check_gl());
  }

  void expect_staged(const std::string& reason) {
    EXPECT_EQ(bridge->name(), "staged");
    EXPECT_EQ(bridge->reason(), reason);
  }

  /// All but the buffer that is lent.
  void expect_all_unmapped() const {
    EXPECT_GE(device.mapped, device.unmapped);
    EXPECT_LE(device.mapped, device.unmapped + 1);
  }

  static constexpr std::size_t kBodies = 300;
  Device device;
};

TEST_F(SharedBuffers, ShowFrames) {
  use(interop());
  simulation.request(plummer(kBodies));
  expect_frames();
  EXPECT_EQ(bridge->name(), "interop");
  EXPECT_EQ(bridge->reason(), "");
  EXPECT_EQ(device.made, 2);
  expect_all_unmapped();
}

TEST_F(SharedBuffers, GrowWithTheScene) {
  use(interop());
  simulation.request(plummer(kBodies));
  ASSERT_TRUE(wait_for(kBodies));
  simulation.request(plummer(20'000));
  ASSERT_TRUE(wait_for(20'000));
  EXPECT_EQ(bridge->name(), "interop");
  EXPECT_EQ(device.alive, 2);
  expect_all_unmapped();
}

TEST_F(SharedBuffers, AreOneForVeryManyBodies) {
  constexpr std::size_t kMany = 20'000;
  Interop few = interop();
  few.one_buffer_from = kMany;
  use(few);
  simulation.request(plummer(kMany));
  ASSERT_TRUE(wait_for(kMany));
  simulation.request(request::Play{});
  std::uint64_t steps = 0;
  double now = 0;  // of frames that are much shorter than a step, which would show the way between two buffers
  while (steps < 10) {
    const auto published = bridge->exchange(simulation, simulation.state(), {.between = true, .now = now += 1e-3});
    ASSERT_EQ(bridge->before(), 0u);
    bridge->was_drawn();
    if (published) {
      ASSERT_EQ(published->steps, ++steps);  // no step is skipped
    }
    ASSERT_EQ(device.alive, 1);
    ASSERT_EQ(device.mapped, device.unmapped);  // it can be drawn at any time
    ASSERT_EQ(drawn_vertices().size(), kMany);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  EXPECT_EQ(bridge->name(), "interop");
  EXPECT_NO_THROW(render::check_gl());
  simulation.request(plummer(kBodies));
  ASSERT_TRUE(wait_for(kBodies));
  expect_frames();
  EXPECT_EQ(device.alive, 2);
}

// Whether they are shared, staged, or those of the CPU.
TEST_F(SharedBuffers, OfVeryManyBodiesShowOneInEveryFew) {
  constexpr std::size_t kMany = 3500;
  use(interop());
  simulation.request(plummer(kMany));
  ASSERT_TRUE(wait_for(kMany));
  EXPECT_EQ(bridge->every(), 1u);
  const std::vector<Vertex> all = drawn_vertices();
  for (const char* name : {"interop", "staged", "host"}) {
    SCOPED_TRACE(name);
    simulation.recall();
    Interop limited = interop();
    limited.max_vertices = 1000;
    device.largest = 0;
    if (name == std::string("staged")) limited.problem = "a test";
    device.suits = name != std::string("host");
    use(limited);
    simulation.request(request::Publish{});
    const auto published = wait_for(875);
    ASSERT_TRUE(published);
    EXPECT_EQ(published->every, 4u);
    EXPECT_EQ(bridge->every(), 4u);
    EXPECT_EQ(bridge->name(), name);
    EXPECT_LE(device.largest, 1000u);
    const std::vector<Vertex> some = drawn_vertices();
    ASSERT_EQ(some.size(), 875u);
    for (std::size_t k = 0; k < some.size(); ++k) ASSERT_EQ(std::memcmp(&some[k], &all[4 * k], sizeof(Vertex)), 0) << k;
  }
}

TEST_F(SharedBuffers, ShowAllBodiesOfSmallerScenesAgain) {
  Interop limited = interop();
  limited.max_vertices = 1000;
  use(limited);
  for (const auto& [bodies, vertices] : {std::pair<std::size_t, std::size_t>{3500, 875},
                                         {300, 300},
                                         {2001, 667},
                                         {1000, 1000},
                                         {1001, 501},
                                         {3999, 1000}}) {
    simulation.request(plummer(bodies));
    ASSERT_TRUE(wait_for(vertices)) << bodies;
    EXPECT_EQ(bridge->every(), limited.every(bodies));
  }
  simulation.request(request::Play{});
  for (int k = 0; k < 10; ++k) ASSERT_TRUE(wait_for(1000));
  EXPECT_LE(device.largest, 1000u);
  EXPECT_EQ(bridge->name(), "interop");
  EXPECT_NO_THROW(render::check_gl());
}

TEST_F(SharedBuffers, ShrinkWithTheScene) {
  use(interop());
  simulation.request(plummer(20'000));
  ASSERT_TRUE(wait_for(20'000));
  device.made = 0;
  simulation.request(plummer(kBodies));
  ASSERT_TRUE(wait_for(kBodies));
  expect_frames();
  EXPECT_EQ(device.made, 2);
}

TEST_F(SharedBuffers, ASingleOneFallsBackToStaged) {
  Interop few = interop();
  few.one_buffer_from = kBodies;
  device.fail_at_unmap = 5;
  use(few);
  simulation.request(plummer(2000));
  ASSERT_TRUE(wait_for(2000));
  simulation.request(request::Play{});
  for (int k = 0; k < 10; ++k) ASSERT_TRUE(wait_for(2000)) << k;
  expect_staged("cannot be unmapped");
  EXPECT_EQ(device.alive, 0);
}

TEST_F(SharedBuffers, FallBackToStagedIfCreationFails) {
  device.fail_at_make = 1;
  use(interop());
  simulation.request(plummer(kBodies));
  expect_frames();
  expect_staged("cannot be shared");
  EXPECT_EQ(device.made, 1);  // no second attempt after a failure
}

TEST_F(SharedBuffers, FallBackToStagedIfMappingFails) {
  simulation.request(plummer(kBodies));
  for (const int failure : {1, 2, 7}) {
    device = {.fail_at_map = failure};
    use(interop());
    expect_frames();
    expect_staged("cannot be mapped");
    EXPECT_EQ(device.mapped, failure);
    EXPECT_EQ(device.alive, 0);
    simulation.recall();
  }
}

TEST_F(SharedBuffers, FallBackToStagedIfUnmappingFails) {
  simulation.request(plummer(kBodies));
  for (const int failure : {1, 2, 7}) {
    device = {.fail_at_unmap = failure};
    use(interop());
    expect_frames();
    expect_staged("cannot be unmapped");
    EXPECT_EQ(device.unmapped, failure);
    EXPECT_EQ(device.alive, 0);
    simulation.recall();
  }
}

TEST_F(SharedBuffers, LostVerticesAreWrittenAgainWhilePaused) {
  device.fail_at_unmap = 1;
  use(interop());
  simulation.request(plummer(kBodies));
  EXPECT_TRUE(wait_for(kBodies));
}

TEST_F(SharedBuffers, AreNotTriedIfInteropIsUnavailable) {
  Interop known = interop();
  known.problem = "no GPU renders here";
  use(known);
  simulation.request(plummer(kBodies));
  ASSERT_TRUE(wait_for(kBodies));
  expect_staged("no GPU renders here");
  EXPECT_EQ(device.made, 0);
}

TEST(Interop, SuitsWhatTheGpuComputes) {
  const Interop interop;
  SessionState state;
  EXPECT_FALSE(interop.suits(state));
  state.config.backend = Backend::cuda;
  EXPECT_TRUE(interop.suits(state));
  state.timeline.rewound = true;
  EXPECT_FALSE(interop.suits(state)) << "recorded moments come from host memory";
  state.timeline.rewound = false;
  state.playback.emplace();
  EXPECT_FALSE(interop.suits(state));
}

TEST_F(SharedBuffers, FollowTheBackend) {
  use(interop());
  simulation.request(plummer(kBodies));
  expect_frames();
  device.suits = false;
  expect_frames();
  EXPECT_EQ(bridge->name(), "host");
  EXPECT_EQ(bridge->reason(), "");
  EXPECT_EQ(device.alive, 0);
  device.suits = true;
  expect_frames();
  EXPECT_EQ(bridge->name(), "interop");
  EXPECT_EQ(device.alive, 2);
}

TEST_F(SharedBuffers, ThrowIfRequiredAndUnavailable) {
  Interop required = interop();
  required.required = true;
  device.fail_at_unmap = 3;
  use(required);
  simulation.request(plummer(kBodies));
  ASSERT_TRUE(wait_for(kBodies));
  simulation.request(request::Play{});
  EXPECT_THROW(wait_for(kBodies + 1), NoInterop);
  simulation.recall();
  required.problem = "no GPU renders here";
  EXPECT_THROW(use(required), NoInterop);
}

TEST(InteropPlan, ExplainsMissingInterop) {
  const render::HeadlessContext context;
  const CudaStatus none{{}, "no driver"}, one{{{.index = 3, .name = "GPU"}}, ""};
  EXPECT_EQ(plan_interop(Bridge::automatic, none).interop.problem, "no driver");
  const InteropPlan staged = plan_interop(Bridge::staged, one);
  EXPECT_THAT(staged.interop.problem, testing::HasSubstr("--bridge staged"));
  EXPECT_EQ(staged.device, 3);
  EXPECT_FALSE(staged.interop.required);
  EXPECT_TRUE(plan_interop(Bridge::interop, one).interop.required);
  const bool software = render::gl_info().software;  // then no GPU renders, even if one computes
  EXPECT_TRUE(!software || !plan_interop(Bridge::automatic, one).interop.problem.empty());
}

// CUDA maps only a part of a larger buffer, and the rest of the stars would be missing.
TEST(InteropPlan, HasBuffersBelow4GiBOnly) {
  Interop interop;
  const std::size_t of_4_gib = (std::size_t{1} << 32) / sizeof(Vertex);
  EXPECT_EQ(interop.every(0), 1u);
  EXPECT_EQ(interop.every(of_4_gib - 1), 1u);
  EXPECT_EQ(interop.every(of_4_gib), 2u);
  EXPECT_EQ(interop.every(1'000'000'000), 4u);
  for (const std::size_t bodies : {of_4_gib, 3 * of_4_gib + 7, std::size_t{1'000'000'000}}) {
    const VertexTarget lent{.capacity = interop.max_vertices, .every = interop.every(bodies)};
    EXPECT_TRUE(lent.suits(bodies)) << bodies;
  }
  EXPECT_EQ(every_sentence(1), "");
  EXPECT_EQ(every_sentence(4), "The window shows one body in 4: CUDA and OpenGL share at most 4 GiB.");
  SessionState state;
  state.config.backend = Backend::cuda;
  EXPECT_TRUE(interop.can_share(state));
  interop.problem = "there is no GPU";
  EXPECT_FALSE(interop.can_share(state));
}

TEST(InteropPlan, RecognizesWsl) {
  EXPECT_TRUE(is_wsl("Linux version 5.15.153.1-microsoft-standard-WSL2 (root@x) (gcc 11.2)"));
  EXPECT_TRUE(is_wsl("Linux version 4.4.0-19041-Microsoft (Microsoft@Microsoft.com)"));
  EXPECT_FALSE(is_wsl("Linux version 6.1.0-18-amd64 (debian-kernel@lists.debian.org)"));
  EXPECT_FALSE(is_wsl(""));
}

class InteropFaults : public SharedBuffers {
 protected:
  ~InteropFaults() override { plan_fault({}); }
};

TEST_F(InteropFaults, Fault06FallsBackToStagedIfRegistrationFails) {
  ASSERT_EQ(plan_fault("gl_register:1"), "");
  use(interop());
  simulation.request(plummer(kBodies));
  expect_frames();
  expect_staged("CUDA cannot register the OpenGL vertex buffer");
  EXPECT_EQ(device.made, 0);
}

TEST_F(InteropFaults, Fault07StaysStagedAfterMappingFails) {
  ASSERT_EQ(plan_fault("gl_map:7"), "");
  use(interop());
  simulation.request(plummer(kBodies));
  expect_frames();
  expect_staged("CUDA cannot map the OpenGL vertex buffer");
  EXPECT_EQ(device.mapped, 6);
  EXPECT_EQ(device.alive, 0);
  const std::string notice = bridge->take_notice();
  EXPECT_THAT(notice, testing::HasSubstr("falling back to a staged copy"));
  EXPECT_THAT(notice, testing::HasSubstr("cannot map"));
  expect_frames();
  EXPECT_EQ(bridge->take_notice(), "");
  EXPECT_EQ(device.mapped, 6);
}

TEST_F(InteropFaults, Fault08ExplainsHowToRenderOnTheSameGpu) {
  ASSERT_EQ(plan_fault("gl_devices"), "");
  const CudaStatus one{{{.index = 3, .name = "GPU"}}, ""};
  const InteropPlan plan = plan_interop(Bridge::automatic, one);
  EXPECT_EQ(plan.device, 3);
  EXPECT_THAT(plan.interop.problem, testing::HasSubstr("__NV_PRIME_RENDER_OFFLOAD=1"));
}

/// Needs OpenGL and CUDA on the same GPU.
TEST_F(Bridges, InteropAndStagedShowTheSameVertices) {
  const CudaStatus cuda = cuda_status();
  InteropPlan plan = plan_interop(Bridge::automatic, cuda);
  if (!plan.interop.problem.empty()) GTEST_SKIP() << plan.interop.problem;
  simulation.request(request::SetConfig{{.backend = Backend::cuda, .device = plan.device}});
  simulation.request(plummer(30'000));
  plan.interop.required = true;
  use(plan.interop);
  ASSERT_TRUE(wait_for(30'000));
  simulation.request(request::Step{});
  ASSERT_TRUE(wait_for(30'000));
  EXPECT_EQ(bridge->name(), "interop");
  const std::vector<Vertex> shared = drawn_vertices();
  simulation.recall();
  plan.interop = {.problem = "a test"};
  use(plan.interop);
  simulation.request(request::Publish{});
  ASSERT_TRUE(wait_for(30'000));
  EXPECT_EQ(bridge->name(), "staged");
  const std::vector<Vertex> copied = drawn_vertices();
  EXPECT_EQ(std::memcmp(shared.data(), copied.data(), shared.size() * sizeof(Vertex)), 0);
}

}  // namespace
}  // namespace pericenter::app
