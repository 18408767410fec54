#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "app/window/imgui_context.h"
#include "tests/support/panel_fixture.h"

namespace pericenter::app {
namespace {

/// Relative luminance of an sRGB colour (WCAG 2.1).
double luminance(const ImVec4& color) {
  const auto light = [](double c) { return c <= 0.03928 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
  return 0.2126 * light(color.x) + 0.7152 * light(color.y) + 0.0722 * light(color.z);
}

double contrast(const ImVec4& a, const ImVec4& b) {
  const double first = luminance(a), second = luminance(b);
  return (std::max(first, second) + 0.05) / (std::min(first, second) + 0.05);
}

class Themes : public ::testing::TestWithParam<Theme> {
 protected:
  Themes() {
    ImGui::CreateContext();
    apply_style(1, GetParam());
  }
  ~Themes() override { ImGui::DestroyContext(); }
  /// Blended with the panel background.
  static ImVec4 color(ImGuiCol which) {
    const ImVec4 own = ImGui::GetStyleColorVec4(which), under = palette(GetParam()).panel;
    return mixed(under, {own.x, own.y, own.z, 1}, own.w);
  }
};

TEST_P(Themes, TextHasEnoughContrast) {
  const Palette& p = palette(GetParam());
  for (const ImGuiCol under : {ImGuiCol_WindowBg, ImGuiCol_PopupBg, ImGuiCol_FrameBg, ImGuiCol_Button, ImGuiCol_Header,
                               ImGuiCol_HeaderHovered, ImGuiCol_FrameBgHovered, ImGuiCol_ButtonHovered})
    EXPECT_GE(contrast(p.text, color(under)), 7) << ImGui::GetStyleColorName(under);
  for (const ImGuiCol under : {ImGuiCol_FrameBgActive, ImGuiCol_ButtonActive, ImGuiCol_HeaderActive,
                               ImGuiCol_PlotHistogram, ImGuiCol_TextSelectedBg})
    EXPECT_GE(contrast(p.text, color(under)), 4.5) << ImGui::GetStyleColorName(under);
  for (const ImGuiCol under : {ImGuiCol_WindowBg, ImGuiCol_PopupBg, ImGuiCol_FrameBg}) {
    EXPECT_GE(contrast(p.dim, color(under)), 4.5) << ImGui::GetStyleColorName(under);
    EXPECT_GE(contrast(p.accent, color(under)), 4.5) << ImGui::GetStyleColorName(under);
    EXPECT_GE(contrast(p.good, color(under)), 4.5) << ImGui::GetStyleColorName(under);
    EXPECT_GE(contrast(p.error, color(under)), 4.5) << ImGui::GetStyleColorName(under);
    EXPECT_GE(contrast(p.caution, color(under)), 4.5) << ImGui::GetStyleColorName(under);
  }
  EXPECT_GE(contrast(p.on_accent, p.accent), 4.5);
  EXPECT_GE(contrast(p.on_accent, mixed(p.accent, p.panel, 0.12f)), 4.5);
  EXPECT_EQ(ImGui::GetStyleColorVec4(ImGuiCol_Text).x, p.text.x);
}

// WCAG 2.1 requires a contrast of 3 for graphical objects.
TEST_P(Themes, GraphicsHaveEnoughContrast) {
  const Palette& p = palette(GetParam());
  for (const ImVec4& bar : {p.bar, p.old_bar}) EXPECT_GE(contrast(bar, p.well), 2.5);
  EXPECT_GE(contrast(p.bar, p.well), 3);
  for (std::size_t k = 0; k < kStageCount; ++k)
    EXPECT_GE(contrast(stage_color(static_cast<Stage>(k), GetParam()), p.well), 3) << kStageNames[k];
  for (const PlotColor& curve : {kPlotBlue, kPlotOrange, kPlotGreen, kPlotPurple, kPlotRed, kPlotGrey})
    EXPECT_GE(contrast(color_of(curve, GetParam()), plot_style(GetParam()).background), 3);
  EXPECT_GE(contrast(color(ImGuiCol_CheckMark), color(ImGuiCol_FrameBg)), 3);
  EXPECT_GE(contrast(color(ImGuiCol_SliderGrabActive), color(ImGuiCol_FrameBg)), 3);
}

INSTANTIATE_TEST_SUITE_P(Both, Themes, ::testing::Values(Theme::dark, Theme::light),
                         [](const auto& theme) { return theme.param == Theme::dark ? "dark" : "light"; });

TEST(Theme, IsStoredWithTheLayout) {
  StoredLook look{.theme = Theme::light, .side_bar = {}};
  Theme& theme = look.theme;
  const auto settings = [&] {
    std::size_t size = 0;
    const char* text = ImGui::SaveIniSettingsToMemory(&size);
    return std::string(text, size);
  };
  ImGui::CreateContext();
  ImGui::GetIO().IniFilename = nullptr;
  store_look(look);
  const std::string light = settings();
  theme = Theme::dark;
  const std::string dark = settings();
  ImGui::LoadIniSettingsFromMemory(light.c_str(), light.size());
  EXPECT_EQ(theme, Theme::light);
  theme = Theme::dark;
  ImGui::LoadIniSettingsFromMemory(dark.c_str(), dark.size());
  EXPECT_EQ(theme, Theme::dark);
  ImGui::DestroyContext();
}

TEST_F(Panels, TheLightThemeIsACheckboxThatIsAlwaysVisible) {
  window_height = 400;
  ui.layout.side_bar.simple = true;
  frame();
  ASSERT_TRUE(find("light-theme"));
  EXPECT_LE(find("light-theme")->y1, window_height);
  click("light-theme");
  EXPECT_EQ(ui.view.theme, Theme::light);
  click("light-theme");
  EXPECT_EQ(ui.view.theme, Theme::dark);
}

}  // namespace
}  // namespace pericenter::app
