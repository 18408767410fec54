#include "app/panels/panels.h"

namespace pericenter::app {

void draw_playback_panel(const UiFrame& frame, Desk& desk) {
  const SessionState& state = frame.simulation;
  widgets::paragraph(desk,
                     {"playback-info", "Positions are read from snapshots; no forces are computed.",
                      "Accelerations, energies and the tree are not available. Only the time step and the direction "
                      "have an effect."});
  if (widgets::button(desk,
                      {"simulate-from-here", "Simulate from here",
                       "Start a simulation from these bodies, with the solver below and a suitable softening and time "
                       "step. Reset returns to the playback."},
                      {ImGui::GetContentRegionAvail().x, 0}))
    desk.requests.push_back(request::Simulate{});
  if (!state.note.empty())
    widgets::paragraph(desk, {"playback-note", state.note, "Part of the snapshots that is not shown, and why."},
                       palette(desk.view.theme).text);
}

}  // namespace pericenter::app
