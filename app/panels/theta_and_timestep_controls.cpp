#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "app/base/format.h"
#include "app/panels/panels.h"
#include "sim/core/timestep_criterion.h"
#include "sim/scenes/suggested_softening.h"
#include "sim/solvers/registry.h"

namespace pericenter::app {
namespace {

/// Unit that a slider shows instead of scene units; without a name if the scene has no physical units.
struct DisplayUnit {
  double size = 1;  ///< 1 in scene units, in this unit
  std::string name = {};

  std::string format() const { return name.empty() ? "%.4g" : "%.4g " + name; }
};

DisplayUnit display_unit_of_length(const Units& units) {
  if (!(units.length_kpc > 0)) return {};
  const LengthUnit unit = length_unit(units.length_kpc);
  return {units.length_kpc / unit.kpc, unit.name};
}

DisplayUnit display_unit_of_time(const Units& units) {
  const TimeUnit unit = time_unit(units);
  return *unit.name ? DisplayUnit{unit.scene_time, unit.name} : DisplayUnit{};
}

void reload_with_softening(const UiFrame& frame, double softening, Desk& desk) {
  SceneRequest request = frame.simulation.scene_request;
  request.softening = softening;
  desk.requests.push_back(request::LoadScene{frame.simulation.scene, std::move(request)});
  remove_notices(NoticeSource::simulation, desk);
}

/// The softening that the scene suggests for its number of bodies. The velocities of the bodies depend on it.
void softening_by_bodies_row(const UiFrame& frame, Desk& desk) {
  const SessionState& state = frame.simulation;
  const SceneInfo* const scene = state.file.empty() ? find_scene(state.scene) : nullptr;
  const double suggested = scene ? suggested_softening(*scene, state.scene_request.bodies) : 0;
  bool on = scene && has_suggested_softening(*scene, state.scene_request);
  const DisplayUnit unit = display_unit_of_length(state.units);
  const std::string length = text("%.3g", suggested * unit.size) + (unit.name.empty() ? "" : " " + unit.name);
  const std::string tip =
      suggested > 0
          ? text(
                "Loads the scene again with a softening that makes force errors small for its number of bodies: that "
                "of the scene up to 20,000 bodies, less for more, here %s. Nuclei are "
                "denser, and time steps may be shorter. It follows the number of bodies.",
                length.c_str())
          : std::string(
                "This scene has no suggested softening for a number of bodies: it has few bodies, no "
                "equilibrium, or comes from a file.");
  ImGui::BeginDisabled(!(suggested > 0));
  const std::string label = suggested > 0 ? "By number: " + length : "By number of bodies";
  if (widgets::indented_checkbox(desk, {"softening-by-bodies", label, tip}, on))
    reload_with_softening(frame, on ? suggested : 0, desk);
  ImGui::EndDisabled();
}

void softening_row(const Units& units, Params& params, Desk& desk) {
  const DisplayUnit unit = display_unit_of_length(units);
  const std::string format = unit.format();
  double shown = params.softening * unit.size;
  if (widgets::slider(
          desk,
          {"softening", "Softening ε",
           "Gravity is weakened within this distance. Larger: smoother, and a longer time step is possible, "
           "but small structure is lost. 0: point masses; close encounters then need a short time step. "
           "Galaxies are set up in equilibrium for the scene's softening; a large change disturbs them."},
          shown, {0, 2 * unit.size, format.c_str(), true}))
    params.softening = shown / unit.size;
}

void timestep_row(const SessionState& state, Params& params, Desk& desk) {
  const DisplayUnit unit = display_unit_of_time(state.units);
  const std::string format = unit.format();
  double low = 1e-5, high = 1;
  const char* tip =
      "Length dt of a simulation step. Halving dt halves the simulated time per second and cuts the energy "
      "error to a quarter (second order).";
  if (state.playback) {
    const double span = state.playback->last - state.playback->first;
    low = 1e-4 * span, high = 0.25 * span;
    tip =
        "Playback time per step. Longer: faster playback, and more snapshots are read per second. The motion is "
        "unchanged.";
  }
  double shown = std::abs(params.dt) * unit.size;
  if (widgets::slider(desk, {"timestep", "Time step", tip}, shown,
                      {low * unit.size, high * unit.size, format.c_str(), true}))
    params.dt = std::copysign(shown / unit.size, params.dt);
}

/// Label and reason of the warning.
std::pair<std::string, std::string> timestep_problem(const Params& params, const Diagnostics& diagnostics) {
  if (params.softening > 0) {
    const double fall = fall_per_step(params, diagnostics);
    return {text("Strongest pull: %.2g ε per step", fall),
            text("The strongest acceleration moves a body from rest by %.2g softening lengths per step, so the densest "
                 "places are not resolved and the energy drifts.",
                 fall)};
  }
  const double steps = diagnostics.shortest_orbit / std::abs(longest_part(params, diagnostics));
  return {text("Shortest orbit takes %.2g steps", steps),
          text("Without softening, the body on the shortest orbit completes it in %.2g steps. Fewer than %.0f do not "
               "resolve it, and the energy drifts.",
               steps, kMinStepsPerOrbit)};
}

/// Shown if the step should be shorter: never about the suggested one.
void timestep_warning(const SessionState& state, Desk& desk) {
  const Params& params = desk.edited.params.value();
  if (state.playback || has_internal_steps(state.config) ||
      !needs_shorter_step(params, state.suggested, state.diagnostics))
    return;
  const DisplayUnit unit = display_unit_of_time(state.units);
  const double max_dt = max_safe_dt(params, state.diagnostics) * unit.size;
  const auto [label, reason] = timestep_problem(params, state.diagnostics);
  const std::string tip =
      reason + text(" Reduce the time step below %.3g%s%s, or increase the softening. The simulation continues.",
                    max_dt, unit.name.empty() ? "" : " ", unit.name.c_str());
  widgets::paragraph(desk, {"long-step", label, tip}, palette(desk.view.theme).caution);
}

/// Into how many parts the last step was divided: " (now 4 × dt/4)"; empty if it was not.
std::string parts_text(const SessionState& state) {
  return state.step_parts > 1 ? text(" (now %d × dt/%d)", state.step_parts, state.step_parts) : std::string();
}

void adaptive_row(const SessionState& state, Params& params, Desk& desk) {
  bool on = params.adaptive_steps > 0;
  const std::string tip = text(
      "Divides a step of dt into 2, 4 ... %d equal parts while the strongest acceleration needs it, such as when "
      "bodies collapse or masses pass each other. Each part costs as much as a step; other steps cost nothing "
      "more. "
      "The timeline marks divided steps. The number of parts is the same in both directions of time, so that a run "
      "can still retrace its path.",
      kMaxStepParts);
  ImGui::BeginDisabled(state.playback.has_value());
  widgets::indent();
  if (widgets::checkbox(desk, {"adaptive-steps", "Adaptive steps" + parts_text(state), tip}, on)) {
    const double suggested = state.suggested.adaptive_steps;
    params.adaptive_steps = !on ? 0 : suggested > 0 ? suggested : kMaxFallPerStep;
  }
  ImGui::EndDisabled();
}

void direction_row(const Params& suggested, Params& params, Desk& desk) {
  bool backwards = params.dt < 0;
  widgets::indent();
  if (widgets::checkbox(desk,
                        {"backwards", "Backwards",
                         "Run time in reverse. The leapfrog is time-reversible: in double precision a collision "
                         "retraces its path almost exactly; in single precision, rounding errors grow."},
                        backwards))
    params.dt = -params.dt;
  ImGui::SameLine();
  const float needed = widgets::button_width("Suggested");
  if (ImGui::GetContentRegionAvail().x < needed) {
    ImGui::NewLine();
    widgets::indent();
  }
  if (widgets::button(desk,
                      {"suggested-parameters", "Suggested",
                       "Restore the suggested accuracy (θ or error), softening ε and time step dt of this scene."},
                      {ImGui::GetContentRegionAvail().x, 0}, params != suggested))
    params = suggested;
}

std::string run_backwards_tip(const SessionState& state, double steps) {
  if (state.playback) return "A playback is not computed. Drag the timeline back instead.";
  if (state.returning && state.running) return "The run pauses at its start. Pause stops it on the way.";
  if (steps == 0) return "This is the start of the run.";
  return text(
      "Reverse the time step, run the %s steps back to the start, pause, and compare the bodies with their first "
      "positions. In double precision they return; in single precision, rounding errors grow. Takes about as long as "
      "the run so far.",
      whole_number_text(steps).c_str());
}

/// Retraces the run. Pause stops it on the way.
void run_backwards_row(const SessionState& state, Desk& desk) {
  const double dt = std::abs(state.params.dt), way = std::abs(state.time - state.start_time);
  const double steps = dt > 0 ? std::max(std::ceil(way / dt - 1e-6), 0.0) : 0;
  const bool running_back = state.returning && state.running;
  const std::string label =
      running_back ? whole_number_text(steps) + " steps to the start" : std::string("Run backwards to the start");
  const std::string tip = run_backwards_tip(state, steps);
  const bool can_run = !state.playback && !running_back && steps != 0;
  if (widgets::button(desk, {"run-backwards", label, tip}, {ImGui::GetContentRegionAvail().x, 0}, can_run))
    desk.requests.push_back(request::RunBackwards{});
}

/// The criterion by which a cell is replaced by its multipole expansion: θ or an error.
void opening_row(const Config& config, Params& params, Desk& desk) {
  if (!opens_by_error(config)) {
    widgets::slider(
        desk,
        {"theta", "Opening angle θ",
         "A cell of size s at distance d is replaced by its multipole expansion if s/d < θ. Larger: faster, and "
         "the error grows about as θ³ to θ⁴. 0 opens every cell, as in a direct sum. Direct solvers ignore it."},
        params.theta, {0, 1.5, "%.2f"});
    return;
  }
  double percent = 100 * params.accuracy;
  if (widgets::slider(
          desk,
          {"accuracy", "Force error",
           "Target for the mean relative force error, met within a factor of two: a cell is replaced by its multipole "
           "expansion if its error is smaller. A tenth of the error takes two to three times as long; 0.1 % is "
           "sufficient for a galaxy. Above about 0.5 % little changes, because touching cells are always opened."},
          percent, {100 * kMinAccuracy, 100 * kMaxAccuracy, "%.4g %%", true}))
    params.accuracy = std::clamp(percent / 100, kMinAccuracy, kMaxAccuracy);
}

}  // namespace

void draw_opening_row(const UiFrame& frame, Desk& desk) {
  const SolverInfo* solver = find_solver(desk.edited.config.value().solver);
  Params params = desk.edited.params.value();
  ImGui::BeginDisabled(frame.simulation.playback || (solver && !solver->has_tree()));
  opening_row(desk.edited.config.value(), params, desk);
  ImGui::EndDisabled();
  if (params != desk.edited.params.value()) set_params(params, frame, desk);
}

void draw_theta_and_timestep_controls(const UiFrame& frame, Desk& desk) {
  draw_opening_row(frame, desk);
  const SessionState& state = frame.simulation;
  Params params = desk.edited.params.value();
  const bool recorded = state.playback.has_value();
  ImGui::BeginDisabled(recorded);
  softening_row(state.units, params, desk);
  softening_by_bodies_row(frame, desk);
  ImGui::EndDisabled();
  timestep_row(state, params, desk);
  timestep_warning(state, desk);
  adaptive_row(state, params, desk);
  direction_row(state.suggested, params, desk);
  run_backwards_row(state, desk);
  if (params != desk.edited.params.value()) set_params(params, frame, desk);
}

}  // namespace pericenter::app
