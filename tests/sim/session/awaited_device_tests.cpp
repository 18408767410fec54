#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>
#include <optional>
#include <utility>
#include <vector>

#include "tests/support/running_simulation.h"

namespace pericenter {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kShown = 25'000, kFew = 500;

/// A simulation whose device is starting.
class AwaitedDevice : public ::testing::Test, public test::RunningSimulation {
 protected:
  AwaitedDevice() { request(request::AwaitDevice{device.get_future().share()}); }

  bool waits() {
    return wait_until([](const SessionState& state) { return state.awaits_device; });
  }
  bool starts(std::size_t bodies) {
    return wait_until([&](const SessionState& state) { return !state.busy && state.bodies == bodies; });
  }

  std::promise<std::optional<int>> device;
};

TEST_F(AwaitedDevice, BodiesAreShownBefore) {
  request(request::ChooseSolver{true});
  request_scene("plummer", kShown);
  ASSERT_TRUE(shows([](const PublishedFrame& frame) { return frame.count == kShown; }));
  EXPECT_EQ(last.scene_serial, 1u);
  EXPECT_EQ(last.steps, 0u);
  const std::vector<Vertex> shown = buffer;
  ASSERT_TRUE(waits());
  const SessionState before = state();
  EXPECT_TRUE(before.busy && before.computing_forces);
  EXPECT_EQ(before.scene, "plummer");
  EXPECT_EQ(before.bodies, kShown);
  EXPECT_EQ(before.scene_serial, 1u);
  EXPECT_EQ(before.diagnostics.mass, 0) << "unknown";
  std::this_thread::sleep_for(50ms);
  EXPECT_TRUE(state().awaits_device);
  EXPECT_EQ(state().scene_serial, 1u) << "reports of the wait do not hide it";

  device.set_value(std::nullopt);
  ASSERT_TRUE(starts(kShown));
  const SessionState after = state();
  EXPECT_FALSE(after.awaits_device || after.computing_forces);
  EXPECT_EQ(after.scene_serial, 1u) << "the same scene";
  EXPECT_EQ(after.config.backend, Backend::cpu);
  EXPECT_GT(after.diagnostics.mass, 0);
  EXPECT_EQ(after.steps, 0u);
  for (std::size_t i = 0; i < kShown; ++i) ASSERT_EQ(shown[i].x, buffer[i].x) << i;
  EXPECT_TRUE(play_to_step(3));
}

// The window opens while they are created.
TEST_F(AwaitedDevice, BodiesAreShownOnceThereIsABuffer) {
  thread.recall();
  request_scene("plummer", kShown);
  ASSERT_TRUE(test::eventually([&] { return state().awaits_device; }));
  std::this_thread::sleep_for(20ms);
  EXPECT_EQ(state().scene_serial, 0u);
  EXPECT_EQ(state().next_bodies, kShown);
  thread.lend(host_target(buffer));
  ASSERT_TRUE(shows([](const PublishedFrame& frame) { return frame.count == kShown; }));
  EXPECT_EQ(state().scene_serial, 1u);
  EXPECT_EQ(state().next_bodies, 0u);
  device.set_value(std::nullopt);
  EXPECT_TRUE(starts(kShown));
}

TEST_F(AwaitedDevice, FewBodiesAreShown) {
  request_scene("two-body", 2);
  ASSERT_TRUE(shows([](const PublishedFrame& frame) { return frame.count == 2; }));
  ASSERT_TRUE(waits());
  device.set_value(std::nullopt);
  EXPECT_TRUE(starts(2));
}

// The vertices of this scalar need the forces.
TEST_F(AwaitedDevice, AccelerationsWaitUnseen) {
  request(request::ShowScalar{Scalar::acceleration});
  request_scene("plummer", kFew);
  ASSERT_TRUE(waits());
  EXPECT_EQ(state().scene_serial, 0u);
  EXPECT_EQ(state().next_bodies, 0u);
  EXPECT_FALSE(frame());
  device.set_value(std::nullopt);
  EXPECT_TRUE(starts(kFew));
}

TEST_F(AwaitedDevice, CancelEndsTheScene) {
  request_scene("plummer", kShown);
  ASSERT_TRUE(shows([](const PublishedFrame& frame) { return frame.count == kShown; }));
  ASSERT_TRUE(waits());
  thread.cancel();
  ASSERT_TRUE(wait_until([](const SessionState& state) { return !state.busy; }));
  EXPECT_EQ(state().scene_serial, 0u);
  EXPECT_FALSE(state().awaits_device);
  EXPECT_THAT(state().message, testing::HasSubstr("Cancelled"));
  request_scene("uniform", kFew);
  ASSERT_TRUE(waits()) << "the device is still unknown";
  device.set_value(std::nullopt);
  EXPECT_TRUE(starts(kFew));
}

TEST_F(AwaitedDevice, AnotherSceneSupersedes) {
  request_scene("plummer", kShown);
  ASSERT_TRUE(shows([](const PublishedFrame& frame) { return frame.count == kShown; }));
  request_scene("uniform", kShown - 1);
  ASSERT_TRUE(shows([](const PublishedFrame& frame) { return frame.count == kShown - 1; }));
  EXPECT_TRUE(waits());
  EXPECT_EQ(state().scene, "uniform");
  device.set_value(std::nullopt);
  EXPECT_TRUE(starts(kShown - 1));
}

TEST_F(AwaitedDevice, MissingDeviceIsAnError) {
  request_scene("plummer", kShown);
  ASSERT_TRUE(waits());
  constexpr int kNoDevice = 1000;
  device.set_value(kNoDevice);
  ASSERT_TRUE(wait_until([](const SessionState& state) { return !state.busy; }));
  EXPECT_TRUE(state().message_is_error);
  EXPECT_EQ(state().scene_serial, 0u);
}

// It ends with the fixture: a wait for ever would exceed the time limit of the test.
TEST_F(AwaitedDevice, TheEndOfTheProgramEndsTheWait) {
  request_scene("plummer", kShown);
  EXPECT_TRUE(waits());
}

// A solver for the device, not for the CPU that shows the bodies.
TEST_F(AwaitedDevice, ConfigIsThatOfTheRequest) {
  const Config wanted{.solver = "direct", .precision = Precision::float64};
  request_scene("plummer", kShown, wanted);
  ASSERT_TRUE(shows([](const PublishedFrame& frame) { return frame.count == kShown; }));
  device.set_value(std::nullopt);
  ASSERT_TRUE(starts(kShown));
  EXPECT_EQ(state().config, wanted);
}

}  // namespace
}  // namespace pericenter
