#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "app/base/format.h"
#include "app/panels/panels.h"
#include "app/widgets/health_text.h"

namespace pericenter::app {
namespace {

using widgets::readout;

void steps_row(const UiFrame& frame, Desk& desk) {
  int steps = desk.edited.steps_per_frame.value();
  if (widgets::slider(desk,
                      {"steps-per-frame", "Steps per frame",
                       "Simulation steps per rendered frame ( [ and ] ). Higher is faster but less smooth; accuracy "
                       "is unchanged."},
                      steps, {1, 64, "%d", true}))
    set_steps_per_frame(steps, frame, desk);
}

/// Speed of the story, or steps per frame.
void pace_rows(const UiFrame& frame, Desk& desk) {
  enum class PaceUnit { time, steps };
  const std::string unit = pace_unit(frame.simulation.units);
  const std::array<EnumName, 2> names = {
      {{"time", unit.c_str(), "The run is equally fast on every machine."},
       {"steps", "steps per frame", "For measurements: the speed depends on the machine and the number of bodies."}}};
  const double speed = desk.edited.speed.value();
  PaceUnit now = speed > 0 ? PaceUnit::time : PaceUnit::steps;
  if (widgets::enum_combo(desk, {"pace-unit", "Speed in", "What the speed of the run is measured in."}, now, names))
    now == PaceUnit::time ? set_speed(0, frame, desk)
                          : set_steps_per_frame(desk.edited.steps_per_frame.value(), frame, desk);
  now == PaceUnit::time ? draw_speed_row(frame, desk) : steps_row(frame, desk);
}

void pause_row(const UiFrame& frame, Desk& desk) {
  const SessionState& state = frame.simulation;
  const bool after_end = state.playback && state.highlight_time > state.playback->last;
  if (state.highlight_time <= 0 || after_end) return;
  const std::string label = "Pause at " + round_time_text(state.highlight_time, state.units);
  if (!widgets::indented_checkbox(
          desk,
          {"pause-at-highlight", label,
           "Pause once, at the most interesting time of this scene, and say what is seen there. Then this is off until "
           "the next scene or Reset. Switched off by hand, it stays off."},
          desk.view.pause_at_highlight))
    return;
  desk.layout.side_bar.pauses_at_key_moments = desk.view.pause_at_highlight;
  ImGui::MarkIniSettingsDirty();
}

std::string signed_number(double value) {
  if (std::isnan(value)) return "–";
  const std::string number = number_text(std::abs(value));
  return number == "0" ? number : (value < 0 ? "−" : "+") + number;
}

/// As in the health strip, with the sign of the error, and the shape of the level unless it is good.
void energy_readout(const SessionState& state, Desk& desk) {
  const HealthItem item = energy_item(state.health);
  const LevelLook look = look_of(item.level, desk.view.theme);
  const bool has_level = item.level != HealthLevel::unknown && state.scene_serial != 0;
  std::string value = state.scene_serial == 0 ? "–" : signed_number(state.energy_error);
  if (has_level && item.level != HealthLevel::good) value += std::string(" ") + look.shape;
  ImGui::PushStyleColor(ImGuiCol_Text, has_level ? look.color : palette(desk.view.theme).text);
  readout(desk, {"energy-error", "ΔE/E", item.tip}, value);
  ImGui::PopStyleColor();
}

}  // namespace

void draw_speed_row(const UiFrame& frame, Desk& desk) {
  constexpr double kFactor = 32;
  const Units& units = frame.simulation.units;
  const double own = displayed_speed(default_speed(frame.simulation), units);
  double shown = displayed_speed(desk.edited.speed.value(), units);
  const std::string format = "%.3g " + pace_unit(units);
  if (widgets::slider(
          desk,
          {"pace", "Speed",
           "Simulated time per second of your time ( [ and ] ), on every machine. It changes nothing in the "
           "result. The speed of the scene, " +
               pace_text(default_speed(frame.simulation), units) + ", shows its key moment after 25 s."},
          shown, {own / kFactor, own * kFactor, format.c_str(), true}))
    set_speed(std::clamp(shown, kMinPace, kMaxPace) / time_unit(units).scene_time, frame, desk);
}

void draw_readouts_panel(const UiFrame& frame, Desk& desk) {
  const SessionState& state = frame.simulation;
  pace_rows(frame, desk);
  pause_row(frame, desk);
  readout(desk,
          {"bodies-per-second", "Bodies/s",
           "Number of bodies × steps per second of computing time. Use it to compare algorithms."},
          state.playback || state.scene_serial == 0 ? "–" : short_number(state.bodies_per_second));
  widgets::right_half();
  readout(desk, {"steps-per-second", "Steps/s", "Steps per second while running, including the time for rendering."},
          state.scene_serial == 0 ? "–" : text("%.3g", state.steps_per_second));
  energy_readout(state, desk);
  widgets::right_half();
  const double virial = state.diagnostics.virial_ratio();
  const bool is_measured = state.scene_serial != 0 && state.diagnostics.mass > 0;  // false before the first forces
  readout(desk,
          {"virial-ratio", "2K/|Σr·F|",
           "Virial ratio: twice the kinetic energy over the magnitude of the sum of position times force. It is 1 in "
           "equilibrium. Below 1 the system tends to contract, above 1 to expand. Without softening the sum is the "
           "potential energy."},
          std::isnan(virial) || !is_measured ? "–" : text("%.3f", virial));
}

}  // namespace pericenter::app
