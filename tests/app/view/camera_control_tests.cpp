#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "app/view/camera_control.h"
#include "sim/core/bodies.h"
#include "tests/support/camera_path.h"

namespace pericenter::app {
namespace {

constexpr float kPi = std::numbers::pi_v<float>;

class Control : public ::testing::Test {
 protected:
  Control() { camera.fit(20); }

  /// Frames without input until the camera is at rest; returns their number.
  int coast(float seconds) {
    int frames = 0;
    while (control.advance(nothing, {0, seconds}, follow, state, camera) && frames < 10'000) ++frames;
    return frames;
  }

  /// A drag of half a second and 300 pixels at `rate` fps.
  void fling(float rate) {
    const int frames = static_cast<int>(rate / 2);
    CameraInput drag = nothing;
    drag.dragging = true;
    drag.turn = {300.0f / static_cast<float>(frames), 0};
    for (int k = 0; k < frames; ++k) control.advance(drag, {0, 1 / rate}, follow, state, camera);
  }

  const CameraInput nothing{.height = 720};
  CameraControl control;
  CameraState state;
  Follow follow;
  render::Camera camera;
};

TEST_F(Control, InertiaDecaysAfterRelease) {
  fling(60);
  const float released = camera.pose().yaw;
  EXPECT_GT(coast(1.0f / 60), 10);
  EXPECT_GT(std::abs(camera.pose().yaw - released), 0.1f);
  const render::CameraPose rest = camera.pose();
  for (int k = 0; k < 100; ++k) EXPECT_FALSE(control.advance(nothing, {0, 1.0f / 60}, follow, state, camera));
  EXPECT_EQ(camera.pose(), rest);
}

TEST_F(Control, InertiaDoesNotDependOnTheFrameRate) {
  const render::CameraPose start = camera.pose();
  fling(120);
  coast(1.0f / 120);
  const float quick = camera.pose().yaw;
  camera.set_pose(start);
  control.stop();
  fling(20);
  coast(1.0f / 20);
  EXPECT_NEAR(camera.pose().yaw, quick, 0.03f * std::abs(quick - start.yaw));
}

TEST_F(Control, NoInertiaAfterAPauseBeforeRelease) {
  fling(60);
  CameraInput held = nothing;
  held.dragging = true;
  for (int k = 0; k < 30; ++k) control.advance(held, {0, 1.0f / 60}, follow, state, camera);
  const float yaw = camera.pose().yaw;
  coast(1.0f / 60);
  EXPECT_NEAR(camera.pose().yaw, yaw, 1e-3f);
}

TEST_F(Control, WithoutInertiaMotionIsImmediate) {
  state.inertia = false;
  fling(60);
  const render::CameraPose released = camera.pose();
  coast(1.0f / 60);
  EXPECT_EQ(camera.pose(), released);
  CameraInput wheel = nothing;
  wheel.notches = 3;
  render::Camera wanted = camera;
  wanted.zoom(3);
  control.advance(wheel, {0, 1.0f / 60}, follow, state, camera);
  EXPECT_EQ(camera.pose(), wanted.pose());
  state.go_to = render::CameraPose{{1, 2, 3}, 0.5f, 0.25f, 10};
  control.advance(nothing, {0, 1.0f / 60}, follow, state, camera);
  EXPECT_EQ(camera.pose(), (render::CameraPose{{1, 2, 3}, 0.5f, 0.25f, 10}));
}

TEST_F(Control, WheelZoomsSmoothlyToItsEnd) {
  render::Camera wanted = camera;
  wanted.zoom(5);
  CameraInput wheel = nothing;
  wheel.notches = 5;
  control.advance(wheel, {0, 1.0f / 60}, follow, state, camera);
  EXPECT_GT(camera.distance(), 1.2f * wanted.distance());
  coast(1.0f / 60);
  EXPECT_NEAR(camera.distance(), wanted.distance(), 1e-4f * wanted.distance());
}

TEST_F(Control, FlightSpeedScalesWithTheDistance) {
  state.fly = true;
  const auto flown = [&](float radius, bool fast, float rate) {
    camera.fit(radius);
    control.stop();
    const glm::vec3 from = camera.position(), ahead = glm::normalize(camera.target() - from);
    CameraInput forward{.fly = {0, 0, 1}, .fast = fast, .height = 720};
    for (int k = 0; k < static_cast<int>(rate); ++k) control.advance(forward, {0, 1 / rate}, follow, state, camera);
    coast(1 / rate);
    const glm::vec3 way = camera.position() - from;
    EXPECT_NEAR(glm::dot(way, ahead), glm::length(way), 1e-3f * glm::length(way));
    return glm::length(way) / radius;
  };
  const float far = flown(20, false, 60);
  EXPECT_GT(far, 0.1f);
  EXPECT_NEAR(flown(2000, false, 60), far, 0.01f * far);
  EXPECT_NEAR(flown(20, false, 20), far, 0.05f * far);
  EXPECT_GT(flown(20, true, 60), 3 * far);
}

TEST_F(Control, DragLooksAroundInFlyMode) {
  state.fly = true;
  follow = {.what = Follow::What::center_of_mass};
  const glm::vec3 eye = camera.position();
  CameraInput drag{.turn = {80, 40}, .dragging = true, .height = 720};
  control.advance(drag, {0, 1.0f / 60}, follow, state, camera);
  EXPECT_LT(glm::length(camera.position() - eye), 1e-4f * camera.distance());
  EXPECT_GT(glm::length(camera.target()), 0.05f * camera.distance());
  EXPECT_EQ(follow, Follow{});
}

TEST_F(Control, GlideReachesItsTargetAndInputEndsIt) {
  const render::CameraPose from = camera.pose(), to{{5, 0, 1}, from.yaw + 3, 0.1f, 7};
  state.go_to = to;
  int frames = 1;
  for (; control.advance(nothing, {0, 0.05f}, follow, state, camera) && frames < 100; ++frames) {
    if (frames == 4) {
      EXPECT_GT(glm::length(camera.target() - to.target), 0.5f);
    }
  }
  EXPECT_GE(frames, 8);
  EXPECT_LE(frames, 11);
  render::Camera wanted = camera;
  wanted.set_pose(to);
  EXPECT_EQ(camera.pose(), wanted.pose());

  state.go_to = from;
  control.advance(nothing, {0, 0.05f}, follow, state, camera);
  CameraInput drag{.turn = {1, 0}, .dragging = true, .height = 720};
  control.advance(drag, {0, 0.05f}, follow, state, camera);
  const glm::vec3 there = camera.target();
  for (int k = 0; k < 20; ++k) control.advance(nothing, {0, 0.05f}, follow, state, camera);
  EXPECT_EQ(camera.target(), there);
}

render::StarSample sample_with(const glm::vec3& body) {
  return {.stars = {}, .chosen = render::SampledStar{.position = body}};
}

TEST_F(Control, FollowingABodyIsSmoothWithoutLag) {
  follow = {.what = Follow::What::body, .body = 7};
  const auto place = [](double t) { return glm::vec3(3 * t, 2 - t, 0.5 * t); };
  // A step every third frame, and samples that are one step late.
  for (int frame = 0; frame < 300; ++frame) {
    const double now = 0.1 * (frame / 3), before = 0.1 * (frame / 3 - 1);
    if (frame > 3 && frame % 3 == 1) control.update(sample_with(place(before)), before, follow);
    control.advance(nothing, {now, 1.0f / 60}, follow, state, camera);
    if (frame > 120) {
      EXPECT_LT(glm::length(camera.target() - place(now)), 1e-3f) << frame;
    }
  }
  // Orbiting and zooming continue.
  const float yaw = camera.pose().yaw, distance = camera.distance();
  control.advance({.turn = {50, 0}, .notches = 2, .dragging = true, .height = 720}, {9.9, 1.0f / 60}, follow, state,
                  camera);
  coast(1.0f / 60);
  EXPECT_NE(camera.pose().yaw, yaw);
  EXPECT_LT(camera.distance(), distance);
  EXPECT_EQ(follow.what, Follow::What::body);
  // Panning ends it.
  control.advance({.pan = {50, 0}, .dragging = true, .height = 720}, {9.9, 1.0f / 60}, follow, state, camera);
  EXPECT_EQ(follow, Follow{});
}

TEST_F(Control, FollowingStartsSmoothlyAndComesToRest) {
  follow = {.what = Follow::What::body};
  const glm::vec3 there(4, 5, 6);
  control.update(sample_with(there), 1, follow);
  control.advance(nothing, {1, 1.0f / 60}, follow, state, camera);
  EXPECT_GT(glm::length(camera.target() - there), 4);
  EXPECT_LT(coast(1.0f / 60), 120);
  EXPECT_EQ(camera.target(), there);
}

TEST_F(Control, CenterOfMassIsFollowedByItsMomentum) {
  follow = {.what = Follow::What::center_of_mass};
  SessionState simulation;
  simulation.diagnostics.mass = 2;
  for (int frame = 0; frame < 200; ++frame) {
    const double now = 0.01 * frame;
    if (frame % 40 == 0) {
      simulation.time = now;
      simulation.diagnostics.center_of_mass = {3 * now, 0, 1};
      simulation.diagnostics.momentum = {6, 0, 0};
    }
    control.update(simulation, follow);
    control.advance(nothing, {now, 1.0f / 60}, follow, state, camera);
    if (frame > 100) {
      EXPECT_LT(glm::length(camera.target() - glm::vec3(3 * now, 0, 1)), 1e-3f) << frame;
    }
  }
}

TEST(GalaxyCenter, IgnoresTailsAndHalo) {
  render::StarSample sample;
  const auto add = [&](std::uint32_t galaxy, Component component, glm::vec3 at) {
    sample.stars.push_back({at, make_tag(galaxy, component), 0});
  };
  for (int k = 0; k < 101; ++k) {
    const float angle = 2 * kPi * static_cast<float>(k) / 101;
    add(1, Component::disc, glm::vec3(5 + std::cos(angle), 2 + std::sin(angle), 1));
    add(0, Component::disc, glm::vec3(-7, 0, 0));
  }
  for (int k = 0; k < 30; ++k) add(1, Component::disc, glm::vec3(1e4f, 1e4f, 1));  // a tail
  for (int k = 0; k < 500; ++k) add(1, Component::halo, glm::vec3(-50, 9, 9));
  add(1, Component::disc, glm::vec3(std::numeric_limits<float>::quiet_NaN()));
  EXPECT_EQ(galaxy_count(sample), 2);
  const auto center = galaxy_center(sample, 1);
  ASSERT_TRUE(center);
  EXPECT_LT(glm::length(*center - glm::vec3(5, 2, 1)), 0.9f);
  EXPECT_EQ(galaxy_center(sample, 0), glm::vec3(-7, 0, 0));
  EXPECT_FALSE(galaxy_center(sample, 2));
}

TEST_F(Control, PathPlaysToItsEndAndInputEndsIt) {
  state.path = some_path();
  play_path(true, state);
  for (int k = 0; k < 60; ++k) control.advance(nothing, {0, 0.05f}, follow, state, camera);
  EXPECT_NEAR(state.path_time, 3, 0.06);
  EXPECT_EQ(camera.target(), path_pose(state.path, state.path_time).target);
  CameraInput wheel = nothing;
  wheel.notches = 1;
  control.advance(wheel, {0, 0.05f}, follow, state, camera);
  EXPECT_FALSE(state.playing_path);
  play_path(true, state);
  EXPECT_LT(coast(0.05f), 200);
  EXPECT_FALSE(state.playing_path);
  EXPECT_EQ(camera.target(), state.path.back().pose.target);
  play_path(true, state);
  EXPECT_EQ(state.path_time, 0);
}

TEST_F(Control, ReducedMotionHasNoInertia) {
  control.reduce_motion(true);
  fling(60);
  render::CameraPose released = camera.pose();
  EXPECT_EQ(coast(1.0f / 60), 0);
  EXPECT_EQ(camera.pose(), released);
  CameraInput wheel = nothing;
  wheel.notches = 3;
  control.advance(wheel, {0, 1.0f / 60}, follow, state, camera);
  released = camera.pose();
  EXPECT_EQ(coast(1.0f / 60), 0);
  EXPECT_EQ(camera.pose(), released);
  state.fly = true;
  CameraInput ahead = nothing;
  ahead.fly = {0, 0, 1};
  for (int k = 0; k < 10; ++k) control.advance(ahead, {0, 1.0f / 60}, follow, state, camera);
  released = camera.pose();
  EXPECT_LE(coast(1.0f / 60), 1);  // rounding of the pose
  EXPECT_LT(glm::distance(camera.pose().target, released.target), 1e-5f);
}

TEST_F(Control, ReducedMotionJumpsInsteadOfGliding) {
  control.reduce_motion(true);
  render::CameraPose there = camera.pose();
  there.yaw += 1;
  there.distance *= 2;
  state.go_to = there;
  control.advance(nothing, {0, 1.0f / 60}, follow, state, camera);
  EXPECT_EQ(camera.pose(), there);
  EXPECT_EQ(coast(1.0f / 60), 0);
  control.stop();
  there.yaw += 1;
  control.go_to(camera.pose(), there);  // as "fit" does
  control.advance(nothing, {0, 1.0f / 60}, follow, state, camera);
  EXPECT_EQ(camera.pose(), there) << "also after a new scene";
}

TEST_F(Control, ReducedMotionFollowsWithoutDrift) {
  control.reduce_motion(true);
  follow = {.what = Follow::What::galaxy, .galaxy = 0};
  render::StarSample sample;
  sample.stars.push_back({.position = {5, 1, 0}, .tag = make_tag(0, Component::disc)});
  control.update(sample, 0, follow);
  control.advance(nothing, {0, 1.0f / 60}, follow, state, camera);
  EXPECT_EQ(camera.target(), glm::vec3(5, 1, 0));
  EXPECT_EQ(coast(1.0f / 60), 0);
}

TEST_F(Control, DriftTurnsOnceInThreeMinutes) {
  const render::CameraPose start = camera.pose();
  for (int k = 0; k < 45 * 60; ++k)
    EXPECT_TRUE(control.advance(nothing, {0, 1.0f / 60, 1.0f / 60}, follow, state, camera));
  EXPECT_NEAR(std::remainder(camera.pose().yaw - start.yaw - kPi / 2, 2 * kPi), 0, 2e-3f);
  EXPECT_EQ(camera.pose().pitch, start.pitch);
  EXPECT_EQ(camera.distance(), start.distance);
  EXPECT_EQ(camera.target(), start.target);
}

TEST_F(Control, DriftFollowsItsOwnClock) {
  // Frames of a video take a tenth of a second each, and are a sixtieth of a second of it.
  const float yaw = camera.pose().yaw;
  for (int k = 0; k < 600; ++k) control.advance(nothing, {0, 0.1f, 1.0f / 60}, follow, state, camera);
  EXPECT_NEAR(std::remainder(camera.pose().yaw - yaw, 2 * kPi), 2 * kPi * 10 / 180, 1e-3f);
  EXPECT_NEAR(std::remainder(drifted(camera.pose(), 10).yaw - camera.pose().yaw, 2 * kPi), 2 * kPi * 10 / 180, 1e-5f);
}

TEST_F(Control, DriftPausesWhileTheUserMovesTheCamera) {
  const FrameTime drifting{0, 1.0f / 60, 1.0f / 60};
  const render::CameraPose start = camera.pose();
  CameraInput held = nothing;
  held.dragging = true;
  control.advance(held, drifting, follow, state, camera);
  EXPECT_EQ(camera.pose(), start);
  state.fly = true;
  control.advance(nothing, drifting, follow, state, camera);
  EXPECT_EQ(camera.pose(), start);
  state.fly = false;
  control.advance(nothing, drifting, follow, state, camera);
  EXPECT_NE(camera.pose(), start);
}

TEST_F(Control, ReducedMotionHasNoDrift) {
  control.reduce_motion(true);
  const render::CameraPose start = camera.pose();
  EXPECT_FALSE(control.advance(nothing, {0, 1.0f / 60, 1.0f / 60}, follow, state, camera));
  EXPECT_EQ(camera.pose(), start);
}

TEST_F(Control, FollowsThePathOfTheSceneByItsTime) {
  state.scene_path = some_path();
  const auto pose_at = [&](double time) {
    render::Camera there = camera;
    there.set_pose(path_pose(state.scene_path, time));
    return there.pose();
  };
  follow = {.what = Follow::What::path};
  for (int k = 0; k < 600; ++k) control.advance(nothing, {2.5, 1.0f / 60, 1.0f / 60}, follow, state, camera);
  EXPECT_EQ(camera.pose(), pose_at(2.5));
  EXPECT_FALSE(control.advance(nothing, {2.5, 1.0f / 60}, follow, state, camera));
  control.reduce_motion(true);
  control.advance(nothing, {1, 1.0f / 60}, follow, state, camera);
  EXPECT_EQ(camera.pose(), pose_at(1));
}

TEST_F(Control, InputEndsThePathOfTheScene) {
  state.scene_path = some_path();
  for (const auto& change :
       {+[](CameraInput& input) { input.dragging = true; }, +[](CameraInput& input) { input.notches = 1; }}) {
    follow = {.what = Follow::What::path};
    CameraInput input = nothing;
    change(input);
    control.advance(input, {1, 1.0f / 60}, follow, state, camera);
    EXPECT_EQ(follow.what, Follow::What::nothing);
  }
}

}  // namespace
}  // namespace pericenter::app
