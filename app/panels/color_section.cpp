#include <algorithm>
#include <array>
#include <string>

#include "app/format.h"
#include "app/panels/panels.h"
#include "app/panels/widgets.h"

namespace pericenter::app {
namespace {

using render::ColorMode;

// The colours of shaders/colors.glsl after the tone map, by eye.
struct Swatch {
  const char* name;
  ImU32 color;
};
constexpr std::array<Swatch, 3> kComponents = {{{"disc", IM_COL32(140, 178, 255, 255)},
                                                {"bulge", IM_COL32(255, 200, 128, 255)},
                                                {"halo", IM_COL32(128, 118, 160, 255)}}};
constexpr std::array<Swatch, 2> kGalaxies = {
    {{"first", IM_COL32(60, 145, 255, 255)}, {"second", IM_COL32(255, 156, 40, 255)}}};
constexpr std::array<ImU32, 9> kSpeeds = {
    IM_COL32(41, 43, 204, 255),  IM_COL32(87, 33, 217, 255),  IM_COL32(135, 31, 204, 255),
    IM_COL32(179, 46, 168, 255), IM_COL32(214, 74, 128, 255), IM_COL32(237, 107, 92, 255),
    IM_COL32(250, 148, 59, 255), IM_COL32(252, 194, 38, 255), IM_COL32(245, 247, 115, 255)};

constexpr std::array<const char*, 7> kColorNames = {"stars",   "origin",       "speed",      "acceleration",
                                                    "density", "interactions", "force error"};
constexpr std::array<const char*, 7> kColorTips = {
    "What a body is part of: young disc, old bulge, dark halo.",
    "The galaxy that a body came with: shows who threw out which tail, and how the remnant mixes.",
    "How fast a body moves: rotation, the rush through the pericentre, hot remnants.",
    "How strongly a body is pulled.",
    "How much mass there is around a body.",
    "How many cells and bodies acted on a body: what its walk cost.",
    "How far the force on a body is from the exact one."};
void swatches(std::span<const Swatch> rows) {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const float em = ImGui::GetFontSize();
  for (const Swatch& row : rows) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    draw->AddCircleFilled({at.x + 0.35f * em, at.y + 0.55f * em}, 0.28f * em, row.color);
    ImGui::Dummy({0.8f * em, em});
    ImGui::SameLine(0, 0);
    ImGui::TextUnformatted(row.name);
    if (&row != &rows.back()) ImGui::SameLine(0, em);
  }
}

void speed_bar(const UiFrame& frame) {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const SimulationState& state = frame.simulation;
  const float em = ImGui::GetFontSize(), width = ImGui::GetContentRegionAvail().x;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float part = width / static_cast<float>(kSpeeds.size() - 1);
  for (std::size_t k = 0; k + 1 < kSpeeds.size(); ++k) {
    const float left = at.x + part * static_cast<float>(k);
    draw->AddRectFilledMultiColor({left, at.y}, {left + part, at.y + 0.5f * em}, kSpeeds[k], kSpeeds[k + 1],
                                  kSpeeds[k + 1], kSpeeds[k]);
  }
  ImGui::Dummy({width, 0.5f * em});
  const double fast = state.speed_scale;
  const std::string most =
      state.units.velocity_kms > 0 ? text("%.0f km/s", fast * state.units.velocity_kms) : text("%.3g", fast);
  ImGui::TextUnformatted("0");
  ImGui::SameLine(ImGui::GetCursorPosX() + width - ImGui::CalcTextSize(most.c_str()).x);
  ImGui::TextUnformatted(most.c_str());
}

void legend(const UiFrame& frame, const UiState& ui) {
  widgets::indent();
  ImGui::BeginGroup();
  ImGui::PushStyleColor(ImGuiCol_Text, palette::kDim);
  const std::span<const Swatch> components = std::span(kComponents).first(ui.picture.show_halo ? 3 : 2);
  switch (ui.picture.color) {
    case ColorMode::stars:
      swatches(components);
      break;
    case ColorMode::origin:
      swatches(kGalaxies);
      break;
    default:
      speed_bar(frame);
      break;
  }
  ImGui::PopStyleColor();
  ImGui::EndGroup();
}

}  // namespace

void draw_color_section(const UiFrame& frame, UiState& ui) {
  if (!widgets::section(ui, "Colour", false,
                        "What the colours of the stars mean. Nothing here changes the simulation."))
    return;
  ColorMode mode = ui.picture.color;
  if (widgets::enum_combo(ui, "Colour by", mode, kColorNames, kColorTips)) set_color(mode, ui);
  legend(frame, ui);
}

}  // namespace pericenter::app
