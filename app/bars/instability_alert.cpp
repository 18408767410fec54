#include <optional>
#include <string>

#include "app/bars/bars.h"
#include "app/base/format.h"
#include "sim/core/bodies.h"

namespace pericenter::app {
namespace {

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
  ImGui::BeginDisabled(soft.softening == 0);
  if (widgets::button(ui,
                      {"rollback-double-softening", "Double ε",
                       "Roll back to the last valid checkpoint and double the softening ε. Close encounters are "
                       "softened, so dt need not change, but small structure is lost. Disabled while ε is 0."},
                      {side, 0}))
    roll_back(soft, ui);
  ImGui::EndDisabled();
  ImGui::SameLine(0, gap);
  if (widgets::button(ui,
                      {"rollback-only", "Roll back only",
                       "Roll back to the last valid checkpoint with its dt and ε, for example to try another solver or "
                       "double precision."},
                      {side, 0}))
    roll_back(std::nullopt, ui);
}

}  // namespace

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
