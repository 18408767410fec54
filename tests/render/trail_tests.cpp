#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "render/gl_info.h"
#include "sim/core/vertex_target.h"
#include "tests/render/golden_image.h"
#include "tests/render/test_scene.h"

namespace pericenter::render {
namespace {

constexpr int kTrailWidth = 320, kTrailHeight = 320;

/// Stars on circular orbits seen from above; the first has radius 1 and period 1.
class Trails : public testing::Test {
 protected:
  Trails() {
    install_gl_debug(true);
    picture_.camera.fit(2);
    picture_.camera.look_down();
    picture_.trails = settings();
  }
  static TrailSettings settings() { return {.show = true, .length = 0.75f, .opacity = 1, .bodies = 2000}; }

  static glm::vec3 place(double time, double radius = 1) {
    const double angle = 2 * std::numbers::pi * time / radius;
    return {static_cast<float>(radius * std::cos(angle)), static_cast<float>(radius * std::sin(angle)), 0};
  }
  void record(double time) {
    std::vector<Vertex> vertices;
    for (std::size_t k = 0; k < tags_.size(); ++k) {
      const glm::vec3 at = place(time, 1 + 0.2 * static_cast<double>(k));
      vertices.push_back({.x = at.x, .y = at.y, .z = at.z, .attribute = attribute_of(tags_[k], 0)});
    }
    const VertexBuffer buffer(vertices);
    renderer_.record_trails(buffer.stars(), time, picture_.trails);
  }
  void record_until(double time, double step) {
    for (int k = 0; k * step <= time + 1e-9; ++k) record(k * step);
  }
  /// Trails without stars.
  Image image() {
    const OffscreenTarget target(kTrailWidth, kTrailHeight);
    renderer_.draw(picture_, target.framebuffer(), kTrailWidth, kTrailHeight);
    check_gl();
    return read_pixels(target.framebuffer(), kTrailWidth, kTrailHeight);
  }
  /// Brightest channel near a point of the plane z = 0, minus the empty sky.
  int light_at(const Image& image, const glm::vec3& point) const {
    const glm::vec4 clip = picture_.camera.projection(1) * picture_.camera.view() * glm::vec4(point, 1);
    const int x = static_cast<int>((clip.x / clip.w * 0.5f + 0.5f) * kTrailWidth);
    const int y = static_cast<int>((0.5f - clip.y / clip.w * 0.5f) * kTrailHeight);
    int most = 0;
    for (int j = -1; j <= 1; ++j)
      for (int i = -1; i <= 1; ++i)
        for (int c = 0; c < 3; ++c) most = std::max<int>(most, image.rgb[3 * ((y + j) * kTrailWidth + x + i) + c]);
    return most - *std::max_element(image.rgb.begin(), image.rgb.begin() + 3);
  }

  HeadlessContext context_;
  Renderer renderer_;
  Frame picture_;
  std::vector<std::uint32_t> tags_ = {make_tag(0, Component::disc, 3)};
};

TEST_F(Trails, OrbitDrawsAFadingArc) {
  tags_ = {make_tag(0, Component::disc, 0), make_tag(1, Component::disc, 0), make_tag(2, Component::disc, 0)};
  picture_.settings.color = ColorMode::origin;
  record_until(2, 0.01);
  const Image arcs = image();
  expect_golden("trails", arcs);
  const int newest = light_at(arcs, place(2)), middle = light_at(arcs, place(2 - 0.375)),
            oldest = light_at(arcs, place(2 - 0.7));
  EXPECT_GT(newest, 150);
  EXPECT_NEAR(middle, newest / 2, 25);
  EXPECT_LT(oldest, newest / 4);
  EXPECT_LT(light_at(arcs, place(2 - 0.85)), 5);
}

TEST_F(Trails, LengthIsATimeInterval) {
  for (const double step : {0.0005, 0.01, 0.03}) {
    renderer_.clear_trails();
    record_until(1.8, step);
    const Image arc = image();
    EXPECT_GT(light_at(arc, place(1.8 - 0.45)), 15) << step;
    EXPECT_LT(light_at(arc, place(1.8 - 0.85)), 5) << step;
  }
}

TEST_F(Trails, StartAtTheCurrentPosition) {
  record_until(0.303, 0.003);  // less than the interval between points
  EXPECT_GT(light_at(image(), place(0.303)), 60);
}

TEST_F(Trails, HiddenHaloHasNoTrails) {
  tags_ = {make_tag(0, Component::halo)};
  picture_.settings.color = ColorMode::origin;
  record_until(0.5, 0.01);
  EXPECT_LT(light_at(image(), place(0.4)), 5);
  picture_.settings.show_halo = true;
  EXPECT_GT(light_at(image(), place(0.45)), 10);
}

TEST_F(Trails, RestartWhenTimeGoesBackOrTheStarsChange) {
  record_until(0.5, 0.01);
  record(0.2);
  EXPECT_LT(light_at(image(), place(0.4)), 5);
  record_until(0.5, 0.01);
  tags_.push_back(make_tag(0, Component::disc, 3));
  record(0.6);
  EXPECT_LT(light_at(image(), place(0.4)), 5);
  record_until(0.5, 0.01);
  renderer_.clear_trails();
  EXPECT_LT(light_at(image(), place(0.4)), 5);
}

TEST_F(Trails, NumberIsLimited) {
  tags_.assign(4, make_tag(0, Component::disc, 3));
  picture_.trails.bodies = 2;
  picture_.settings.color = ColorMode::origin;
  record_until(0.5, 0.01);
  const Image arcs = image();
  for (const int k : {0, 1, 2, 3}) {
    const int light = light_at(arcs, place(0.45, 1 + 0.2 * k));
    EXPECT_EQ(light > 60, k % 2 == 0) << k;
  }
}

TEST_F(Trails, NonFiniteBodiesAreSkipped) {
  record_until(0.5, 0.01);
  const VertexBuffer buffer({{.x = NAN, .y = 0, .z = 0, .attribute = tags_[0]}});
  renderer_.record_trails(buffer.stars(), 0.51, picture_.trails);
  const Image arc = image();
  EXPECT_GT(light_at(arc, place(0.4)), 60);
  EXPECT_LT(light_at(arc, {0, 0, 0}), 5);
}

}  // namespace
}  // namespace pericenter::render
