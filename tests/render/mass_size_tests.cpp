// Stars of known mass: on the screen, their size and light show it.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

#include "render/gl_info.h"
#include "tests/render/test_scene.h"

namespace pericenter::render {
namespace {

constexpr std::array kMasses = {0.1, 0.25, 0.6, 1.5, 3.5, 8.0};
constexpr int kStep = 16;  // pixels between stars

/// Stars of these masses in turn on a grid, seen from above; the first is at half a step from the lower left corner.
Scene grid_of_masses() {
  Scene scene;
  scene.width = 80 * kStep;
  scene.height = 45 * kStep;
  scene.camera.fit(1.6f);
  scene.camera.look_down();
  scene.settings = {.style = StarStyle::splat, .exposure = -3, .by_mass = true, .bloom = 0.1f};
  const glm::vec2 size(scene.width, scene.height);
  const Frame frame{.camera = scene.camera};
  const glm::mat4 clip = frame.clip_from_world(Half::right, {scene.width, scene.height});
  const glm::vec4 right = clip * glm::vec4(1, 0, 0, 1);
  const float pixel = 1 / (0.5f * size.x * glm::length(glm::vec2(right) / right.w * glm::vec2(1, size.y / size.x)));
  // The camera's right and up in the plane of the stars.
  const glm::mat4 view = scene.camera.view();
  const glm::vec3 along(view[0][0], view[1][0], view[2][0]), up(view[0][1], view[1][1], view[2][1]);
  std::size_t k = 0;
  for (float y = kStep / 2; y < size.y; y += kStep) {
    for (float x = kStep / 2; x < size.x; x += kStep) {
      const glm::vec3 at = pixel * ((x + 0.5f - size.x / 2) * along + (y + 0.5f - size.y / 2) * up);
      const std::uint32_t tag = make_tag(0, Component::other, kMasses[k++ % kMasses.size()]) | kHasSpectralClass;
      scene.vertices.push_back({.x = at.x, .y = at.y, .z = at.z, .attribute = attribute_of(tag, 0)});
    }
  }
  return scene;
}

/// What an eye sees of a star, in screen values above its surroundings.
struct Look {
  double area = 0, light = 0;  ///< pixels above half of the maximum; sum of those above a quarter
};

/// Of the star in this cell of the grid, counted from the upper left corner.
Look look_at(const Image& image, int column, int row, bool on_paper) {
  std::vector<int> values;
  for (int y = kStep * row; y < kStep * (row + 1); ++y) {
    for (int x = kStep * column; x < kStep * (column + 1); ++x) {
      const auto* rgb = &image.rgb[static_cast<std::size_t>(3 * (y * image.width + x))];
      const auto [low, high] = std::minmax({rgb[0], rgb[1], rgb[2]});
      values.push_back(on_paper ? 255 - low : high);
    }
  }
  const auto [least, most] = std::ranges::minmax(values);
  Look look;
  for (const int value : values) {
    look.area += value - least > (most - least) / 2 ? 1 : 0;
    look.light += value - least > (most - least) / 4 ? value - least : 0;  // not the bloom of its neighbours
  }
  return look;
}

std::array<Look, kMasses.size()> mean_looks(const Scene& scene, const Image& image) {
  const bool on_paper = scene.settings.background == Background::light;
  const int columns = scene.width / kStep, rows = scene.height / kStep;
  std::array<Look, kMasses.size()> looks;
  std::size_t k = 0;
  for (int row = rows - 1; row >= 0; --row) {
    for (int column = 0; column < columns; ++column, ++k) {
      const Look look = look_at(image, column, row, on_paper);
      const double share = static_cast<double>(kMasses.size()) / (columns * rows);
      looks[k % kMasses.size()].area += share * look.area;
      looks[k % kMasses.size()].light += share * look.light;
    }
  }
  return looks;
}

// Regression: all were points of the same size, most of them as bright as the screen can be.
TEST(MassSizes, SizeAndLightOnTheScreenGrowWithTheMass) {
  HeadlessContext context;
  install_gl_debug(true);
  Renderer renderer;
  Scene scene = grid_of_masses();
  for (const Background background : {Background::dark, Background::light}) {
    scene.settings.background = background;
    const auto looks = mean_looks(scene, draw(renderer, scene));
    for (std::size_t k = 1; k < kMasses.size(); ++k) {
      // The lightest are points.
      EXPECT_GE(looks[k].area, (kMasses[k] < 1 ? 1 : 1.2) * looks[k - 1].area) << kMasses[k];
      EXPECT_GT(looks[k].light, 1.3 * looks[k - 1].light) << kMasses[k];
    }
    EXPECT_GT(looks.back().area, 4 * looks.front().area);
    EXPECT_GT(looks.back().light, 16 * looks.front().light);
  }
}

TEST(MassSizes, AreOnlyForStarsOfKnownMass) {
  HeadlessContext context;
  install_gl_debug(true);
  Renderer renderer;
  Scene scene = two_spirals(2000);
  scene.settings.style = StarStyle::splat;
  const Image plain = draw(renderer, scene);
  scene.settings.by_mass = true;
  scene.settings.color = ColorMode::origin;
  const Image with_mass = draw(renderer, scene);
  scene.settings.by_mass = false;
  EXPECT_EQ(draw(renderer, scene).rgb, with_mass.rgb) << "only in colours of stars";
  EXPECT_NE(plain.rgb, with_mass.rgb);
}

TEST(MassSizes, ManyStarsShareTheBudgetOfPixels) {
  const auto radius = [](std::size_t count, bool by_mass) {
    return star_shape({.count = count, .height = 720, .software = true},
                      {.style = by_mass ? StarStyle::splat : StarStyle::automatic, .by_mass = by_mass})
        .radius;
  };
  // Pixels of all stars: a quarter of those of stars that are all as large as the heaviest.
  for (const std::size_t count : {4000u, 20'000u, 200'000u})
    EXPECT_LE(static_cast<float>(count) * 4 * radius(count, true) * radius(count, true) * 0.25f, 2.01e5f) << count;
  EXPECT_GT(radius(4000, true), 1.8f * radius(4000, false));
}

}  // namespace
}  // namespace pericenter::render
