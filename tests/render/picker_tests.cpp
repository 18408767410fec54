#include <glad/gl.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "render/gl_info.h"
#include "render/star_picker.h"
#include "sim/core/vertex_target.h"
#include "tests/render/test_scene.h"

namespace pericenter::render {
namespace {

constexpr glm::ivec2 kSize(1280, 720);

class Picker : public testing::Test {
 protected:
  Picker() { install_gl_debug(true); }

  /// Position in pixels from the lower left, and depth.
  glm::vec3 seen(const Frame& picture, const Vertex& v) const {
    const float aspect = static_cast<float>(kSize.x) / static_cast<float>(kSize.y);
    const glm::vec4 clip = picture.camera.projection(aspect) * picture.camera.view() * glm::vec4(v.x, v.y, v.z, 1);
    return {(clip.x / clip.w * 0.5f + 0.5f) * static_cast<float>(kSize.x),
            (clip.y / clip.w * 0.5f + 0.5f) * static_cast<float>(kSize.y), clip.w};
  }
  std::optional<std::uint32_t> pick(const std::vector<Vertex>& vertices, glm::vec2 at, const Frame& like) {
    const VertexBuffer buffer(vertices);
    Frame picture = like;
    picture.stars = buffer.stars();
    const auto found = picker_.pick(picture, at, kSize);
    check_gl();
    return found;
  }

  HeadlessContext context_;
  ShaderLibrary library_{""};
  StarPicker picker_{library_};
};

Frame fitted(float radius) {
  Frame picture;
  picture.camera.fit(radius);
  return picture;
}

Vertex star(float x, float y, float z, Component component = Component::disc) {
  return {.x = x, .y = y, .z = z, .attribute = make_tag(0, component)};
}

TEST_F(Picker, FindsTheStarUnderTheCursor) {
  const Scene scene = two_spirals(1'000'000);
  const VertexBuffer buffer(scene.vertices);
  Frame picture{.stars = buffer.stars(), .camera = scene.camera};
  picture.settings.show_halo = true;
  for (std::size_t wanted = 1; wanted < scene.vertices.size(); wanted += 99'991) {
    const glm::vec3 cursor = seen(picture, scene.vertices[wanted]);
    if (cursor.x < 0 || cursor.y < 0 || cursor.x > kSize.x || cursor.y > kSize.y) continue;
    const auto found = picker_.pick(picture, cursor, kSize);
    ASSERT_TRUE(found);
    const glm::vec3 at = seen(picture, scene.vertices[*found]);
    EXPECT_LE(glm::distance(glm::vec2(at), glm::vec2(cursor)), 0.51f);
    // No star at the same distance from the cursor is closer to the camera.
    for (const Vertex& v : scene.vertices) {
      const glm::vec3 other = seen(picture, v);
      const bool there = glm::distance(glm::vec2(other), glm::vec2(cursor)) < 0.49f;
      ASSERT_FALSE(there && other.z < at.z * (1 - 1e-5f)) << "a nearer one is hidden";
    }
  }
}

TEST_F(Picker, TakesTheNearestWithinReach) {
  const Frame picture = fitted(1);
  const std::vector<Vertex> stars = {star(0.3f, 0, 0), star(-0.3f, 0, 0), star(0.302f, 0, 0)};
  for (std::uint32_t wanted = 0; wanted < 3; ++wanted) {
    const glm::vec2 at = seen(picture, stars[wanted]);
    EXPECT_EQ(pick(stars, at, picture), wanted);
  }
  const glm::vec2 at = seen(picture, stars[1]);
  EXPECT_EQ(pick(stars, at + glm::vec2(4, -3), picture), 1u);
  EXPECT_FALSE(pick(stars, at + glm::vec2(5, -5), picture));
  EXPECT_FALSE(pick(stars, {10, 10}, picture));
  EXPECT_FALSE(pick(stars, {std::numeric_limits<float>::quiet_NaN(), 10}, picture));
}

/// The star that is seen at a point of the frame.
Vertex star_at(const Frame& picture, glm::vec2 at) {
  const glm::mat4 matrix =
      picture.camera.projection(static_cast<float>(kSize.x) / static_cast<float>(kSize.y)) * picture.camera.view();
  const glm::vec4 target = matrix * glm::vec4(picture.camera.target(), 1);
  const glm::vec2 place = 2.0f * at / glm::vec2(kSize) - 1.0f;
  const glm::vec4 world = glm::inverse(matrix) * glm::vec4(place * target.w, target.z, target.w);
  return star(world.x / world.w, world.y / world.w, world.z / world.w);
}

TEST_F(Picker, TakesTheNearerOfTwoStarsThreePixelsApart) {
  const Frame picture = fitted(1);
  const glm::vec2 at(640.5f, 360.5f);
  for (const glm::vec2 step : {glm::vec2(1, 0), glm::vec2(0, 1)}) {
    const std::vector<Vertex> stars = {star_at(picture, at), star_at(picture, at + 3.0f * step)};
    ASSERT_LE(glm::distance(glm::vec2(seen(picture, stars[1])), at + 3.0f * step), 0.1f);
    EXPECT_EQ(pick(stars, at + step, picture), 0u);
    EXPECT_EQ(pick(stars, at + 2.0f * step, picture), 1u);
  }
}

TEST_F(Picker, IgnoresHiddenStars) {
  Frame picture = fitted(1);
  const float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
  const glm::vec3 eye = picture.camera.position();
  const std::vector<Vertex> stars = {star(0.1f, 0.2f, 0, Component::halo), star(nan, 0.2f, 0), star(infinity, 0, 0),
                                     star(2 * eye.x - 0.1f, 2 * eye.y - 0.2f, 2 * eye.z), star(eye.x, eye.y, eye.z)};
  const glm::vec2 at = seen(picture, stars[0]);
  EXPECT_FALSE(pick(stars, at, picture));
  picture.settings.show_halo = true;
  EXPECT_EQ(pick(stars, at, picture), 0u);
  EXPECT_FALSE(pick({}, at, picture));
}

TEST_F(Picker, FindsStarsInEveryRangeOfALargeBuffer) {
  // More than one range of the buffer.
  std::vector<Vertex> stars((std::size_t{1} << 22) + 3, star(0, 0, 0, Component::halo));
  stars.back() = star(0.2f, 0.1f, 0);
  stars[5] = star(-0.2f, 0.1f, 0);
  const Frame picture = fitted(1);
  const glm::vec2 last = seen(picture, stars.back()), fifth = seen(picture, stars[5]);
  EXPECT_EQ(pick(stars, last, picture), stars.size() - 1);
  EXPECT_EQ(pick(stars, fifth, picture), 5u);
}

TEST_F(Picker, EmptyFrameHasNoStar) {
  EXPECT_FALSE(picker_.pick(fitted(1), {0, 0}, kSize));
  EXPECT_FALSE(picker_.pick(fitted(1), {0, 0}, {0, 0}));
}

}  // namespace
}  // namespace pericenter::render
