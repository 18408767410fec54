#include "render/camera.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace pericenter::render {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// Normalised device coordinates of a point.
glm::vec2 seen(const Camera& camera, const glm::vec3& point, float aspect = 1) {
  const glm::vec4 clip = camera.projection(aspect) * camera.view() * glm::vec4(point, 1);
  return glm::vec2(clip) / clip.w;
}

bool all_finite(const Camera& camera) {
  const glm::mat4 matrix = camera.projection(1.5f) * camera.view();
  for (int i = 0; i < 16; ++i) {
    if (!std::isfinite(matrix[i / 4][i % 4])) return false;
  }
  return true;
}

TEST(Camera, FitShowsTheWholeSphere) {
  for (const float aspect : {0.5f, 1.0f, 16.0f / 9}) {
    Camera camera;
    camera.fit(20);
    float widest = 0;
    for (int i = 0; i < 2000; ++i) {
      const float z = 2 * (static_cast<float>(i) + 0.5f) / 2000 - 1, angle = 2.399963f * static_cast<float>(i);
      const float across = std::sqrt(1 - z * z);
      const glm::vec2 at =
          seen(camera, 20.0f * glm::vec3(across * std::cos(angle), across * std::sin(angle), z), aspect);
      widest = std::max({widest, std::abs(at.x), std::abs(at.y)});
    }
    EXPECT_LT(widest, 1) << aspect;
    EXPECT_GT(widest, 0.85f) << aspect;
  }
}

TEST(Camera, RiseMovesTheWholeImageUp) {
  Camera camera, risen;
  camera.fit(3);
  risen.fit(3);
  risen.set_rise(0.4f);
  for (const glm::vec3 point : {glm::vec3(0), glm::vec3(1, -2, 0.5f)}) {
    EXPECT_NEAR(seen(risen, point, 1.5f).x, seen(camera, point, 1.5f).x, 1e-6);
    EXPECT_NEAR(seen(risen, point, 1.5f).y, seen(camera, point, 1.5f).y + 0.4, 1e-6);
  }
}

TEST(Camera, StartsThirtyDegreesAboveThePlane) {
  Camera camera;
  camera.fit(1);
  const glm::vec3 position = camera.position();
  EXPECT_NEAR(std::asin(position.z / glm::length(position)), 0.52, 0.02);
  EXPECT_GT(seen(camera, {0, 0, 0.5f}).y, 0.1f);
  EXPECT_NEAR(seen(camera, {0, 0, 0.5f}).x, 0, 1e-5);
}

TEST(Camera, LookDownPutsXRightAndYUp) {
  Camera camera;
  camera.fit(1);
  camera.look_down();
  EXPECT_GT(seen(camera, {0.5f, 0, 0}).x, 0.2f);
  EXPECT_GT(seen(camera, {0, 0.5f, 0}).y, 0.2f);
  EXPECT_NEAR(seen(camera, {0, 0.5f, 0}).x, 0, 1e-5);
  EXPECT_TRUE(all_finite(camera));
}

TEST(Camera, PanKeepsThePlaneOfTheTargetUnderTheCursor) {
  Camera camera;
  camera.fit(3);
  camera.orbit(120, 40, 720);
  const glm::vec2 before = seen(camera, {0, 0, 0}, 16.0f / 9);
  camera.pan(64, -36, 720);
  const glm::vec2 moved = seen(camera, {0, 0, 0}, 16.0f / 9) - before;
  EXPECT_NEAR(moved.x, 2 * 64.0 / 1280, 1e-3);
  EXPECT_NEAR(moved.y, 2 * 36.0 / 720, 1e-3);
}

TEST(Camera, ZoomHasAWideRange) {
  Camera camera;
  camera.fit(20);
  const float start = camera.distance();
  camera.zoom(1);
  EXPECT_LT(camera.distance(), start);
  for (int i = 0; i < 500; ++i) camera.zoom(1);
  EXPECT_LT(camera.distance(), 0.01f);
  EXPECT_TRUE(all_finite(camera));
  EXPECT_NEAR(seen(camera, {0, 0, 0}).x, 0, 1e-3);
  for (int i = 0; i < 500; ++i) camera.zoom(-1);
  EXPECT_GT(camera.distance(), 100 * start);
  EXPECT_TRUE(all_finite(camera));
}

TEST(Camera, NoInputGivesNaN) {
  Camera camera;
  EXPECT_TRUE(all_finite(camera));
  for (const float value : {0.0f, -1.0f, kNan, kInfinity, -kInfinity, 1e38f, 1e-38f}) {
    camera.fit(value);
    EXPECT_TRUE(all_finite(camera)) << value;
    for (const float height : {0.0f, -1.0f, kNan, 1.0f, 720.0f}) {
      camera.orbit(value, value, height);
      camera.pan(value, value, height);
      camera.zoom(value);
      camera.look(value, value, height);
      camera.fly({value, value, value});
      camera.move_target({value, value, value});
      camera.set_pose({{value, value, value}, value, value, value});
      EXPECT_TRUE(all_finite(camera)) << value << ' ' << height;
    }
    const glm::mat4 projection = camera.projection(value);
    EXPECT_TRUE(std::isfinite(projection[0][0]) && std::isfinite(projection[1][1])) << value;
  }
}

TEST(Camera, LookingAroundKeepsThePosition) {
  Camera camera;
  camera.fit(20);
  const glm::vec3 eye = camera.position(), target = camera.target();
  camera.look(100, 0, 720);
  EXPECT_LT(glm::length(camera.position() - eye), 1e-3f);
  EXPECT_LT(seen(camera, target).x, -0.1f);  // the view turned right
  camera.look(0, 60, 720);
  EXPECT_LT(glm::length(camera.position() - eye), 1e-3f);
  EXPECT_GT(seen(camera, target).y, 0.1f);  // and down
}

TEST(Camera, FliesAlongItsAxesWithinBounds) {
  Camera camera;
  camera.fit(20);
  camera.orbit(70, -20, 720);
  const glm::vec3 eye = camera.position(), ahead = glm::normalize(camera.target() - eye);
  camera.fly({0, 0, 5});
  EXPECT_LT(glm::length(camera.position() - eye - 5.0f * ahead), 1e-3f);
  const CameraPose before = camera.pose();
  camera.fly({3, 0, 0});
  EXPECT_GT(seen(camera, before.target + camera.position() - eye).x, -1e-3f);
  EXPECT_LT(seen(camera, before.target).x, -0.01f);
  for (int k = 0; k < 1000; ++k) camera.fly({1e6f, 1e6f, 1e6f});
  EXPECT_TRUE(all_finite(camera));
  EXPECT_LT(glm::length(camera.target()), 2000 * camera.fitted_radius());
}

TEST(Camera, SetPoseIgnoresInvalidValues) {
  Camera camera;
  camera.fit(20);
  const CameraPose pose{{1, -2, 3}, 0.5f, -0.25f, 7};
  camera.set_pose(pose);
  EXPECT_EQ(camera.pose(), pose);
  camera.set_pose({{kNan, 5, kInfinity}, kNan, kInfinity, kNan});
  EXPECT_EQ(camera.pose(), (CameraPose{{1, 5, 3}, 0.5f, -0.25f, 7}));
  camera.set_pose({{0, 0, 0}, 100, 9, -1});
  EXPECT_LE(std::abs(camera.pose().yaw), 3.1416f);
  EXPECT_LE(camera.pose().pitch, 1.5708f);
  EXPECT_GT(camera.distance(), 0);
}

TEST(Camera, InterpolatesAnglesTheShortWayAndLogDistance) {
  const CameraPose from{{0, 0, 0}, 3, 0, 1}, to{{2, 0, 0}, -3, 1, 100};
  const CameraPose middle = interpolate(from, to, 0.5f);
  EXPECT_NEAR(std::abs(std::remainder(middle.yaw, 6.2831853f)), 3.14159, 1e-3);
  EXPECT_NEAR(middle.distance, 10, 1e-4);
  EXPECT_NEAR(middle.target.x, 1, 1e-6);
  EXPECT_EQ(interpolate(from, to, 0), from);
}

}  // namespace
}  // namespace pericenter::render
