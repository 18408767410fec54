// The decorative sky: where it is, how bright, and what hides it.
#include "render/sky.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "render/gl_info.h"
#include "tests/render/test_scene.h"

namespace pericenter::render {
namespace {

constexpr glm::ivec2 kSkySize(1280, 720);

float peak_of(const SkySource& source) {
  return std::max({source.color.r, source.color.g, source.color.b});
}

Camera camera_at(float yaw, float pitch) {
  Camera camera;
  camera.fit(10);
  camera.set_pose({{0, 0, 0}, yaw, pitch, camera.distance()});
  return camera;
}

std::vector<glm::vec2> centers_of(const Camera& camera, glm::ivec2 size = kSkySize) {
  std::vector<glm::vec2> centers;
  for (const SkySpot& spot : sky_spots(sky_sources(1), camera, size)) centers.push_back(spot.center);
  return centers;
}

TEST(Sky, HasTheSameSourcesForTheSameSeed) {
  const std::vector<SkySource> one = sky_sources(1), again = sky_sources(1), other = sky_sources(2);
  ASSERT_EQ(one.size(), again.size());
  for (std::size_t k = 0; k < one.size(); ++k) ASSERT_EQ(one[k].direction, again[k].direction);
  EXPECT_NE(one.front().direction, other.front().direction);
}

TEST(Sky, CoversAllDirectionsEvenly) {
  glm::dvec3 sum(0);
  const std::vector<SkySource> sources = sky_sources(1);
  for (const SkySource& source : sources) {
    EXPECT_NEAR(glm::length(source.direction), 1, 1e-5);
    sum += glm::dvec3(source.direction);
  }
  EXPECT_LT(glm::length(sum) / static_cast<double>(sources.size()), 3 / std::sqrt(sources.size()));
}

TEST(Sky, CountsOfStarsGrowAsInUniformSpace) {
  std::size_t all = 0, one_magnitude = 0;
  float faintest = 1;
  const std::vector<SkySource> sources = sky_sources(1);
  for (const SkySource& source : sources)
    if (!source.galaxy) faintest = std::min(faintest, peak_of(source));
  for (const SkySource& source : sources) {
    if (source.galaxy) continue;
    ++all;
    one_magnitude += std::pow(peak_of(source) / faintest, 2.2f) > std::pow(10, 0.4f) ? 1 : 0;
  }
  EXPECT_NEAR(static_cast<double>(one_magnitude) / static_cast<double>(all), std::pow(10, -0.6), 0.03);
}

TEST(Sky, StaysBelowItsLimit) {
  for (const SkySource& source : sky_sources(1)) EXPECT_LE(peak_of(source), kBrightestSky);
}

TEST(Sky, IsInfinitelyFarAway) {
  const Camera camera = camera_at(0.3f, 0.2f);
  Camera moved = camera;
  moved.move_target({40, -3, 7});
  moved.zoom(6);
  const std::vector<glm::vec2> before = centers_of(camera), after = centers_of(moved);
  ASSERT_GT(before.size(), 100u);
  ASSERT_EQ(before.size(), after.size());
  for (std::size_t k = 0; k < before.size(); ++k) EXPECT_LT(glm::length(before[k] - after[k]), 0.01f);
}

TEST(Sky, TurnsWithTheCamera) {
  const std::vector<SkySource> one = {{.direction = {-1, 0, 0}, .size = 1e-3f, .color = glm::vec3(0.2f)}};
  const auto center = [&](const Camera& camera) { return sky_spots(one, camera, kSkySize).at(0).center; };
  EXPECT_LT(glm::length(center(camera_at(0, 0)) - glm::vec2(640, 360)), 0.01f);
  const float focal = 360 / std::tan(0.5f * Camera().field_of_view());
  EXPECT_NEAR(std::abs(center(camera_at(0.1f, 0)).x - 640), focal * std::tan(0.1f), 0.1f);
  EXPECT_NEAR(std::abs(center(camera_at(0, 0.1f)).y - 360), focal * std::tan(0.1f), 0.1f);
  EXPECT_TRUE(sky_spots(one, camera_at(3.1f, 0), kSkySize).empty());
}

TEST(Sky, LooksTheSameAtEverySize) {
  const Camera camera = camera_at(1, 0.5f);
  const std::vector<SkySource> sources = sky_sources(1);
  const std::vector<SkySpot> small = sky_spots(sources, camera, {1920, 1080}),
                             large = sky_spots(sources, camera, {7680, 4320});
  ASSERT_EQ(small.size(), large.size());
  for (std::size_t k = 0; k < small.size(); ++k) {
    EXPECT_LT(glm::length(large[k].center - 4.0f * small[k].center), 0.1f);
    EXPECT_NEAR(glm::length(large[k].axis), 4 * glm::length(small[k].axis), 0.01f);
  }
}

Frame empty_frame() {
  Frame frame{.camera = camera_at(1, 0.5f)};
  frame.settings.sky = true;
  return frame;
}

TEST(Sky, IsOffWhereResultsAreEncoded) {
  EXPECT_TRUE(shows_sky(empty_frame()));
  const auto shown = [](const auto& change) {
    Frame frame = empty_frame();
    change(frame);
    return shows_sky(frame);
  };
  EXPECT_FALSE(shown([](Frame& f) { f.settings.sky = false; }));
  EXPECT_FALSE(shown([](Frame& f) { f.settings.background = Background::light; }));
  EXPECT_FALSE(shown([](Frame& f) { f.settings.color = ColorMode::origin; }));
  EXPECT_FALSE(shown([](Frame& f) { f.settings.color = ColorMode::density; }));
  EXPECT_FALSE(shown([](Frame& f) { f.boxes.show = true; }));
  EXPECT_FALSE(shown([](Frame& f) { f.boxes.flat = true; }));
  EXPECT_FALSE(shown([](Frame& f) { f.show_probe = true; }));
  EXPECT_FALSE(shown([](Frame& f) { f.stars.marks = 1; }));
  EXPECT_FALSE(shown([](Frame& f) { f.split = Split{.left = {.marks = 1}}; }));
}

class SkyImages : public testing::Test {
 protected:
  SkyImages() { install_gl_debug(true); }

  Image at_once(const Frame& frame, int width, int height) { return draw_in_one_pass(renderer_, frame, width, height); }
  static int brightest(const Image& image) { return *std::ranges::max_element(image.rgb); }

  HeadlessContext context_;
  Renderer renderer_;
};

TEST_F(SkyImages, DoNotDependOnTheExposure) {
  Frame frame = empty_frame();
  const Image image = at_once(frame, 640, 360);
  EXPECT_GT(brightest(image), 40);
  EXPECT_LT(brightest(image), 255 * (kBrightestSky + 0.05f));
  frame.settings.exposure = 6;
  EXPECT_EQ(at_once(frame, 640, 360).rgb, image.rgb);
  frame.settings.sky = false;
  EXPECT_LT(brightest(at_once(frame, 640, 360)), 20);
}

TEST_F(SkyImages, TilesMatchTheWholeImage) {
  const Frame frame = empty_frame();
  const Image whole = at_once(frame, 2600, 300), tiles = renderer_.still(frame, 2600, 300, {});
  EXPECT_EQ(whole.rgb, tiles.rgb);
}

TEST_F(SkyImages, BrightStarsHideTheSky) {
  Scene scene = two_spirals(2000);
  VertexBuffer vertices(scene.vertices);
  Frame frame{.stars = vertices.stars(), .camera = scene.camera, .settings = scene.settings};
  frame.settings.exposure = 5;
  const Image without = at_once(frame, 640, 360);
  frame.settings.sky = true;
  const Image with = at_once(frame, 640, 360);
  int changed = 0;
  for (std::size_t k = 0; k < with.rgb.size(); ++k) {
    const int more = with.rgb[k] - without.rgb[k];
    changed += more > 4 ? 1 : 0;
    ASSERT_LE(more, static_cast<int>(std::ceil(kBrightestSky * static_cast<float>(255 - without.rgb[k]))) + 1);
  }
  EXPECT_GT(changed, 50);
}

}  // namespace
}  // namespace pericenter::render
