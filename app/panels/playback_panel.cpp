#include "app/panels/panels.h"

namespace pericenter::app {
namespace {

void draw_follow_switch(const TimeRange& range, double time, Desk& desk) {
  bool follows = range.follows;
  if (widgets::checkbox(desk,
                        {"follow-series", "Follow the running simulation",
                         "Looks for new snapshots in the folder once per second. A snapshot is shown when it is "
                         "complete, which takes two seconds. If the simulation is restarted, its new snapshots replace "
                         "those of later times. A fourth snapshot is in memory."},
                        follows))
    desk.requests.push_back(request::Follow{follows});
  if (range.follows)
    widgets::paragraph(desk, {"follow-state",
                              time >= range.last ? "The newest snapshot is shown, and each newer one."
                                                 : "An earlier moment is shown. At the end of the timeline, each new "
                                                   "snapshot is shown.",
                              "What happens when a new snapshot appears."});
}

}  // namespace

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
  if (state.playback->can_follow) draw_follow_switch(*state.playback, state.time, desk);
  if (!state.note.empty())
    widgets::paragraph(desk, {"playback-note", state.note, "Part of the snapshots that is not shown, and why."},
                       palette(desk.view.theme).text);
}

}  // namespace pericenter::app
