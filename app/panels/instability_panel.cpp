#include <optional>
#include <string>

#include "app/base/format.h"
#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "sim/core/nonfinite_bodies.h"
#include "sim/core/timestep_criterion.h"

namespace pericenter::app {
namespace {

/// With `params`, or with those that the state had.
void go_back(const std::optional<Params>& params, const UiFrame& frame, UiState& ui) {
  if (params) ui.params.edit(*params, frame.simulation, frame.now);
  ui.running.edit(false, frame.simulation, frame.now);
  ui.requests.push_back(request::GoBack{params});
}

void remedies(const UiFrame& frame, UiState& ui) {
  const SessionState& state = frame.simulation;
  const float width = ImGui::GetContentRegionAvail().x;
  Params half = ui.params.value(), soft = half;
  half.dt /= 2;
  soft.softening *= 2;
  const std::string first = text("Back to %s with half the step###Back with half the step",
                                 time_text(state.rollback_target->time, state.units).c_str());
  if (widgets::main_button(ui, first.c_str(), {width, 1.6f * ImGui::GetFrameHeight()},
                           "Go back to the last moment at which all bodies were sound, and on with half the time step: "
                           "half the speed of the story, a quarter of the error. Pressed again, it goes back further."))
    go_back(half, frame, ui);
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x, side = (width - gap) / 2;
  ImGui::BeginDisabled(soft.softening == 0);
  if (widgets::button(ui, "Twice the softening", {side, 0},
                      "Go back to the same moment, and on with twice ε: encounters are gentler, the step may stay, and "
                      "small structure is lost. Where ε is 0 there is nothing to double."))
    go_back(soft, frame, ui);
  ImGui::EndDisabled();
  ImGui::SameLine(0, gap);
  if (widgets::button(ui, "Back as it was", {side, 0},
                      "Go back to the same moment with the time step and the softening that it had, for example to "
                      "try another solver or double precision."))
    go_back(std::nullopt, frame, ui);
}

}  // namespace

void draw_instability_panel(const UiFrame& frame, UiState& ui) {
  const SessionState& state = frame.simulation;
  if (state.diagnostics.non_finite == 0) return;
  std::string words = nonfinite_bodies_message(state.lost_body, state.diagnostics.non_finite);
  words += state.rollback_target ? " Most likely it came too close to another for this step."
                                 : " Take a shorter step, then reset.";
  ImGui::Spacing();
  widgets::paragraph(
      ui, "Not finite", words, palette(ui.view.theme).error,
      "A force grew beyond all numbers, mostly in a close encounter that the time step was too long for. "
      "Such bodies attract nobody and are not drawn.");
  if (state.rollback_target) remedies(frame, ui);
}

void draw_step_caution(const SessionState& state, UiState& ui) {
  const Params& params = ui.params.value();
  if (state.recorded || !exceeds_timestep_criterion(params, state.diagnostics)) return;
  const double reach = softenings_per_step(params, state.diagnostics);
  const std::string tip = text(
      "The fastest body crosses %.2g softening lengths in a step, so that it passes close neighbours unseen and the "
      "energy drifts. With a time step below %.2g it stays under half of one; more softening helps as well. Nothing is "
      "paused.",
      reach, max_safe_dt(params, state.diagnostics));
  const bool bolder = exceeds_suggested(params, state.suggested);
  widgets::row(ui, "Fastest body", tip);
  widgets::paragraph(ui, "Fastest body", text("%.2g ε a step", reach),
                     bolder ? palette(ui.view.theme).caution : palette(ui.view.theme).text, tip);
}

}  // namespace pericenter::app
