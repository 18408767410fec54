#include "app/panels/panels.h"

#include <imgui_internal.h>

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <string>
#include <utility>

#include "app/bars/bars.h"
#include "app/overlay/comparison_overlay.h"
#include "app/overlay/presenter_overlay.h"
#include "app/ui/hidden_results.h"
#include "app/widgets/keyboard.h"
#include "sim/core/fault_injection.h"

namespace pericenter::app {

#define NO_PARTS
#define PART(member) decltype(UiState::member)&,
#define PANEL(name, title, open, condition, shows, parts, tip) \
  void draw_##name##_panel(const UiFrame& frame, parts Desk& desk);
#include "app/panels/panel_table.inc"
#undef PANEL
#undef PART

namespace {

bool always(const UiFrame&) {
  return true;
}
bool is_encounter(const UiFrame& frame) {
  return encounter_scene(frame.simulation) != nullptr;
}
bool is_playback(const UiFrame& frame) {
  return frame.simulation.playback.has_value();
}
bool is_simulated(const UiFrame& frame) {
  return !is_playback(frame);
}

constexpr Panel kPanels[] = {
#define PART(member) ui.member,
#define PANEL(name, title, open, condition, shows, parts, tip)                                                 \
  {{#name "-panel", title, tip}, open, condition, Panel::Shows::shows, [](const UiFrame& frame, UiState& ui) { \
     draw_##name##_panel(frame, parts ui);                                                                     \
   }},
#include "app/panels/panel_table.inc"
#undef PANEL
#undef PART
#undef NO_PARTS
};

/// Takes the place of a panel with results.
void draw_hidden_panel(const Panel& panel, UiState& ui) {
  const std::string id = "hidden-" + std::string(panel.heading.id);
  widgets::paragraph(ui, {id, kHiddenResult, "The number of a choice or the next step of the lesson (→) shows it."});
}

/// The handful of controls for a first look.
void draw_simple_panel(const UiFrame& frame, UiState& ui) {
  const auto gap = [] { ImGui::Dummy({0, 0.6f * ImGui::GetFontSize()}); };
  gap();
  if (is_playback(frame)) draw_playback_panel(frame, ui);
  draw_scene_choice(frame, ui.scene, ui);
  if (ui.edited.speed.value() > 0) draw_speed_row(frame, ui);
  gap();
  draw_algorithm_choice(frame, ui);
  gap();
  draw_color_choice(frame, ui);
}

/// Scrolls no farther than needed, and not past `top`.
void scroll_to_show(float top, float end) {
  const float height = ImGui::GetWindowHeight();
  if (end > ImGui::GetScrollY() + height) ImGui::SetScrollY(std::min(top, end - height));
}

void draw_all_panels(const UiFrame& frame, UiState& ui) {
  for (const Panel& panel : kPanels) {
    if (!panel.is_available(frame)) continue;
    const float top = ImGui::GetCursorPosY();
    if (!panel.heading.label.empty() && !widgets::section(ui, panel.heading, panel.open_by_default)) continue;
    const bool was_opened = ImGui::IsItemToggledOpen();
    if (hides_results(ui) && panel.shows == Panel::Shows::results)
      draw_hidden_panel(panel, ui);
    else
      panel.draw(frame, ui);
    if (was_opened) scroll_to_show(top, ImGui::GetCursorPosY());
  }
}

void light_theme_box(Desk& desk) {
  bool light = desk.view.theme == Theme::light;
  if (widgets::checkbox(desk, {"light-theme", "Light theme", "Dark stars on a light background, for bright rooms (L)."},
                        light))
    desk.view.theme = light ? Theme::light : Theme::dark;
}

/// Below the panels: switches between all controls and a few, and to the light theme.
void detail_switch(UiState& ui) {
  bool& simple = ui.layout.side_bar.simple;
  const widgets::Control all = {"detail", "All settings",
                                "Show every panel: time step, accuracy, variants of the algorithm, plots, export. "
                                "The run is not affected."};
  const widgets::Control few = {"detail", "Simple",
                                "Show only scene, bodies, algorithm, accuracy and colour. The run is not affected."};
  const float gap = ImGui::GetStyle().ItemSpacing.x, half = (ImGui::GetContentRegionAvail().x - gap) / 2;
  ImGui::PushStyleColor(ImGuiCol_Text, palette(ui.view.theme).dim);
  const bool clicked = widgets::button(ui, simple ? all : few, {half, 0});
  ImGui::PopStyleColor();
  ImGui::SameLine(0, gap);
  light_theme_box(ui);
  if (!clicked) return;
  simple = !simple;
  ImGui::MarkIniSettingsDirty();
}

/// Above the panels.
void search_field(UiState& ui) {
  std::string& words = ui.widgets.search.words;
  if (std::exchange(ui.widgets.search.wants_focus, false)) ImGui::SetKeyboardFocusHere();
  ImGui::SetNextItemWidth(-FLT_MIN);
  widgets::text_field(ui,
                      {"search-settings", "",
                       "Show only the settings with these words in their name, tooltip or panel, also those of closed "
                       "panels (Ctrl+F). Esc clears the field."},
                      words, "Search settings");
  if (ImGui::IsItemDeactivated() && widgets::pressed(ImGuiKey_Escape)) words.clear();
}

/// A panel whose words have just changed is drawn once, to see what it has.
void draw_found_panels(const UiFrame& frame, UiState& ui) {
  SettingSearch& search = ui.widgets.search;
  const bool changed = search.take_change();
  bool any = false;
  if (changed) ImGui::SetScrollY(0);
  const auto show = [&](const widgets::Control& heading, const auto& draw) {
    const bool found = search.finds(heading.id), designs = ui.encounter.open;
    if (!found && !changed) return;
    if (found && !heading.label.empty()) widgets::heading(std::string(heading.label).c_str());
    search.begin(heading.id, heading.label);
    draw();
    search.end();
    any = any || found;
    if (!found) ui.encounter.open = designs;
  };
  for (const Panel& panel : kPanels)
    if (panel.is_available(frame) && !(hides_results(ui) && panel.shows == Panel::Shows::results))
      show(panel.heading, [&] { panel.draw(frame, ui); });
  show({"side-bar", "Side bar", ""}, [&] { light_theme_box(ui); });
  const std::string nothing = "No setting has “" + search.words + "” in its name, tooltip or panel.";
  if (!any && !changed) widgets::paragraph(ui, {"nothing-found", nothing, "Esc shows all settings."});
}

void draw_panels(const UiFrame& frame, UiState& ui) {
  search_field(ui);
  const bool searches = ui.widgets.search.on();
  const float below = searches ? 0 : ImGui::GetFrameHeightWithSpacing();
  ImGui::BeginChild("panels", {0, -below}, false, ImGuiWindowFlags_NavFlattened);
  if (searches)
    draw_found_panels(frame, ui);
  else if (ui.layout.side_bar.simple)
    draw_simple_panel(frame, ui);
  else
    draw_all_panels(frame, ui);
  ImGui::EndChild();
  if (!searches) detail_switch(ui);
}

void draw_side_bar(const UiFrame& frame, const Fonts& fonts, UiState& ui) {
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  const float em = ImGui::GetFontSize(), height = display.y - ui.layout.status_height - ui.layout.notice_height;
  const float max = display.x * SideBar::kMaxShare, min = std::min(SideBar::kMinEms * em, max);
  ImGui::SetNextWindowPos({0, 0});
  // The user's width is restored after the window was smaller or the text size was different.
  const float width = std::round(std::clamp(ui.layout.side_bar.ems * em, min, max));
  ImGui::SetNextWindowSize({width, height});
  ImGui::SetNextWindowSizeConstraints({min, height}, {max, height});
  constexpr ImGuiWindowFlags kFlags = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoMove |
                                      ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoScrollbar |
                                      ImGuiWindowFlags_NoScrollWithMouse | ImGuiWindowFlags_NoBringToFrontOnFocus |
                                      ImGuiWindowFlags_NoSavedSettings;
  ImGui::Begin("Panel", nullptr, kFlags);
  draw_transport_bar(frame, fonts, ui);
  draw_panels(frame, ui);
  ui.layout.panel_width = ImGui::GetWindowWidth();
  if (std::abs(ui.layout.panel_width - width) > 1) {
    ui.layout.side_bar.ems = ui.layout.panel_width / em;
    ImGui::MarkIniSettingsDirty();
  }
  ImGui::End();
}

}  // namespace

std::span<const Panel> panels() {
  return kPanels;
}

void draw_ui(const UiFrame& frame, const Fonts& fonts, UiState& ui) {
  if (ui.widgets.log) *ui.widgets.log = {};
  ui.encounter.open = false;
  ui.layout.tooltip_font = is_presenting(ui) ? fonts.legend : nullptr;
  begin_keyboard(ui);
  ui.widgets.list_open = false;
  if (ui.layout.show_panel) {
    draw_status_line(frame, ui);
    draw_side_bar(frame, fonts, ui);
    if (should_fail(Fault::gui_assertion)) ImGui::InvisibleButton("###fault", {0, 0});
    draw_timeline_bar(frame, ui);
    draw_health_alert(frame, ui);
  } else {
    ui.layout.panel_width = ui.layout.status_height = ui.layout.notice_height = ui.notices.alert.height = 0;
    draw_timeline_overlay(frame, ui);
    draw_hidden_status(frame, ui);
  }
  draw_divider(ui.comparison, ui.drawer, ui);
  draw_drawer(frame, fonts, ui);
  const float label_size = is_presenting(ui) ? fonts.sizes.legend : ImGui::GetFontSize();
  draw_recording_mark(ui.output, end_of_labels(ui.comparison, label_size), ui);
  draw_lesson_cards(frame, fonts, ui);
  draw_scene_guide(frame, fonts, ui);
  draw_presenter(frame, fonts, ui);
  draw_lesson_list(fonts, ui);
  if (ui.layout.show_keys) draw_shortcuts_window(ui);
  draw_file_dialog(fonts, ui);
  ui.widgets.close_list = false;
  end_keyboard(ui);
}

}  // namespace pericenter::app
