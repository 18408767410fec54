#include <algorithm>
#include <array>
#include <string>

#include "app/format.h"
#include "app/panels/panels.h"
#include "app/panels/widgets.h"

namespace pericenter::app {
namespace {

using render::ColorMode;
using render::StarStyle;

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

constexpr std::array<const char*, 3> kColorNames = {"component", "galaxy of birth", "speed"};
constexpr std::array<const char*, 3> kColorTips = {
    "What a body is part of: young disc, old bulge, dark halo.",
    "The galaxy that a body came with: shows who threw out which tail, and how the remnant mixes.",
    "How fast a body moves: rotation, the rush through the pericentre, hot remnants."};
constexpr std::array<const char*, 3> kStyleNames = {"automatic", "points of light", "soft discs"};
constexpr std::array<const char*, 3> kStyleTips = {
    "Soft discs for few bodies, points for many.", "One point a body, added up: quick with millions of bodies.",
    "A soft disc a body: pretty with few bodies, slow with many, above all without a GPU."};

template <class Enum, std::size_t Count>
void enum_combo(UiState& ui, const char* label, Enum& value, const std::array<const char*, Count>& names,
                const std::array<const char*, Count>& tips) {
  const std::size_t now = static_cast<std::size_t>(value);
  if (!widgets::begin_combo(ui, label, names[now], tips[now])) return;
  for (std::size_t k = 0; k < Count; ++k)
    if (widgets::choice(ui, names[k], k == now, tips[k])) value = static_cast<Enum>(k);
  widgets::end_combo();
}

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
    case ColorMode::component:
      swatches(components);
      break;
    case ColorMode::galaxy:
      swatches(kGalaxies);
      break;
    case ColorMode::speed:
      speed_bar(frame);
      break;
  }
  ImGui::PopStyleColor();
  ImGui::EndGroup();
}

void star_rows(UiState& ui) {
  render::PictureSettings& picture = ui.picture;
  widgets::slider(
      ui, "Exposure", picture.exposure, {-6, 6, "%+.1f"},
      "Light of the picture in stops: +1 is twice as bright. Raise it for faint tails or a bright room. No cost.");
  widgets::slider(
      ui, "Glow", picture.glow, {0, 1, "%.2f"},
      "Share of the light that spreads softly around bright places. Only looks; a little slower without a GPU.");
  enum_combo(ui, "Stars", picture.style, kStyleNames, kStyleTips);
  widgets::slider(ui, "Star size", picture.star_size, {0.25, 4, "%.2f", true},
                  "Size of the soft discs; their light stays the same. Large ones are slower to draw.");
  widgets::indent();
  widgets::checkbox(ui, "Dark halo", picture.show_halo,
                    "Show the bodies of the dark halos, which hold most of the mass and give no light. Forces are the "
                    "same either way.");
}

void tree_rows(const UiFrame& frame, UiState& ui) {
  const int deepest = std::max(1, frame.simulation.tree_levels - 1);
  const bool has_tree = frame.simulation.tree_levels > 0;
  request::ShowTree tree = ui.tree;
  ImGui::SameLine(0, 1.5f * ImGui::GetFontSize());
  const bool toggled =
      widgets::checkbox(ui, "Tree", tree.show,
                        "Draw the cells of the tree that the last step walked (T). Costs drawing time, not accuracy.");
  bool changed = toggled;
  if (tree.show) {
    constexpr const char* kTip =
        "The levels that are drawn; 0 is the cell around everything. Deep levels are many small cells: slower to draw.";
    int first = std::min(tree.first_level, deepest), last = std::min(tree.last_level, deepest);
    ImGui::BeginDisabled(!has_tree);
    widgets::row(ui, "Levels", kTip);
    if (ImGui::DragIntRange2("##levels", &first, &last, 0.05f, 0, deepest, "from %d", "to %d",
                             ImGuiSliderFlags_AlwaysClamp)) {
      tree.first_level = first;
      tree.last_level = last;
      changed = true;
    }
    widgets::note(ui, "Levels", kTip);
    ImGui::EndDisabled();
    widgets::slider(ui, "Box opacity", ui.boxes.opacity, {0, 1, "%.2f"},
                    "How strongly the cells are drawn over the stars. No cost.");
  }
  if (changed) set_tree(tree, ui);
}

}  // namespace

void draw_view_section(const UiFrame& frame, UiState& ui) {
  if (!widgets::section(ui, "View", false, "How the picture looks. Nothing here changes the simulation.")) return;
  enum_combo(ui, "Colour by", ui.picture.color, kColorNames, kColorTips);
  legend(frame, ui);
  star_rows(ui);
  tree_rows(frame, ui);
  if (widgets::button(ui, "Show the whole scene", {ImGui::GetContentRegionAvail().x, 0},
                      "Turn and zoom back to the first view (F, or a double click on the picture)."))
    ui.commands.push_back({Action::fit});
}

}  // namespace pericenter::app
