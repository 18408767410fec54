#include <string>

#include "app/format.h"
#include "app/panels/panels.h"
#include "app/panels/widgets.h"

namespace pericenter::app {
namespace {

constexpr ImGuiWindowFlags kPlainFlags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                         ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus |
                                         ImGuiWindowFlags_NoFocusOnAppearing;

/// The newest sentence that the user has not closed: the window's own before the simulation's.
Notice current_notice(const UiFrame& frame, const UiState& ui) {
  const SimulationState& state = frame.simulation;
  if (!ui.notice.text.empty()) return ui.notice;
  if (state.message.empty() || state.message == ui.dismissed) return {};
  return {state.message, state.message_is_error, 0};
}

void dismiss(const UiFrame& frame, UiState& ui) {
  if (ui.notice.text.empty()) ui.dismissed = frame.simulation.message;
  ui.notice = {};
}

bool draw_notice(const UiFrame& frame, UiState& ui) {
  const Notice notice = current_notice(frame, ui);
  if (notice.text.empty()) return false;
  ImGui::PushStyleColor(ImGuiCol_Text, notice.is_error ? palette::kError : palette::kText);
  ImGui::TextUnformatted(notice.text.c_str());
  ImGui::PopStyleColor();
  const ImVec2 low = ImGui::GetItemRectMin();
  ImGui::SameLine();
  if (ImGui::GetCursorScreenPos().x > ImGui::GetIO().DisplaySize.x - 2 * ImGui::GetFontSize()) {
    ImGui::SetCursorScreenPos({ImGui::GetIO().DisplaySize.x - 2.2f * ImGui::GetFontSize(), low.y});
  }
  if (widgets::button(ui, "✕", {0, 0}, "Close this message.")) dismiss(frame, ui);
  return true;
}

}  // namespace

void draw_status_line(const UiFrame& frame, UiState& ui) {
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  const ImGuiStyle& style = ImGui::GetStyle();
  ui.status_height = ImGui::GetFrameHeight() + style.FramePadding.y;
  ImGui::SetNextWindowPos({0, display.y - ui.status_height});
  ImGui::SetNextWindowSize({display.x, ui.status_height});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {style.WindowPadding.x, style.FramePadding.y * 0.5f});
  ImGui::PushStyleColor(ImGuiCol_WindowBg, ImVec4{0.047f, 0.053f, 0.070f, 1});
  ImGui::PushStyleColor(ImGuiCol_Button, ImVec4{0, 0, 0, 0});
  ImGui::Begin("Status", nullptr, kPlainFlags);
  ImGui::AlignTextToFramePadding();
  if (!draw_notice(frame, ui)) {
    ImGui::PushStyleColor(ImGuiCol_Text, palette::kDim);
    const std::string device(frame.device), bridge(frame.bridge);
    ImGui::Text("%s   ·   vertex buffer: %s", device.c_str(), bridge.c_str());
    const char* hint = "?  keys";
    ImGui::SameLine(display.x - ImGui::CalcTextSize(hint).x - style.WindowPadding.x);
    ImGui::TextUnformatted(hint);
    ImGui::PopStyleColor();
  }
  ImGui::End();
  ImGui::PopStyleColor(2);
  ImGui::PopStyleVar();
}

void draw_small_readout(const UiFrame& frame, const Fonts& fonts, UiState& ui) {
  const SimulationState& state = frame.simulation;
  ImGui::SetNextWindowPos({0, 0});
  ImGui::PushStyleColor(ImGuiCol_Button, ImVec4{0, 0, 0, 0});
  ImGui::Begin("Readout", nullptr,
               kPlainFlags | ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_AlwaysAutoResize |
                   (current_notice(frame, ui).text.empty() ? ImGuiWindowFlags_NoInputs : 0));
  ImGui::PushFont(fonts.headline);
  ImGui::TextUnformatted(time_text(state.time, state.units).c_str());
  ImGui::PopFont();
  ImGui::PushStyleColor(ImGuiCol_Text, palette::kDim);
  ImGui::Text("%s bodies", with_thousands(state.bodies).c_str());
  ImGui::PopStyleColor();
  draw_notice(frame, ui);
  ImGui::End();
  ImGui::PopStyleColor();
}

}  // namespace pericenter::app
