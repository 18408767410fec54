#include "app/panels/tooltip.h"

#include <imgui.h>

#include <algorithm>

#include "app/ui/ui_style.h"

namespace pericenter::app::widgets {
namespace {

constexpr float kTooltipDelay = 0.35f;  // seconds; at once would flicker under a moving cursor
constexpr float kTooltipWidth = 24;     // in units of the font size

// Label and control of a row share one clock, so that moving from one to the other keeps the tooltip open.
bool rested(UiState& ui, ImGuiID id) {
  const int frame = ImGui::GetFrameCount();
  const bool same = ui.hover.id == id && ui.hover.frame >= frame - 1;
  const float elapsed = ui.hover.frame == frame ? 0 : ImGui::GetIO().DeltaTime;
  ui.hover = {id, frame, same ? ui.hover.seconds + elapsed : 0};
  return ui.hover.seconds >= kTooltipDelay;
}

/// Beside the panel, level with the item, so that no control is covered; above what is at the bottom of the window;
/// elsewhere where ImGui puts it.
void place_tooltip(const UiState& ui, float width, std::string_view text) {
  const ImVec2 display = ImGui::GetIO().DisplaySize, padding = ImGui::GetStyle().WindowPadding;
  const ImVec2 item = ImGui::GetItemRectMin();
  const ImVec2 size = ImGui::CalcTextSize(text.data(), text.data() + text.size(), false, width);
  if (ImGui::GetWindowPos().y + ImGui::GetWindowHeight() + padding.y >= display.y) {
    const float right = display.x - size.x - 3 * padding.x;
    return ImGui::SetNextWindowPos({std::max(std::min(item.x, right), 0.0f), item.y - padding.y}, 0, {0, 1});
  }
  if (ImGui::GetIO().MousePos.x > ui.panel_width) return;
  const float top = std::min(item.y, display.y - size.y - 3 * padding.y);
  ImGui::SetNextWindowPos({ui.panel_width + padding.x * 0.5f, std::max(top, 0.0f)});
}

void tooltip(UiState& ui, std::string_view text) {
  if (ui.log) ui.log->tooltip = text;
  const ImGuiStyle& style = ImGui::GetStyle();
  const float room = ImGui::GetIO().DisplaySize.x - ui.panel_width - 3 * style.WindowPadding.x;
  const float width = std::min(kTooltipWidth * ImGui::GetFontSize(), room);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {style.WindowPadding.x, style.WindowPadding.x * 0.7f});
  ImGui::PushStyleVar(ImGuiStyleVar_Alpha, 1);  // of a control that is disabled or dim, too: why it is, must be read
  place_tooltip(ui, width, text);
  ImGui::PushStyleColor(ImGuiCol_Text, palette(ui.view.theme).text);
  ImGui::BeginTooltip();
  ImGui::PushTextWrapPos(width);
  ImGui::TextUnformatted(text.data(), text.data() + text.size());
  ImGui::PopTextWrapPos();
  ImGui::EndTooltip();
  ImGui::PopStyleColor();
  ImGui::PopStyleVar(2);
}

}  // namespace

void hover_tip(UiState& ui, const char* label, std::string_view tip) {
  if (ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled) && rested(ui, ImGui::GetID(label))) tooltip(ui, tip);
}

}  // namespace pericenter::app::widgets
