// Dots of point masses: where the stars are, in every image.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "render/gl_info.h"
#include "tests/render/test_scene.h"

namespace pericenter::render {
namespace {

constexpr int kDotsWidth = 640, kDotsHeight = 360;

class MassDots : public testing::Test {
 protected:
  MassDots() {
    install_gl_debug(true);
    scene_.vertices[0] = {.x = -12, .y = 2, .z = 3, .attribute = 0};
    scene_.vertices[1] = {.x = 11, .y = -4, .z = -2, .attribute = 0};
    scene_.camera.fit(16);
    frame_.camera = scene_.camera;
    frame_.settings.bloom = 0;
  }
  Image drawn(const Frame& frame, int width = kDotsWidth, int height = kDotsHeight) {
    const Image image = renderer_.still(frame, width, height);
    check_gl();
    return image;
  }
  /// Pixel of a place in an image of this size.
  glm::vec2 pixel(const glm::vec3& at, const Frame& frame, Half half, int width = kDotsWidth,
                  int height = kDotsHeight) const {
    const glm::vec4 clip = frame.clip_from_world(half, {width, height}) * glm::vec4(at, 1);
    const glm::vec2 size(width, height);
    return size * (glm::vec2(0.5f) + glm::vec2(0.5f, -0.5f) * glm::vec2(clip) / clip.w);
  }
  static glm::vec3 place(const Vertex& vertex) { return {vertex.x, vertex.y, vertex.z}; }
  /// Number and mean of the places at which two images differ.
  struct Difference {
    int count = 0;
    glm::vec2 mean{0};
  };
  static Difference difference(const Image& a, const Image& b, int first = 0, int end = kDotsWidth) {
    Difference result;
    for (int y = 0; y < a.height; ++y) {
      for (int x = first; x < end; ++x) {
        const auto at = static_cast<std::ptrdiff_t>(3 * (y * a.width + x));
        if (std::equal(&a.rgb[static_cast<std::size_t>(at)], &a.rgb[static_cast<std::size_t>(at)] + 3,
                       &b.rgb[static_cast<std::size_t>(at)]))
          continue;
        ++result.count;
        result.mean += glm::vec2(static_cast<float>(x) + 0.5f, static_cast<float>(y) + 0.5f);
      }
    }
    result.mean /= static_cast<float>(std::max(result.count, 1));
    return result;
  }
  /// That what differs is a dot there.
  static void expect_dot(const Difference& found, const glm::vec2& at, const std::string& where) {
    EXPECT_NEAR(found.mean.x, at.x, 0.5f) << where;
    EXPECT_NEAR(found.mean.y, at.y, 0.5f) << where;
    EXPECT_GT(found.count, 10) << where;
    EXPECT_LT(found.count, 120) << where;
  }

  HeadlessContext context_;
  Renderer renderer_;
  Scene scene_ = two_spirals(4000);
  Frame frame_;
};

TEST_F(MassDots, AreAtTheFirstBodies) {
  const VertexBuffer stars(scene_.vertices);
  for (const Background background : {Background::dark, Background::light}) {
    Frame frame = frame_;
    frame.settings.background = background;
    frame.stars = stars.stars();
    const Image without = drawn(frame);
    frame.stars.masses.count = 1;
    const Image one = drawn(frame);
    expect_dot(difference(without, one), pixel(place(scene_.vertices[0]), frame, Half::right), "first");
    frame.stars.masses.count = 2;
    expect_dot(difference(one, drawn(frame)), pixel(place(scene_.vertices[1]), frame, Half::right), "second");
  }
}

TEST_F(MassDots, MoveWithTheStarsBetweenSteps) {
  std::vector<Vertex> earlier = scene_.vertices;
  earlier[0].x += 8;
  const VertexBuffer stars(scene_.vertices), before(earlier);
  frame_.stars = stars.stars();
  frame_.stars.before = before.stars().buffer;
  frame_.stars.way = 0.25f;
  const Image without = drawn(frame_);
  frame_.stars.masses.count = 1;
  expect_dot(difference(without, drawn(frame_)), pixel({-6, 2, 3}, frame_, Half::right), "on its way");
}

TEST_F(MassDots, EachHalfHasItsOwn) {
  std::vector<Vertex> others = scene_.vertices;
  others[0].y += 5;
  const VertexBuffer stars(scene_.vertices), left(others);
  for (const bool side_by_side : {false, true}) {
    frame_.stars = stars.stars();
    frame_.split = Split{.left = left.stars(), .side_by_side = side_by_side};
    const Image without = drawn(frame_);
    frame_.split->left.masses.count = 2;
    frame_.stars.masses.count = 2;
    const Image with = drawn(frame_);
    const Difference in_left = difference(without, with, 0, kDotsWidth / 2);
    if (side_by_side) {
      EXPECT_GT(in_left.count, 20);
      EXPECT_NEAR(in_left.count, difference(without, with, kDotsWidth / 2, kDotsWidth).count, 8) << "both have two";
    } else {
      expect_dot(in_left, pixel(place(others[0]), frame_, Half::left), "left");
      expect_dot(difference(without, with, kDotsWidth / 2, kDotsWidth),
                 pixel(place(scene_.vertices[1]), frame_, Half::right), "right");
    }
  }
}

TEST_F(MassDots, GrowWithTheImageAlsoInTiles) {
  constexpr int kLarger = 4, kLarge = kLarger * kDotsWidth;
  const VertexBuffer stars(scene_.vertices);
  frame_.stars = stars.stars();
  const Image without = drawn(frame_, kLarge, kLarger * kDotsHeight);
  frame_.stars.masses.count = 1;
  const Image with = drawn(frame_, kLarge, kLarger * kDotsHeight);
  const Difference dot = difference(without, with, 0, kLarge);
  const glm::vec2 at = pixel(place(scene_.vertices[0]), frame_, Half::right, kLarge, kLarger * kDotsHeight);
  EXPECT_LT(glm::distance(dot.mean, at), 1);
  frame_.stars.masses.count = 0;
  const Image small = drawn(frame_);
  frame_.stars.masses.count = 1;
  EXPECT_GT(dot.count, 6 * difference(small, drawn(frame_)).count);
}

TEST_F(MassDots, TheSunIsYellowAndLargerThanPlanets) {
  const VertexBuffer stars(scene_.vertices);
  frame_.stars = stars.stars();
  frame_.settings.exposure = -20;
  frame_.settings.auto_exposure = false;
  frame_.stars.masses = {.count = 2, .sun = true};
  const Image image = drawn(frame_);
  const auto color = [&](const Vertex& vertex) {
    const glm::ivec2 at(pixel(place(vertex), frame_, Half::right));
    const std::uint8_t* rgb = &image.rgb[static_cast<std::size_t>(3 * (at.y * kDotsWidth + at.x))];
    return glm::ivec3(rgb[0], rgb[1], rgb[2]);
  };
  const glm::ivec3 sun = color(scene_.vertices[0]), planet = color(scene_.vertices[1]);
  EXPECT_GT(sun.r, sun.b + 100);
  EXPECT_LT(planet.r, planet.b + 40);
  const Image none = [&] {
    frame_.stars.masses.count = 0;
    return drawn(frame_);
  }();
  EXPECT_GT(difference(none, image, 0, kDotsWidth / 2).count,
            3 * difference(none, image, kDotsWidth / 2, kDotsWidth).count);
}

}  // namespace
}  // namespace pericenter::render
