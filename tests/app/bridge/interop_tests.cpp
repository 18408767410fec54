#include <gmock/gmock.h>

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>

#include "render/gl_info.h"
#include "sim/core/fault_injection.h"
#include "tests/support/bridge_fixture.h"

namespace pericenter::app {
namespace {

/// What a buffer that CUDA shares was asked, and at which call it fails.
struct Device {
  int fail_at_make = 0, fail_at_map = 0, fail_at_unmap = 0;  ///< at the first call, the second, ...; 0: never
  int made = 0, mapped = 0, unmapped = 0;
  int alive = 0;
  bool suits = true;
};

/// Stands in for a buffer that CUDA shares where there is no GPU. While it is mapped OpenGL refuses to draw from it.
class DeviceBuffer : public VertexBuffer {
 public:
  DeviceBuffer(std::size_t vertices, Device& device) : VertexBuffer(vertices), device_(device) {
    if (++device_.made == device_.fail_at_make) throw std::runtime_error("cannot be shared");
    glNamedBufferStorage(name(), bytes(), nullptr, GL_MAP_WRITE_BIT);
    ++device_.alive;
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

  void TearDown() override {  // the buffers before the device that counts them
    simulation.recall();
    bridge.reset();
  }

  Interop interop() {
    Interop result;
    result.suits = [this](const SessionState&) { return device.suits; };
    result.make = [this](std::size_t capacity, int) { return std::make_unique<DeviceBuffer>(capacity, device); };
    return result;
  }

  /// Pictures come, each of a later step than the one before.
  void expect_pictures_to_go_on() {
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

  /// But that of the buffer which is lent, if one is: OpenGL may still read the other.
  void expect_every_map_to_be_undone() const {
    EXPECT_GE(device.mapped, device.unmapped);
    EXPECT_LE(device.mapped, device.unmapped + 1);
  }

  static constexpr std::size_t kBodies = 300;
  Device device;
};

TEST_F(SharedBuffers, BringThePicture) {
  use(interop());
  simulation.request(plummer(kBodies));
  expect_pictures_to_go_on();
  EXPECT_EQ(bridge->name(), "interop");
  EXPECT_EQ(bridge->reason(), "");
  EXPECT_EQ(device.made, 2);
  expect_every_map_to_be_undone();
}

TEST_F(SharedBuffers, GrowWithTheScene) {
  use(interop());
  simulation.request(plummer(kBodies));
  ASSERT_TRUE(wait_for(kBodies));
  simulation.request(plummer(20'000));
  ASSERT_TRUE(wait_for(20'000));
  EXPECT_EQ(bridge->name(), "interop");
  EXPECT_EQ(device.alive, 2);
  expect_every_map_to_be_undone();
}

TEST_F(SharedBuffers, AreOneOfAGreatManyBodies) {
  constexpr std::size_t kMany = 20'000;
  Interop few = interop();
  few.one_buffer_from = kMany;
  use(few);
  simulation.request(plummer(kMany));
  ASSERT_TRUE(wait_for(kMany));
  simulation.request(request::Play{});
  std::uint64_t steps = 0;
  while (steps < 10) {
    const auto published = bridge->exchange(simulation);
    if (published) {
      ASSERT_EQ(published->steps, ++steps);  // none is left out
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
  expect_pictures_to_go_on();
  EXPECT_EQ(device.alive, 2);
}

TEST_F(SharedBuffers, OfManyBodiesAreNotKeptForFew) {
  use(interop());
  simulation.request(plummer(20'000));
  ASSERT_TRUE(wait_for(20'000));
  device.made = 0;
  simulation.request(plummer(kBodies));
  ASSERT_TRUE(wait_for(kBodies));
  expect_pictures_to_go_on();
  EXPECT_EQ(device.made, 2);
}

TEST_F(SharedBuffers, ThatAreOneAreCopiedToWhenTheyFail) {
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

TEST_F(SharedBuffers, AreCopiedToWhenTheyCannotBeMade) {
  device.fail_at_make = 1;
  use(interop());
  simulation.request(plummer(kBodies));
  expect_pictures_to_go_on();
  expect_staged("cannot be shared");
  EXPECT_EQ(device.made, 1);  // what failed once is not tried at every picture
}

TEST_F(SharedBuffers, AreCopiedToWhenTheyCannotBeMapped) {
  simulation.request(plummer(kBodies));
  for (const int failure : {1, 2, 7}) {
    device = {.fail_at_map = failure};
    use(interop());
    expect_pictures_to_go_on();
    expect_staged("cannot be mapped");
    EXPECT_EQ(device.mapped, failure);
    EXPECT_EQ(device.alive, 0);
    simulation.recall();
  }
}

TEST_F(SharedBuffers, AreCopiedToWhenTheyCannotBeUnmapped) {
  simulation.request(plummer(kBodies));
  for (const int failure : {1, 2, 7}) {
    device = {.fail_at_unmap = failure};
    use(interop());
    expect_pictures_to_go_on();
    expect_staged("cannot be unmapped");
    EXPECT_EQ(device.unmapped, failure);
    EXPECT_EQ(device.alive, 0);
    simulation.recall();
  }
}

TEST_F(SharedBuffers, WhatWasLostComesAgainWhilePaused) {
  device.fail_at_unmap = 1;
  use(interop());
  simulation.request(plummer(kBodies));
  EXPECT_TRUE(wait_for(kBodies));
}

TEST_F(SharedBuffers, AreNotTriedWhereTheyAreKnownNotToWork) {
  Interop known = interop();
  known.problem = "no GPU draws here";
  use(known);
  simulation.request(plummer(kBodies));
  ASSERT_TRUE(wait_for(kBodies));
  expect_staged("no GPU draws here");
  EXPECT_EQ(device.made, 0);
}

TEST_F(SharedBuffers, FollowWhatComputes) {
  use(interop());
  simulation.request(plummer(kBodies));
  expect_pictures_to_go_on();
  device.suits = false;
  expect_pictures_to_go_on();
  EXPECT_EQ(bridge->name(), "host");
  EXPECT_EQ(bridge->reason(), "");
  EXPECT_EQ(device.alive, 0);
  device.suits = true;
  expect_pictures_to_go_on();
  EXPECT_EQ(bridge->name(), "interop");
  EXPECT_EQ(device.alive, 2);
}

TEST_F(SharedBuffers, MayBeDemanded) {
  Interop demanded = interop();
  demanded.demanded = true;
  device.fail_at_unmap = 3;
  use(demanded);
  simulation.request(plummer(kBodies));
  ASSERT_TRUE(wait_for(kBodies));
  simulation.request(request::Play{});
  EXPECT_THROW(wait_for(kBodies + 1), NoInterop);
  simulation.recall();
  demanded.problem = "no GPU draws here";
  EXPECT_THROW(use(demanded), NoInterop);
}

TEST(InteropPlan, SaysWhyBuffersAreNotShared) {
  const render::HeadlessContext context;
  const CudaStatus none{{}, "no driver"}, one{{{.index = 3, .name = "GPU"}}, ""};
  EXPECT_EQ(plan_interop(Bridge::automatic, none).interop.problem, "no driver");
  const InteropPlan staged = plan_interop(Bridge::staged, one);
  EXPECT_THAT(staged.interop.problem, testing::HasSubstr("--bridge staged"));
  EXPECT_EQ(staged.device, 3);
  EXPECT_FALSE(staged.interop.demanded);
  EXPECT_TRUE(plan_interop(Bridge::interop, one).interop.demanded);
  const bool software = render::gl_info().software;  // then no GPU draws, whether one computes or not
  EXPECT_TRUE(!software || !plan_interop(Bridge::automatic, one).interop.problem.empty());
}

TEST(InteropPlan, KnowsTheSubsystemForLinux) {
  EXPECT_TRUE(is_wsl("Linux version 5.15.153.1-microsoft-standard-WSL2 (root@x) (gcc 11.2)"));
  EXPECT_TRUE(is_wsl("Linux version 4.4.0-19041-Microsoft (Microsoft@Microsoft.com)"));
  EXPECT_FALSE(is_wsl("Linux version 6.1.0-18-amd64 (debian-kernel@lists.debian.org)"));
  EXPECT_FALSE(is_wsl(""));
}

class PlannedSharing : public SharedBuffers {
 protected:
  ~PlannedSharing() override { plan_fault({}); }
};

TEST_F(PlannedSharing, Fault06ABufferThatIsNotRegisteredIsCopiedTo) {
  ASSERT_EQ(plan_fault("gl_register:1"), "");
  use(interop());
  simulation.request(plummer(kBodies));
  expect_pictures_to_go_on();
  expect_staged("CUDA cannot share OpenGL's vertex buffer");
  EXPECT_EQ(device.made, 0);
}

TEST_F(PlannedSharing, Fault07ABufferThatIsNotMappedIsCopiedToForGood) {
  ASSERT_EQ(plan_fault("gl_map:7"), "");
  use(interop());
  simulation.request(plummer(kBodies));
  expect_pictures_to_go_on();
  expect_staged("CUDA cannot map OpenGL's vertex buffer");
  EXPECT_EQ(device.mapped, 6);
  EXPECT_EQ(device.alive, 0);
  const std::string news = bridge->take_news();
  EXPECT_THAT(news, testing::HasSubstr("are copied"));
  EXPECT_THAT(news, testing::HasSubstr("cannot map"));
  expect_pictures_to_go_on();
  EXPECT_EQ(bridge->take_news(), "");
  EXPECT_EQ(device.mapped, 6);
}

TEST_F(PlannedSharing, Fault08AnotherGpuDrawsAndTheHintSaysHowTheSameOneCan) {
  ASSERT_EQ(plan_fault("gl_devices"), "");
  const CudaStatus one{{{.index = 3, .name = "GPU"}}, ""};
  const InteropPlan plan = plan_interop(Bridge::automatic, one);
  EXPECT_EQ(plan.device, 3);
  EXPECT_THAT(plan.interop.problem, testing::HasSubstr("__NV_PRIME_RENDER_OFFLOAD=1"));
}

/// Where OpenGL and CUDA share a GPU; skipped elsewhere.
TEST_F(Bridges, BringsTheSameStarsFromCudaByEitherWay) {
  const CudaStatus cuda = cuda_status();
  InteropPlan plan = plan_interop(Bridge::automatic, cuda);
  if (!plan.interop.problem.empty()) GTEST_SKIP() << plan.interop.problem;
  simulation.request(request::SetConfig{{.backend = Backend::cuda, .device = plan.device}});
  simulation.request(plummer(30'000));
  plan.interop.demanded = true;
  use(plan.interop);
  ASSERT_TRUE(wait_for(30'000));
  simulation.request(request::SingleStep{});
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
