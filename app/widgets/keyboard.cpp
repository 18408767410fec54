#include "app/widgets/keyboard.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "app/ui/imgui_versions.h"
#include "app/ui/ui_style.h"
#include "app/widgets/widgets.h"

namespace pericenter::app {
namespace {

/// The control after or before the one with the focus; at first one of the panel.
unsigned next_control(const KeyboardFocus& keyboard, bool back) {
  const auto& stops = keyboard.stops;
  if (stops.empty()) return 0;
  const auto now = std::ranges::find(stops, ImGui::GetCurrentContext()->NavId, &KeyboardFocus::Stop::id);
  if (!keyboard.on || now == stops.end()) {
    const auto first = std::ranges::find(stops, true, &KeyboardFocus::Stop::in_panel);
    return first == stops.end() ? stops.front().id : first->id;
  }
  const auto at = static_cast<std::size_t>(now - stops.begin());
  return stops[(at + (back ? stops.size() - 1 : 1)) % stops.size()].id;
}

void focus_last_item() {
  ImGuiContext& g = *ImGui::GetCurrentContext();
  ImGui::ClearActiveID();
  if (g.NavWindow != g.CurrentWindow) ImGui::FocusWindow(g.CurrentWindow);
  ImGui::SetFocusID(g.LastItemData.ID, g.CurrentWindow);
  imgui::highlight_focus(g);
  if (!ImGui::IsItemVisible()) ImGui::SetScrollHereY();
}

void draw_ring(const ImGuiWindow& window, Theme theme) {
  const float gap = 2, width = 2;
  const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
  const ImRect clip = window.OuterRectClipped;
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  draw.PushClipRect(clip.Min, clip.Max);
  const ImVec2 from{std::max(low.x - gap, clip.Min.x + 1), std::max(low.y - gap, clip.Min.y + 1)};
  const ImVec2 to{std::min(high.x + gap, clip.Max.x - 1), std::min(high.y + gap, clip.Max.y - 1)};
  draw.AddRect(from, to, ImGui::ColorConvertFloat4ToU32(palette(theme).accent), 3, 0, width);
  draw.PopClipRect();
}

}  // namespace

void begin_keyboard(Desk& desk) {
  KeyboardFocus& keyboard = desk.widgets.keyboard;
  ImGuiIO& io = ImGui::GetIO();
  const ImGuiContext& g = *ImGui::GetCurrentContext();
  keyboard.stops = std::exchange(keyboard.visited, {});
  keyboard.target = 0;
  if (std::exchange(keyboard.leaves, false) || (keyboard.on && io.MouseClicked[0] && !io.WantCaptureMouse)) {
    keyboard.on = false;
    ImGui::SetWindowFocus(nullptr);
  }
  if (imgui::tab_pressed(keyboard.tab_key) && !io.KeyCtrl && !io.KeyAlt) {
    keyboard.target = next_control(keyboard, io.KeyShift);
    keyboard.on = keyboard.target != 0;  // keys stay with the simulation if there are no controls
  }
  // Before ImGui 1.89.4, Enter only begins to type a value. Later versions have activated the item already.
  const bool is_idle = g.ActiveId == 0 && g.NavId != 0 && g.NavActivateId != g.NavId;
  const bool on = keyboard.on || desk.widgets.list_open;  // also in a list that the mouse has opened
  if (on && widgets::enter_pressed() && is_idle) imgui::activate(g.NavId);
  if (on)
    io.ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
  else
    io.ConfigFlags &= ~ImGuiConfigFlags_NavEnableKeyboard;
}

void end_keyboard(Desk& desk) {
  desk.widgets.keyboard.edited_before =
      std::exchange(desk.widgets.keyboard.edits, ImGui::IsAnyItemActive() || desk.widgets.list_open);
}

void visit_control(Desk& desk) {
  const ImGuiContext& g = *ImGui::GetCurrentContext();
  const ImGuiID id = g.LastItemData.ID;
  if (id == 0 || imgui::is_disabled(g.LastItemData)) return;
  const ImGuiWindow* dialog = ImGui::GetTopMostPopupModal();
  if (dialog && g.CurrentWindow->RootWindow != dialog->RootWindow) return;
  const bool in_panel = std::string_view(g.CurrentWindow->RootWindow->Name) == "Panel";
  desk.widgets.keyboard.visited.push_back({id, in_panel});
  if (id == desk.widgets.keyboard.target) focus_last_item();
  const bool moves_in_list = desk.widgets.list_open && imgui::shows_focus(g);
  if ((desk.widgets.keyboard.on || moves_in_list) && g.NavId == id) draw_ring(*g.CurrentWindow, desk.view.theme);
}

int arrow_steps(const Desk& desk) {
  if (!desk.widgets.keyboard.on || !ImGui::IsItemFocused() || ImGui::IsAnyItemActive()) return 0;
  const int way = static_cast<int>(widgets::pressed(ImGuiKey_RightArrow, true)) -
                  static_cast<int>(widgets::pressed(ImGuiKey_LeftArrow, true));
  if (way != 0) ImGui::NavMoveRequestCancel();
  return way;
}

bool is_dragged() {
  return ImGui::IsItemActive() && ImGui::IsMouseDown(ImGuiMouseButton_Left);
}

}  // namespace pericenter::app
