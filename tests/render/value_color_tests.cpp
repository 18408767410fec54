// Colours that encode numbers are those of the legend in the image: bright places are neither bleached nor mixed with
// the bloom of their surroundings.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>

#include "render/color_map.h"
#include "render/gl_info.h"
#include "sim/core/vertex_target.h"
#include "tests/render/test_scene.h"

namespace pericenter::render {
namespace {

glm::vec3 pixel_of(const Image& image, std::size_t k) {
  return {image.rgb[3 * k], image.rgb[3 * k + 1], image.rgb[3 * k + 2]};
}

/// Distance of `color` from the line between `first` and `second`, in steps of 255.
float distance_from_line(const glm::vec3& color, const glm::vec3& first, const glm::vec3& second) {
  const glm::vec3 along = second - first;
  const float at = std::clamp(glm::dot(color - first, along) / std::max(glm::dot(along, along), 1e-6f), 0.0f, 1.0f);
  return glm::length(color - first - at * along);
}

/// Two discs; the left one has the value `left`, the right one `right`.
Scene with_values(float left, float right) {
  Scene scene = two_spirals(20'000);
  for (Vertex& vertex : scene.vertices)
    vertex.attribute = attribute_of(vertex.attribute & 0xFFFFu, vertex.x < 0 ? left : right);
  scene.settings.color = ColorMode::speed;
  scene.settings.low = 0;
  scene.settings.high = 1;
  scene.settings.bloom = 1;
  return scene;
}

TEST(ValueColors, MatchTheLegend) {
  HeadlessContext context;
  install_gl_debug(true);
  Renderer renderer;
  for (const ColorMap map : {ColorMap::viridis, ColorMap::cividis, ColorMap::magma, ColorMap::grey}) {
    for (const float value : {0.0f, 0.5f, 1.0f}) {
      for (const Background background : {Background::dark, Background::light}) {
        for (const ToneCurve tone : {ToneCurve::filmic, ToneCurve::asinh}) {
          Scene scene = with_values(value, value);
          scene.settings.map = map;
          scene.settings.background = background;
          scene.settings.tone = tone;
          const Image image = draw(renderer, scene);
          const std::string which = std::to_string(static_cast<int>(map)) + " at " + std::to_string(value);
          const glm::vec3 legend = 255.0f * map_color(map, value);
          const glm::vec3 empty = pixel_of(image, 0);
          float nearest = 1e9f, off = 0;
          for (std::size_t k = 0; k < image.rgb.size() / 3; ++k) {
            nearest = std::min(nearest, glm::length(pixel_of(image, k) - legend));
            off = std::max(off, distance_from_line(pixel_of(image, k), empty, legend));
          }
          EXPECT_LT(nearest, 4) << which << ": the brightest place has the colour of the legend";
          EXPECT_LT(off, 4) << which << ": fewer stars only mix it with the background";
        }
      }
    }
  }
}

TEST(ValueColors, AreNotMixedWithTheirSurroundings) {
  HeadlessContext context;
  install_gl_debug(true);
  Renderer renderer;
  const Image image = draw(renderer, with_values(0.2f, 0.8f));
  const glm::vec3 empty = pixel_of(image, 0);
  const std::array<glm::vec3, 2> legend = {255.0f * map_color(ColorMap::viridis, 0.2f),
                                           255.0f * map_color(ColorMap::viridis, 0.8f)};
  std::size_t pure = 0, mixed = 0;
  for (std::size_t k = 0; k < image.rgb.size() / 3; ++k) {
    const glm::vec3 here = pixel_of(image, k);
    if (glm::length(here - empty) < 12) continue;
    const float off = std::min(distance_from_line(here, empty, legend[0]), distance_from_line(here, empty, legend[1]));
    ++(off < 5 ? pure : mixed);
  }
  EXPECT_GT(pure, 1000u);
  EXPECT_LT(mixed, pure / 50) << "only where stars of both discs are in one pixel";
}

TEST(ValueColors, BodiesWithoutValueAreGrey) {
  HeadlessContext context;
  install_gl_debug(true);
  Renderer renderer;
  const Image image = draw(renderer, with_values(-1000, -1000));
  for (std::size_t k = 0; k < image.rgb.size() / 3; ++k) {
    const glm::vec3 here = pixel_of(image, k);
    EXPECT_LT(std::max({here.r, here.g, here.b}) - std::min({here.r, here.g, here.b}), 9);
    EXPECT_LT(std::max({here.r, here.g, here.b}), 130);
  }
}

}  // namespace
}  // namespace pericenter::render
