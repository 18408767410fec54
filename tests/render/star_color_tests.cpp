// Stars have the colours of the legend: the ratios of their light are encoded for the display as the light is. As
// ratios of screen values they would make young stars lilac and old ones orange.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "render/color_map.h"
#include "render/gl_info.h"
#include "sim/core/vertex_target.h"
#include "tests/render/test_scene.h"

namespace pericenter::render {
namespace {

/// A ball of stars of one mass, in solar masses.
Scene stars_of(double mass) {
  Scene scene = two_spirals(20'000);
  const std::uint32_t tag = make_tag(0, Component::other, mass) | kHasSpectralClass;
  for (Vertex& vertex : scene.vertices) vertex.attribute = attribute_of(tag, 0);
  return scene;
}

glm::vec3 value_at(const Image& image, std::size_t k) {
  return glm::vec3(image.rgb[3 * k], image.rgb[3 * k + 1], image.rgb[3 * k + 2]) / 255.0f;
}

float strongest(const glm::vec3& color) {
  return std::max({color.r, color.g, color.b});
}

class StarColors : public ::testing::Test {
 protected:
  StarColors() { install_gl_debug(true); }

  HeadlessContext context_;
  Renderer renderer_;
};

struct Class {
  double mass;
  std::size_t number;
};
// Masses of bodies end at 8, before class O.
constexpr Class kClasses[] = {{7, 1}, {1.7, 2}, {1.2, 3}, {0.95, 4}, {0.6, 5}, {0.1, 6}};

TEST_F(StarColors, AreThoseOfTheLegend) {
  for (const auto& [mass, number] : kClasses) {
    const StellarClass& kind = stellar_classes()[number];
    const glm::vec3 legend = star_color(kind.light, Background::dark);
    for (const ToneCurve tone : {ToneCurve::filmic, ToneCurve::asinh}) {
      Scene scene = stars_of(mass);
      scene.settings.tone = tone;
      const Image image = draw(renderer_, scene);
      const glm::vec3 empty = value_at(image, 0);
      std::size_t shown = 0;
      float off = 0;
      for (std::size_t k = 0; k < image.rgb.size() / 3; ++k) {
        const glm::vec3 star = value_at(image, k) - empty;
        if (strongest(star) < 0.15f || strongest(star) > 0.4f) continue;  // brighter light becomes white
        ++shown;
        off = std::max(off, glm::distance(star, strongest(star) * legend));
      }
      EXPECT_GT(shown, 200u) << kind.name;
      EXPECT_LT(off, 0.02f) << kind.name << static_cast<int>(tone);
    }
  }
}

TEST_F(StarColors, AreThoseOfTheLegendOnLight) {
  for (const auto& [mass, number] : kClasses) {
    const StellarClass& kind = stellar_classes()[number];
    Scene scene = stars_of(mass);
    scene.settings.background = Background::light;
    const Image image = draw(renderer_, scene);
    float nearest = 1;
    for (std::size_t k = 0; k < image.rgb.size() / 3; ++k)
      nearest = std::min(nearest, glm::distance(value_at(image, k), star_color(kind.light, Background::light)));
    EXPECT_LT(nearest, 0.03f) << kind.name;
  }
}

TEST(StarColor, EncodesRatiosOfLight) {
  const glm::vec3 white = {1.0f, 0.903f, 0.877f};
  EXPECT_LT(glm::distance(star_color(white, Background::dark), glm::vec3(1)), 1e-5f);
  const glm::vec3 blue = star_color(white * glm::vec3(0.25f, 0.5f, 1.0f), Background::dark);
  const float more = 0.2f * (1 - 0.5f);
  EXPECT_NEAR(blue.r / blue.b, (0.5f - more) / (1 + more), 1e-5f);
  EXPECT_NEAR(blue.g / blue.b, std::sqrt(0.5f) / (1 + more), 1e-5f);
  EXPECT_NEAR(2 * blue.g / (blue.r + blue.b), 2 * std::sqrt(0.5f) / 1.5f, 1e-5f) << "no more lilac than without kVivid";
}

}  // namespace
}  // namespace pericenter::render
