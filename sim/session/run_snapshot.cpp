#include "sim/session/run_snapshot.h"

#include <functional>
#include <utility>

namespace pericenter {

Snapshot snapshot_of(const SessionState& state, const Simulation& simulation) {
  return snapshot_of(state, simulation, simulation.bodies());
}

Snapshot snapshot_of(const SessionState& state, const Simulation& simulation, Bodies bodies) {
  return {.bodies = std::move(bodies),
          .ids = {},
          .units = {},
          .time = simulation.time(),
          .softening = state.params.softening,
          .format = {},
          .notes = {},
          .skipped = 0,
          .run = SavedRun{.scene = state.scene,
                          .request = state.scene_request,
                          .config = state.config,
                          .params = state.params,
                          .suggested = state.suggested,
                          .steps = simulation.steps(),
                          .units = state.units,
                          .view_radius = state.view_radius,
                          .angles = state.angles,
                          .highlight_time = state.highlight_time,
                          .scene_string = {}}};
}

PendingCheckpoint pending_checkpoint_of(const SessionState& state, Simulation& simulation) {
  std::function<Bodies()> later = simulation.async_snapshot();
  Bodies now = later ? Bodies() : simulation.bodies();
  return {snapshot_of(state, simulation, std::move(now)), std::move(later)};
}

}  // namespace pericenter
