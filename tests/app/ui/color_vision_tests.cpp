// Colours that stand for categories stay apart for people with a colour vision deficiency.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <glm/glm.hpp>
#include <string>
#include <vector>

#include "app/overlay/comparison_overlay.h"
#include "app/plots/plot.h"
#include "app/ui/ui_style.h"
#include "render/color_map.h"

namespace pericenter::app {
namespace {

using Color = glm::dvec3;

/// How people see linear sRGB: with normal vision, and with complete protanopia, deuteranopia and tritanopia (Machado,
/// Oliveira and Fernandes 2009, doi:10.1109/TVCG.2009.113, severity 1). By rows.
struct Vision {
  const char* name;
  std::array<Color, 3> rows;
};
constexpr std::array<Vision, 4> kVisions = {{
    {"normal", {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}},
    {"protanopia",
     {{{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}}},
    {"deuteranopia",
     {{{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}}},
    {"tritanopia",
     {{{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}}},
}};

Color times(const std::array<Color, 3>& rows, const Color& color) {
  return {glm::dot(rows[0], color), glm::dot(rows[1], color), glm::dot(rows[2], color)};
}

double linear(double value) {
  return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
}

/// Coordinates in OKLab (Ottosson 2020, https://bottosson.github.io/posts/oklab/); x is the lightness. A distance of
/// 0.02 is just visible side by side.
Color seen(const Color& srgb, const Vision& vision) {
  const Color light = glm::clamp(times(vision.rows, {linear(srgb.x), linear(srgb.y), linear(srgb.z)}), 0.0, 1.0);
  const Color cones = times({{{0.4122214708, 0.5363325363, 0.0514459929},
                              {0.2119034982, 0.6806995451, 0.1073969566},
                              {0.0883024619, 0.2817188376, 0.6299787005}}},
                            light);
  return times({{{0.2104542553, 0.7936177850, -0.0040720468},
                 {1.9779984951, -2.4285922050, 0.4505937099},
                 {0.0259040371, 0.7827717662, -0.8086757660}}},
               {std::cbrt(cones.x), std::cbrt(cones.y), std::cbrt(cones.z)});
}

/// The smallest distance between two of the colours for anyone.
double least_distance(const std::vector<Color>& colors) {
  double least = 10;
  for (const Vision& vision : kVisions)
    for (std::size_t a = 0; a < colors.size(); ++a)
      for (std::size_t b = a + 1; b < colors.size(); ++b)
        least = std::min(least, glm::distance(seen(colors[a], vision), seen(colors[b], vision)));
  return least;
}

Color hex(std::uint32_t rgb) {
  return Color(rgb >> 16 & 0xFFu, rgb >> 8 & 0xFFu, rgb & 0xFFu) / 255.0;
}
Color of(const ImVec4& color) {
  return {color.x, color.y, color.z};
}
double lightness(const Color& color) {
  return seen(color, kVisions[0]).x;
}

TEST(ColorVision, MatricesKeepWhite) {
  for (const Vision& vision : kVisions) EXPECT_NEAR(glm::distance(times(vision.rows, Color(1)), Color(1)), 0, 1e-4);
  // Red and green of the same lightness, which protanopes confuse.
  EXPECT_LT(glm::distance(seen(hex(0xB03A2E), kVisions[1]), seen(hex(0x5B5B2E), kVisions[1])),
            0.5 * glm::distance(seen(hex(0xB03A2E), kVisions[0]), seen(hex(0x5B5B2E), kVisions[0])));
}

TEST(ColorVision, GalaxiesDiffer) {
  for (const float birth : {0.6f, 1.0f}) {  // of the encounter overlay; of the edge of a disc
    std::vector<Color> galaxies;
    for (std::size_t k = 0; k < render::kGalaxyColors; ++k) galaxies.emplace_back(render::origin_color(k, birth));
    EXPECT_GT(least_distance(galaxies), 0.06) << birth;
    galaxies.resize(2);
    EXPECT_GT(least_distance(galaxies), 0.24) << birth;
    EXPECT_GT(std::abs(lightness(galaxies[0]) - lightness(galaxies[1])), 0.09) << "more than by hue";
  }
}

/// The smallest distance between the colours of two galaxies, for one vision.
double pair_distance(render::GalaxyColors colors, const Vision& vision) {
  double least = 10;
  for (const float birth : {0.6f, 1.0f})
    least = std::min(least, glm::distance(seen(Color(render::origin_color(0, birth, colors)), vision),
                                          seen(Color(render::origin_color(1, birth, colors)), vision)));
  return least;
}

TEST(ColorVision, TheSafePairOfGalaxiesDiffersForEveryone) {
  using render::GalaxyColors;
  for (const Vision& vision : kVisions) EXPECT_GT(pair_distance(GalaxyColors::safe, vision), 0.24) << vision.name;
  EXPECT_GT(pair_distance(GalaxyColors::bright, kVisions[0]), 0.24);
  for (const Vision& vision : kVisions) EXPECT_GT(pair_distance(GalaxyColors::bright, vision), 0.08) << vision.name;
  for (std::size_t k = 0; k < 2; ++k) {
    const auto vivid = [&](GalaxyColors colors) {
      const Color color = seen(Color(render::origin_color(k, 1, colors)), kVisions[0]);
      return std::hypot(color.y, color.z);
    };
    EXPECT_GT(vivid(GalaxyColors::bright), 0.11) << k;
  }
  EXPECT_EQ(render::origin_color(2, 1, GalaxyColors::bright), render::origin_color(2, 1)) << "only a pair differs";
}

TEST(ColorVision, LevelsOfTheTreeDiffer) {
  for (const render::Background background : {render::Background::dark, render::Background::light}) {
    std::vector<Color> levels;
    for (const glm::vec3& color : render::level_colors(background)) levels.emplace_back(color);
    EXPECT_GT(least_distance(levels), 0.02);
    EXPECT_GT(least_distance({levels.begin(), levels.begin() + 5}), 0.04) << "those that are shown first";
    for (std::size_t k = 1; k < levels.size(); ++k) {
      EXPECT_GT(least_distance({levels[k - 1], levels[k]}), 0.025) << k;
      const bool darker = lightness(levels[k]) < lightness(levels[k - 1]);
      EXPECT_EQ(darker, background == render::Background::dark) << "towards the background, level " << k;
      for (std::size_t other = 0; other < k; ++other)
        EXPECT_GT(glm::distance(seen(levels[k], kVisions[0]), seen(levels[other], kVisions[0])), 0.05)
            << other << " and " << k << " look alike";
    }
  }
}

TEST(ColorVision, CurvesAndSymbolsDiffer) {
  std::vector<Color> dark, light;
  for (const PlotColor& color : kPlotColors) {
    dark.push_back(hex(color.dark));
    light.push_back(hex(color.light));
  }
  ASSERT_EQ(dark.size(), 8u);
  EXPECT_GT(least_distance(dark), 0.09);
  EXPECT_GT(least_distance(light), 0.065);
}

TEST(ColorVision, LevelsOfHealthDiffer) {
  for (const Theme theme : {Theme::dark, Theme::light}) {
    const Palette& p = palette(theme);
    EXPECT_GT(least_distance({of(p.good), of(p.caution), of(p.error)}), 0.08);
  }
}

TEST(ColorVision, AAndBDiffer) {
  for (const Theme theme : {Theme::dark, Theme::light})
    EXPECT_GT(least_distance({of(comparison_color(true, theme)), of(comparison_color(false, theme))}), 0.08);
}

TEST(ColorVision, SpectralClassesDifferInOrder) {
  // The colours are physical. Neighbours are close, and the lightness of the classes O to F rises for everyone.
  std::vector<Color> classes;
  for (const render::StellarClass& kind : render::stellar_classes())
    classes.emplace_back(render::star_color(kind.light, render::Background::dark));
  EXPECT_GT(least_distance(classes), 0.02);
  for (const Vision& vision : kVisions)
    for (std::size_t k = 1; k < 4; ++k) EXPECT_GT(seen(classes[k], vision).x, seen(classes[k - 1], vision).x);
}

TEST(ColorVision, LightnessOfMapsIncreases) {
  for (const render::ColorMap map :
       {render::ColorMap::viridis, render::ColorMap::cividis, render::ColorMap::magma, render::ColorMap::grey}) {
    for (const Vision& vision : kVisions) {
      double before = -1;
      for (int k = 0; k <= 32; ++k) {
        const double now = seen(Color(render::map_color(map, static_cast<float>(k) / 32)), vision).x;
        EXPECT_GT(now, before - 1e-3) << vision.name << ' ' << static_cast<int>(map) << ' ' << k;
        before = now;
      }
    }
  }
}

TEST(ColorVision, MarkedStarsAreTheLightestOrTheDarkest) {
  const double on_dark = lightness(Color(render::marked_color(render::Background::dark)));
  const double on_light = lightness(Color(render::marked_color(render::Background::light)));
  for (std::size_t k = 0; k < render::kGalaxyColors; ++k)
    EXPECT_GT(on_dark, lightness(Color(render::origin_color(k, 0.6f)))) << k;
  EXPECT_LT(on_light, 0.45);
}

}  // namespace
}  // namespace pericenter::app
