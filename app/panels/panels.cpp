#include "app/panels/panels.h"

#include <algorithm>
#include <cmath>

namespace pericenter::app {
namespace {

constexpr float kPanelEms = 23, kMinPanelEms = 20;  // widths in units of the font size; below 20 controls are cut off
constexpr float kMaxPanelShare = 0.5f;              // of the window, so that the picture always has its half

void draw_panel(const UiFrame& frame, const Fonts& fonts, UiState& ui) {
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  const float em = ImGui::GetFontSize(), height = display.y - ui.status_height - ui.notice_height;
  const float most = display.x * kMaxPanelShare, least = std::min(kMinPanelEms * em, most);
  ImGui::SetNextWindowPos({0, 0});
  // What somebody has dragged it to comes back after a smaller window or another text size.
  const bool known = ui.panel_ems > 0;
  const float width = std::round(std::clamp((known ? ui.panel_ems : kPanelEms) * em, least, most));
  ImGui::SetNextWindowSize({width, height}, known ? ImGuiCond_Always : ImGuiCond_FirstUseEver);
  ImGui::SetNextWindowSizeConstraints({least, height}, {most, height});
  constexpr ImGuiWindowFlags kFlags = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoMove |
                                      ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoScrollbar |
                                      ImGuiWindowFlags_NoScrollWithMouse | ImGuiWindowFlags_NoBringToFrontOnFocus;
  ImGui::Begin("Panel", nullptr, kFlags);
  draw_transport(frame, fonts, ui);
  ImGui::BeginChild("sections");
  draw_numbers(frame, ui);
  draw_scene_section(frame, ui);
  draw_encounter_section(frame, ui);
  draw_files_section(frame, ui);
  draw_solver_section(frame, ui);
  if (!frame.simulation.recorded) draw_ladder_section(frame, ui);
  draw_timings_section(ui);
  draw_view_section(frame, ui);
  draw_color_section(frame, ui);
  draw_tree_section(frame, ui);
  draw_camera_section(frame, ui);
  draw_output_section(frame, ui);
  ImGui::EndChild();
  ui.panel_width = ImGui::GetWindowWidth();
  if (std::abs(ui.panel_width - width) > 1)
    ui.panel_ems = ui.panel_width / em;
  else if (!known)
    ui.panel_ems = kPanelEms;
  ImGui::End();
}

}  // namespace

void draw_ui(const UiFrame& frame, const Fonts& fonts, UiState& ui) {
  if (ui.log) *ui.log = {};
  if (ui.show_panel) {
    draw_status_line(frame, ui);
    draw_panel(frame, fonts, ui);
  } else {
    ui.panel_width = ui.status_height = ui.notice_height = 0;
    ui.encounter.open = false;
    draw_hidden_status(frame, ui);
  }
  draw_recording_mark(ui);
  if (ui.show_keys) draw_key_sheet(ui);
  draw_file_dialog(fonts, ui);
}

}  // namespace pericenter::app
