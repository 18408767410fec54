#include "app/view/camera_control.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "sim/scenes/registry.h"

namespace pericenter::app {
namespace {

/// As after loading a scene with few bodies.
SessionState loaded(const SceneInfo& scene) {
  const Scene made = scene.make({.bodies = scene.allowed(200)});
  SessionState state;
  state.scene = scene.name;
  state.view_radius = made.view_radius;
  state.angles = made.angles;
  state.highlight_time = made.highlight_time;
  return state;
}

SessionState loaded(std::string_view name) {
  return loaded(*find_scene(name));
}

float fitted_distance(const SessionState& state) {
  render::Camera camera;
  camera.fit(static_cast<float>(state.view_radius));
  return camera.fitted_distance();
}

TEST(ScenePath, EveryEncounterAndGalaxyHasOne) {
  for (const SceneInfo& scene : scenes()) {
    const std::vector<CameraKey> path = scene_path(loaded(scene));
    const bool expected = scene.encounter || scene.group == SceneGroup::galaxies;
    EXPECT_EQ(path.size(), !expected ? 0u : scene.encounter ? 5u : 4u) << scene.name;
    EXPECT_TRUE(std::ranges::is_sorted(path, {}, &CameraKey::time)) << scene.name;
    if (expected) {
      EXPECT_EQ(path.front().time, 0) << scene.name;
    }
  }
}

TEST(ScenePath, ShowsTheSuggestedViewAtTheKeyMoment) {
  for (const char* name : {"antennae", "mice", "m51", "cartwheel", "toomre-mice"}) {
    const SessionState state = loaded(name);
    const render::CameraPose pose = path_pose(scene_path(state), state.highlight_time);
    const double yaw = glm::degrees(pose.yaw), pitch = glm::degrees(pose.pitch);
    EXPECT_NEAR(std::remainder(yaw - state.angles->yaw, 360), 0, 1) << name;
    EXPECT_NEAR(pitch, state.angles->pitch, 1) << name;
  }
}

TEST(ScenePath, IsWideFirstAndCloseAtThePassageAndTheMerger) {
  const SessionState state = loaded("collision");
  const std::vector<CameraKey> path = scene_path(state);
  const float scene = fitted_distance(state);
  EXPECT_GT(path[0].pose.distance, scene);
  EXPECT_LT(path[1].pose.distance, 0.7f * scene);
  EXPECT_GT(path[2].pose.distance, scene);
  EXPECT_LT(path[4].pose.distance, 0.75f * scene);
  EXPECT_LT(path[1].pose.pitch, path[0].pose.pitch);
  EXPECT_GT(path[2].pose.pitch, glm::radians(45.0f));
}

TEST(ScenePath, HasNoJumps) {
  for (const SceneInfo& scene : scenes()) {
    if (!scene.encounter) continue;
    const std::vector<CameraKey> path = scene_path(loaded(scene));
    const double step = path.back().time / 2000;
    render::CameraPose before = path_pose(path, 0);
    for (int k = 1; k <= 2100; ++k) {
      const render::CameraPose now = path_pose(path, k * step);
      EXPECT_LT(std::abs(std::remainder(now.yaw - before.yaw, 2 * M_PI)), 0.02) << scene.name;
      EXPECT_LT(std::abs(now.pitch - before.pitch), 0.02) << scene.name;
      EXPECT_LT(std::abs(std::log(now.distance / before.distance)), 0.02) << scene.name;
      before = now;
    }
  }
}

TEST(ScenePath, ASlowerOrbitHasASlowerPath) {
  SessionState state = loaded("collision");
  const double passage = scene_path(state)[1].time;
  state.scene_request.encounter = *find_scene("collision")->encounter;
  state.scene_request.encounter->orbit.separation = 40;
  EXPECT_GT(scene_path(state)[1].time, 1.5 * passage);
}

TEST(ScenePath, NoneInTwoDimensionsAndForFiles) {
  SessionState state = loaded("collision");
  state.config.dimension = 2;
  EXPECT_TRUE(scene_path(state).empty());
  state = loaded("collision");
  state.file = "/tmp/bodies.hdf5";
  EXPECT_TRUE(scene_path(state).empty());
}

}  // namespace
}  // namespace pericenter::app
