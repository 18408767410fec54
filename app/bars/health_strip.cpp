#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "app/bars/bars.h"
#include "app/base/format.h"
#include "app/ui/hidden_results.h"
#include "app/widgets/health_text.h"

// The health strip of the status line.
namespace pericenter::app {
namespace {

constexpr float kStripGap = 1.4f;  // gap between two items, in units of the font size

struct StripSpan {
  std::string text;
  ImVec4 color;
};

/// Text in several colours that opens the plots when it is clicked.
struct StripItem {
  std::string id;
  std::vector<StripSpan> spans;
  std::string widest;  ///< reserves room
  std::string tip;

  std::string text() const {
    std::string all;
    for (const StripSpan& span : spans) all += span.text;
    return all;
  }
  float width() const { return std::max(ImGui::CalcTextSize(text().c_str()).x, ImGui::CalcTextSize(widest.c_str()).x); }
};

constexpr const char* kClickTip = "\nA click opens the plots (J).";

std::string overall_tip(const SessionState& state) {
  if (state.playback) return "A playback: no forces are computed, so there is no accuracy to measure.";
  std::string tip =
      "How far this result can be trusted: ● trustworthy, ▲ doubtful, ■ not trustworthy. The worst value "
      "since the scene started or was reset decides; a change of settings does not reset it.";
  if (!state.health.reason.empty()) tip += '\n' + state.health.reason;
  return tip + health_list(state) + kClickTip;
}

const char* level_word(const SessionState& state, const LevelLook& look) {
  return state.playback ? "Not measured: playback" : look.word;
}

StripItem level_item(const SessionState& state, const UiState& ui) {
  const LevelLook look = look_of(state.health.level, ui.view.theme);
  return {"health", {{std::string(look.shape) + ' ' + level_word(state, look), look.color}}, "", overall_tip(state)};
}

/// All items of one simulation.
std::vector<StripItem> items_of(const SessionState& state, const UiState& ui) {
  std::vector<StripItem> items = {level_item(state, ui)};
  const Palette& colors = palette(ui.view.theme);
  for (const HealthItem& item : health_items(state)) {
    const bool has_level = item.level != HealthLevel::unknown;
    const ImVec4 color = has_level ? look_of(item.level, ui.view.theme).color : colors.text;
    items.push_back({std::string(item.id),
                     {{item.label + ' ', colors.dim}, {item.value, color}},
                     item.label + ' ' + std::string(item.widest),
                     item.tip + kClickTip});
  }
  return items;
}

/// Beside the level, because it is the answer to "why is it so slow".
void add_slowness(const UiFrame& frame, std::vector<StripItem>& items, const UiState& ui) {
  if (!ui.notices.too_slow) return;
  const ImVec4 color = look_of(HealthLevel::fair, ui.view.theme).color;
  items.insert(items.begin() + 1, {"health-speed", {{slow_text(frame), color}}, "88 % of the chosen speed", kSlowTip});
}

/// Level and energy error of A or B, without the word of the level if `brief`.
StripItem compared_item(const SessionState& state, bool is_reference, bool brief, const UiState& ui) {
  const Palette& colors = palette(ui.view.theme);
  const LevelLook look = look_of(state.health.level, ui.view.theme);
  const std::string error = two_figures(state.health.energy_error.now);
  StripItem item{is_reference ? "health-a" : "health-b",
                 {{is_reference ? "A " : "B ", is_reference ? colors.dim : colors.accent}, {look.shape, look.color}},
                 "",
                 std::string(is_reference ? "A, the frozen settings. " : "B, the current settings. ")};
  if (!brief) item.spans.push_back({std::string(" ") + level_word(state, look), look.color});
  item.spans.push_back({"  |ΔE/E| ", colors.dim});
  item.spans.push_back({error, colors.text});
  item.widest = item.text().substr(0, item.text().size() - error.size()) + "8.8·10⁻⁸";
  item.tip += overall_tip(state);
  return item;
}

float total_width(const std::vector<StripItem>& items) {
  float width = 0;
  for (const StripItem& item : items) width += item.width() + kStripGap * ImGui::GetFontSize();
  return width - kStripGap * ImGui::GetFontSize();
}

/// What fits into `room` pixels: items are dropped from the right.
std::vector<StripItem> fitting_items(const UiFrame& frame, float room, const UiState& ui) {
  if (frame.reference) {
    std::vector<StripItem> items;
    for (const bool brief : {false, true}) {
      items = {compared_item(*frame.reference, true, brief, ui), compared_item(frame.simulation, false, brief, ui)};
      if (total_width(items) <= room) break;
    }
    return items;
  }
  std::vector<StripItem> items = items_of(frame.simulation, ui);
  add_slowness(frame, items, ui);
  while (items.size() > 1 && total_width(items) > room) items.pop_back();
  return items;
}

void draw_strip_item(const StripItem& item, UiState& ui) {
  const float height = ImGui::GetFrameHeight(), em = ImGui::GetFontSize();
  if (widgets::invisible_button("###" + item.id, {item.width(), height})) ui.drawer.open = true;
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
  if (ImGui::IsItemHovered())
    draw->AddRectFilled({low.x - em * 0.35f, low.y}, {high.x + em * 0.35f, high.y},
                        ImGui::GetColorU32(ImGuiCol_ButtonHovered), ImGui::GetStyle().FrameRounding);
  ImVec2 at{low.x, low.y + (height - em) / 2};
  for (const StripSpan& span : item.spans) {
    draw->AddText(at, ImGui::GetColorU32(span.color), span.text.c_str());
    at.x += ImGui::CalcTextSize(span.text.c_str()).x;
  }
  widgets::describe(ui, {item.id, item.text(), item.tip});
}

}  // namespace

void draw_health_strip(const UiFrame& frame, float room, UiState& ui) {
  if (frame.simulation.scene_serial == 0) return;
  const float em = ImGui::GetFontSize();
  if (hides_results(ui))
    return draw_strip_item({"health", {{kHiddenResult, palette(ui.view.theme).dim}}, "", kHiddenResult}, ui);
  bool first = true;
  for (const StripItem& item : fitting_items(frame, room, ui)) {
    if (!std::exchange(first, false)) {
      ImGui::SameLine(0, kStripGap * em);
      const ImVec2 at = ImGui::GetCursorScreenPos();
      const float x = at.x - kStripGap * em / 2, height = ImGui::GetFrameHeight();
      ImGui::GetWindowDrawList()->AddLine({x, at.y + 0.3f * height}, {x, at.y + 0.7f * height},
                                          ImGui::GetColorU32(ImGuiCol_ScrollbarGrabHovered));
    }
    draw_strip_item(item, ui);
  }
}

void draw_health_shape(const UiFrame& frame, float right, UiState& ui) {
  const SessionState& state = frame.simulation;
  if (state.scene_serial == 0 || hides_results(ui)) return;
  const LevelLook look = look_of(state.health.level, ui.view.theme);
  ImGui::SetCursorPosX(right - ImGui::CalcTextSize(look.shape).x);
  draw_strip_item(
      {"health", {{look.shape, look.color}}, "", std::string(level_word(state, look)) + ". " + overall_tip(state)}, ui);
  ImGui::SameLine();
}

}  // namespace pericenter::app
