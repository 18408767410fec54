#include <algorithm>
#include <cmath>
#include <cstddef>

#include "app/overlay/legend.h"
#include "render/color_map.h"
#include "tests/support/panel_fixture.h"

namespace pericenter::app {
namespace {

class LegendBars : public Panels {};

TEST_F(LegendBars, HaveTheWholeColorMap) {
  using render::ColorMap;
  struct Ends {
    ColorMap map;
    ImU32 first, last;
  };
  const Ends published[] = {{ColorMap::viridis, IM_COL32(0x44, 0x01, 0x54, 255), IM_COL32(0xFD, 0xE7, 0x25, 255)},
                            {ColorMap::cividis, IM_COL32(0x00, 0x22, 0x4E, 255), IM_COL32(0xFE, 0xE8, 0x38, 255)},
                            {ColorMap::magma, 0, IM_COL32(0xFC, 0xFD, 0xBF, 255)},
                            {ColorMap::grey, IM_COL32(51, 51, 51, 255), IM_COL32_WHITE}};
  frame(1);
  for (const Ends& ends : published) {
    ui.view.image.map = ends.map;
    ui.view.image.color = render::ColorMode::speed;
    const Legend legend = legend_of(ui.view, nullptr, state);
    ASSERT_GE(legend.colors.size(), render::kMapSteps);
    const auto at = [&](float place) {
      const glm::vec3 color = render::map_color(ends.map, place);
      return ImGui::ColorConvertFloat4ToU32({color.r, color.g, color.b, 1});
    };
    EXPECT_EQ(legend.colors.front(), at(0));
    EXPECT_EQ(legend.colors.back(), at(1));
    if (ends.first != 0) {
      EXPECT_EQ(legend.colors.front(), ends.first);
    }
    EXPECT_EQ(legend.colors.back(), ends.last);
    for (std::size_t k = 0; k < legend.colors.size(); ++k) {
      EXPECT_EQ(legend.colors[k], at(static_cast<float>(k) / static_cast<float>(legend.colors.size() - 1))) << k;
    }

    ImDrawList draw(ImGui::GetDrawListSharedData());
    draw._ResetForNewFrame();
    draw.PushClipRectFullScreen();
    draw.PushTextureID(ImGui::GetIO().Fonts->TexID);
    draw_legend(draw, legend, {.font = fonts.text, .width = 240, .foreground = 1, .dim = 2}, {10, 20});
    float left = 1e9f, right = 0;
    for (const ImDrawVert& vertex : draw.VtxBuffer) {
      if (vertex.col == legend.colors.front()) left = std::min(left, vertex.pos.x);
      if (vertex.col == legend.colors.back()) right = std::max(right, vertex.pos.x);
    }
    EXPECT_FLOAT_EQ(left, 10);
    EXPECT_NEAR(right, 250, 1e-3);
  }
}

// Regression: a table of bodies was explained as "Stars by spectral class: star".
TEST_F(LegendBars, BodiesWithoutClassAreNoStarsByClass) {
  ui.stars.sample.emplace();
  ui.stars.sample->stars.push_back({.position = {}, .tag = make_tag(0, Component::other)});
  const Legend legend = legend_of(ui.view, &*ui.stars.sample, state);
  EXPECT_EQ(legend.title, "Bodies");
  ASSERT_EQ(legend.swatches.size(), 1u);
  EXPECT_EQ(legend.swatches[0].name, "without spectral class");
}

// Regression: asteroids were listed as stars of the classes F to M.
TEST_F(LegendBars, AsteroidsAreNoStars) {
  SceneRequest request;
  request.bodies = 100;
  const Scene scene = find_scene("solar-system")->make(request);
  state.units = scene.units;
  ui.stars.sample.emplace();
  for (const Body& body : scene.bodies) ui.stars.sample->stars.push_back({.position = {}, .tag = body.tag});
  const Legend legend = legend_of(ui.view, &*ui.stars.sample, state);
  EXPECT_EQ(legend.title, "Bodies");
  ASSERT_EQ(legend.swatches.size(), 2u);
  EXPECT_EQ(legend.swatches[0].name, "Sun, planet");
  EXPECT_EQ(legend.swatches[1].name, "small body");
  EXPECT_EQ(legend.swatches[1].colors.size(), 4u) << "drawn in the colours F to M";
}

TEST_F(LegendBars, SayWhichBodiesHaveMass) {
  state.bodies = 1000;
  for (const render::ColorMode mode : {render::ColorMode::stars, render::ColorMode::speed}) {
    ui.view.image.color = mode;
    const auto row = [&](const char* scene, bool has_planets = false) {
      state.scene = scene;
      state.has_planets = has_planets;
      const auto masses = legend_of(ui.view, nullptr, state).masses;
      return masses ? masses->name : "";
    };
    EXPECT_EQ(row("toomre-m51"), "point mass; others have no mass");
    EXPECT_EQ(row("solar-system", true), "Sun, planet; others have no mass");
    EXPECT_EQ(row("small-bodies", true), "Sun, planet") << "asteroids with mass";
    EXPECT_EQ(row("m51"), "");
    state.file = "asteroids.csv";
    EXPECT_EQ(row("asteroids"), "");
    EXPECT_EQ(row("asteroids", true), "Sun, planet") << "in the file, asteroids may have mass";
    state = {};
    state.bodies = 2;
    EXPECT_EQ(row("toomre-m51"), "") << "there are no others";
    state.bodies = 1000;
  }
  frame(1);
  const auto height = [&](const char* scene) {
    state.scene = scene;
    return legend_size(legend_of(ui.view, nullptr, state), {.font = ImGui::GetIO().Fonts->Fonts[0], .size = 16}).y;
  };
  EXPECT_NEAR(height("toomre-m51") - height("m51"), 1.3f * 16, 0.1f) << "it is drawn";
}

double luminance_of(ImU32 color) {
  const ImVec4 rgb = ImGui::ColorConvertU32ToFloat4(color);
  const auto linear = [](float c) { return std::pow(c, 2.2); };
  return 0.2126 * linear(rgb.x) + 0.7152 * linear(rgb.y) + 0.0722 * linear(rgb.z);
}

// Regression: on the light background, where white stars are dark, F and G had pale swatches.
TEST_F(LegendBars, SwatchesAreDarkOnLightBackground) {
  ui.view.theme = Theme::light;
  for (const render::ColorMode mode : {render::ColorMode::stars, render::ColorMode::origin}) {
    ui.view.image.color = mode;
    for (const Legend::Swatch& swatch : legend_of(ui.view, nullptr, state).swatches)
      for (const ImU32 color : swatch.colors)
        EXPECT_GT(1.0 / (luminance_of(color) + 0.05), 3) << swatch.name << ": contrast with white";
  }
}

}  // namespace
}  // namespace pericenter::app
