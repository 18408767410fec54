#include "app/base/format.h"
#include "app/panels/panels.h"
#include "app/panels/widgets.h"

#include <cmath>

namespace pericenter::app {
namespace {

using widgets::readout;

void headline(const UiFrame& frame, const Fonts& fonts, const UiState& ui) {
  const SessionState& state = frame.simulation;
  const std::string bodies = with_thousands(state.bodies) + " bodies";
  const std::string rate = text("%.0f pictures/s", frame.frames_per_second);
  ImGui::PushFont(fonts.headline);
  ImGui::TextUnformatted(time_text(state.time, state.units).c_str());
  const float top = ImGui::GetItemRectMin().y;
  ImGui::PopFont();

  const ImVec2 size = ImGui::CalcTextSize(bodies.c_str()), rate_size = ImGui::CalcTextSize(rate.c_str());
  const float right = ImGui::GetWindowPos().x + ImGui::GetWindowContentRegionMax().x;
  ImDrawList* draw = ImGui::GetWindowDrawList();
  draw->AddText({right - size.x, top - size.y * 0.1f}, ImGui::GetColorU32(palette(ui.view.theme).text), bodies.c_str());
  draw->AddText({right - rate_size.x, top + size.y * 0.95f}, ImGui::GetColorU32(palette(ui.view.theme).dim),
                rate.c_str());
  ImGui::Dummy({0, size.y * 0.2f});  // the two lines on the right are higher than the one on the left
}

/// How far what the simulation is busy with is, in place of buttons that would have to wait for it. Cancel is not where
/// Reset was, as its second click would cancel what the first one asked for.
void progress(const SessionState& state, const ImVec2& size, UiState& ui) {
  if (widgets::button(ui, "Cancel", size, "Stop this; what ran before goes on."))
    ui.commands.push_back({Action::cancel});
  ImGui::SameLine(0, ImGui::GetStyle().ItemInnerSpacing.x);
  ImGui::ProgressBar(static_cast<float>(state.progress), size, "");
  const double percent = 100 * state.progress;
  const char* what = state.computing_forces ? "forces" : state.recorded ? "reading" : "bodies";
  const std::string words = text(percent < 10 ? "%s %.1f %%" : "%s %.0f %%", what, percent);
  const ImVec2 low = ImGui::GetItemRectMin(), wide = ImGui::CalcTextSize(words.c_str());
  ImGui::GetWindowDrawList()->AddText({low.x + (size.x - wide.x) / 2, low.y + (size.y - wide.y) / 2},
                                      ImGui::GetColorU32(ImGuiCol_Text), words.c_str());
  widgets::note(ui, "Progress",
                state.computing_forces
                    ? "Before the new bodies are seen, all forces on them are computed once. Direct sums of "
                      "a million bodies take minutes without a GPU, a tree takes a second."
                : state.recorded ? "The next moments of the recording are read."
                                 : "The new bodies are made or read. What ran before waits meanwhile.");
}

void buttons(const SessionState& state, UiState& ui) {
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x, em = ImGui::GetFontSize();
  const float width = ImGui::GetContentRegionAvail().x, height = 2 * em;
  const float small = std::floor((width - 2 * gap) * 0.28f), large = width - 2 * (small + gap);
  const char* label = ui.running.value() ? "▮▮  Pause###Play" : "▶  Play###Play";
  if (widgets::main_button(ui, label, {large, height},
                           "Start or stop time (Space). The picture can be turned and zoomed either way."))
    ui.commands.push_back({Action::toggle_play});
  ImGui::SameLine(0, gap);
  if (state.busy) return progress(state, {small, height}, ui);
  if (widgets::button(ui, "Step", {small, height},
                      "Advance by one step and stop ( . ). Good for watching the timings and the tree change."))
    ui.commands.push_back({Action::single_step});
  ImGui::SameLine(0, gap);
  if (widgets::button(ui, "Reset", {small, height},
                      state.recorded ? "Go back to the first snapshot (R)."
                                     : "Start this scene again from the same bodies (R): same seed, same number."))
    ui.commands.push_back({Action::reset});
}

void pace(const UiFrame& frame, UiState& ui) {
  const SessionState& state = frame.simulation;
  int steps = ui.steps_per_frame.value();
  if (widgets::slider(
          ui, "Steps/picture", steps, {1, 64, "%d", true},
          "How many steps are taken between two pictures ( [ and ] ). More: the story passes faster, the motion is "
          "less smooth, the accuracy stays the same."))
    set_steps_per_frame(steps, frame, ui);
  const bool beyond = state.recorded && state.highlight_time > state.recorded->last;  // of the recording's end
  if (state.highlight_time > 0 && !beyond) {
    const std::string label =
        text("Pause at %s###Pause at", round_time_text(state.highlight_time, state.units).c_str());
    widgets::indent();
    widgets::checkbox(ui, label.c_str(), ui.view.pause_at_highlight,
                      "Stop by itself at the moment that this scene is known for. Neither speed nor accuracy changes.");
  }
}

void numbers(const UiFrame& frame, UiState& ui) {
  const SessionState& state = frame.simulation;
  const Diagnostics& diagnostics = state.diagnostics;
  readout(
      ui, "Bodies/s", state.recorded ? "–" : short_number(state.bodies_per_second),
      "Bodies advanced by one step, per second of computing: number of bodies × steps a second. The figure to compare "
      "algorithms by.");
  widgets::right_half();
  readout(ui, "Steps/s", text("%.3g", state.steps_per_second),
          "Steps a second while running, waiting for the picture included.");
  readout(
      ui, "ΔE/E", signed_error(state.energy_error),
      "Energy error (E − E₀)/|E₀| since the scene began or the softening changed; where |E₀| is nearly zero, as on a "
      "parabola, a tenth of the kinetic energy then stands for it. It grows with the time step and with θ; below "
      "1e-3 the motion can be trusted.");
  widgets::right_half();
  const double virial = diagnostics.virial_ratio();
  readout(ui, "2K/|W|", std::isnan(virial) ? "–" : text("%.3f", virial),
          "Virial ratio: twice the kinetic over the potential energy: 1 when the system is in equilibrium, more when "
          "it flies apart "
          "or has just "
          "fallen together.");
}

}  // namespace

void draw_transport(const UiFrame& frame, const Fonts& fonts, UiState& ui) {
  headline(frame, fonts, ui);
  draw_timeline(frame, ui);
  buttons(frame.simulation, ui);
  draw_instability_panel(frame, ui);
}

void draw_numbers(const UiFrame& frame, UiState& ui) {
  pace(frame, ui);
  numbers(frame, ui);
}

}  // namespace pericenter::app
