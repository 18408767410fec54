#include <array>
#include <optional>
#include <string>

#include "app/bars/bars.h"
#include "app/base/format.h"
#include "app/ui/hidden_results.h"
#include "app/widgets/health_text.h"
#include "sim/core/bodies.h"

// The line that says why a result cannot be trusted, and offers what to do.
namespace pericenter::app {
namespace {

/// The words of the reason before its first number: numbers, and the advice that depends on them, change while the run
/// gets worse.
std::string words_of(const std::string& reason) {
  return reason.substr(0, reason.find_first_of("0123456789"));
}

/// Whether there is a reason that the user has not dismissed.
bool has_alert(const SessionState& state, UiState& ui) {
  if (state.health.level < HealthLevel::fair || state.health.reason.empty()) {
    ui.notices.alert.dismissed.clear();
    return false;
  }
  return ui.notices.alert.dismissed != words_of(state.health.reason) ||
         ui.notices.alert.scene_serial != state.scene_serial;
}

/// Why there is no way back to the last good moment; empty: there is one.
std::string no_way_back(const SessionState& state) {
  const Timeline& timeline = state.timeline;
  if (!timeline.off_because.empty()) return timeline.off_because;
  const double moment = state.health.last_good;
  if (moment < timeline.first || moment > timeline.last || timeline.first == timeline.last)
    return "The last good moment is no longer in the history. Reset the scene instead.";
  return {};
}

void back_button(const char* label, const UiFrame& frame, UiState& ui) {
  const SessionState& state = frame.simulation;
  const std::string problem = no_way_back(state);
  const double time = state.timeline.time_at(state.health.last_good);
  const std::string tip = "Go back to " + time_text(time, state.units) +
                          ", the last moment at which no value was red, and pause. From there, change the settings "
                          "and continue.";
  if (!widgets::main_button(ui, {"go-back", label, problem.empty() ? tip : problem}, {0, 0}, problem.empty())) return;
  set_running(false, frame, ui);
  set_position(state.health.last_good, frame, ui);
}

void restore_button(const char* label, const UiFrame& frame, UiState& ui) {
  const bool restored = ui.edited.params.value() == frame.simulation.suggested;
  if (widgets::button(ui,
                      {"restore-settings", label,
                       restored ? "The settings are those suggested for this scene."
                                : "Restore the suggested accuracy (θ or error), softening ε and time step dt of this "
                                  "scene. Results so far are kept."},
                      {0, 0}, !restored))
    set_params(frame.simulation.suggested, frame, ui);
}

void dismiss_button(const UiFrame& frame, UiState& ui) {
  if (!widgets::button(ui,
                       {"dismiss-alert", "✕",
                        "Close this line. It reappears if the cause changes. The status line still shows the level."},
                       {0, 0}))
    return;
  ui.notices.alert.dismissed = words_of(frame.simulation.health.reason);
  ui.notices.alert.scene_serial = frame.simulation.scene_serial;
}

/// Arrangement of the line in the width that there is.
struct AlertLayout {
  std::array<const char*, 2> labels = {"Go back to the last good moment", "Restore suggested settings"};
  bool goes_back = true;  ///< otherwise the first button is left out
  float buttons = 0;      ///< pixels of all buttons
  float wrap = 0;         ///< pixels for the reason
  bool one_row = false;   ///< the buttons are beside the reason
  float height = 0;
};

AlertLayout alert_layout(const std::string& reason, float width, bool goes_back) {
  const ImGuiStyle& style = ImGui::GetStyle();
  AlertLayout layout{.goes_back = goes_back};
  const float inner = width - 2 * style.WindowPadding.x, text = ImGui::CalcTextSize(reason.c_str()).x;
  const auto measure = [&] {
    layout.buttons = widgets::button_width(layout.labels[1]) + widgets::button_width("✕") + 2 * style.ItemSpacing.x;
    if (goes_back) layout.buttons += widgets::button_width(layout.labels[0]) + style.ItemSpacing.x;
  };
  measure();
  if (layout.buttons > inner) {
    layout.labels = {"Go back", "Restore settings"};
    measure();
  }
  layout.one_row = text + layout.buttons <= inner;
  layout.wrap = layout.one_row ? text + 1 : inner;
  const float lines = ImGui::CalcTextSize(reason.c_str(), nullptr, false, layout.wrap).y;
  layout.height = ImGui::GetFrameHeight() + 2 * style.FramePadding.y + style.FramePadding.y;
  if (!layout.one_row) layout.height += lines + style.ItemSpacing.y;
  return layout;
}

void draw_alert(const UiFrame& frame, const std::string& reason, const AlertLayout& layout, UiState& ui) {
  const Palette& colors = palette(ui.view.theme);
  const float left = ImGui::GetCursorPosX();
  if (layout.one_row) ImGui::AlignTextToFramePadding();
  widgets::colored_text(reason, colors.text, left + layout.wrap);
  widgets::describe(
      ui, {"health-reason", reason,
           layout.goes_back ? "Why the result cannot be trusted, and what to change. The level stays until Reset or "
                              "until you continue from an earlier moment."
                            : "What will make the result wrong, and what to change."});
  if (layout.one_row) ImGui::SameLine();
  ImGui::SetCursorPosX(ImGui::GetWindowContentRegionMax().x - layout.buttons + ImGui::GetStyle().ItemSpacing.x);
  if (layout.goes_back) {
    back_button(layout.labels[0], frame, ui);
    ImGui::SameLine();
  }
  restore_button(layout.labels[1], frame, ui);
  ImGui::SameLine();
  ImGui::PushStyleColor(ImGuiCol_Button, ImVec4{0, 0, 0, 0});
  dismiss_button(frame, ui);
  ImGui::PopStyleColor();
}

/// Rolls back, with `params` or with those of the checkpoint.
void roll_back(const std::optional<Params>& params, UiState& ui) {
  const RequestQueue::Number request = ui.requests.push_back(request::Rollback{params});
  if (params) ui.edited.params.edit(*params, request);
  ui.edited.running.edit(false, request);
}

void rollback_buttons(const UiFrame& frame, UiState& ui) {
  const SessionState& state = frame.simulation;
  const float width = ImGui::GetContentRegionAvail().x;
  Params half = ui.edited.params.value(), soft = half;
  half.dt /= 2;
  soft.softening *= 2;
  const std::string label = "Roll back to " + time_text(state.rollback_target->time, state.units) + " and halve dt";
  if (widgets::main_button(ui,
                           {"rollback-half-dt", label,
                            "Roll back to the last valid checkpoint and halve dt. This halves the simulated time "
                            "per second and cuts the energy error to a quarter. Press again to go back further."},
                           {width, 1.6f * ImGui::GetFrameHeight()}))
    roll_back(half, ui);
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x, side = (width - gap) / 2;
  if (widgets::button(ui,
                      {"rollback-double-softening", "Double ε",
                       "Roll back to the last valid checkpoint and double the softening ε. Close encounters are "
                       "softened, so dt need not change, but small structure is lost. Disabled while ε is 0."},
                      {side, 0}, soft.softening != 0))
    roll_back(soft, ui);
  ImGui::SameLine(0, gap);
  if (widgets::button(ui,
                      {"rollback-only", "Roll back only",
                       "Roll back to the last valid checkpoint with its dt and ε, for example to try another solver or "
                       "double precision."},
                      {side, 0}))
    roll_back(std::nullopt, ui);
}

}  // namespace

void draw_health_alert(const UiFrame& frame, UiState& ui) {
  const SessionState& state = frame.simulation;
  ui.notices.alert.height = 0;
  if (hides_results(ui) || !has_alert(state, ui)) return;
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  const float below = ui.layout.status_height + ui.layout.notice_height + ui.layout.timeline_height + ui.drawer.height;
  const float width = display.x - ui.layout.panel_width - ui.drawer.width;
  const LevelLook look = look_of(state.health.level, ui.view.theme);
  const std::string reason = std::string(look.shape) + "  " + state.health.reason;
  const AlertLayout layout = alert_layout(reason, width, state.health.level == HealthLevel::poor);
  ui.notices.alert.height = layout.height;
  const ImVec2 low{ui.layout.panel_width, display.y - below - layout.height};
  const Palette& colors = palette(ui.view.theme);
  ImGui::SetNextWindowPos(low);
  ImGui::SetNextWindowSize({width, layout.height});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding,
                      {ImGui::GetStyle().WindowPadding.x, 1.5f * ImGui::GetStyle().FramePadding.y});
  ImGui::PushStyleColor(ImGuiCol_WindowBg, mixed(colors.panel, look.color, 0.16f));
  ImGui::Begin("Alert", nullptr, widgets::kBarFlags);
  ImGui::GetWindowDrawList()->AddRectFilled(low, {low.x + 0.25f * ImGui::GetFontSize(), low.y + layout.height},
                                            ImGui::GetColorU32(look.color));
  draw_alert(frame, reason, layout, ui);
  ImGui::End();
  ImGui::PopStyleColor();
  ImGui::PopStyleVar();
}

void draw_instability_alert(const UiFrame& frame, UiState& ui) {
  const SessionState& state = frame.simulation;
  if (state.diagnostics.non_finite == 0) return;
  std::string message = nonfinite_bodies_message(state.first_nonfinite, state.diagnostics.non_finite);
  message += state.rollback_target ? " Roll back to a valid checkpoint." : " Reduce dt, then reset the scene.";
  ImGui::Spacing();
  widgets::paragraph(ui,
                     {"nonfinite-bodies", message,
                      "A force overflowed, usually in a close encounter that the time step did not resolve. The "
                      "affected bodies exert no force and are not drawn."},
                     palette(ui.view.theme).error);
  if (state.rollback_target) rollback_buttons(frame, ui);
}

}  // namespace pericenter::app
