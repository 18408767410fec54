#include "app/ui/ui_state.h"

namespace pericenter::app {
namespace {

/// Shows a new message of the simulation, and removes the one that it replaces or that was cleared.
void show_message(const SessionState& state, UiState& ui) {
  const std::uint64_t serial = state.message.empty() ? 0 : state.message_serial;
  if (serial == ui.notices.shown_message) return;
  ui.notices.shown_message = serial;
  remove_notices(NoticeSource::simulation, ui);
  if (serial != 0)
    add_notice({state.message, state.message_is_error, kUntilDismissed, {}, NoticeSource::simulation}, ui);
}

/// With a gap between the two limits, so that the note does not flicker.
bool is_too_slow(const UiFrame& frame, bool before) {
  constexpr double kSlow = 0.9, kFastEnough = 0.97;
  const SessionState& state = frame.simulation;
  return state.speed > 0 && state.running && frame.speed_reached < (before ? kFastEnough : kSlow);
}

}  // namespace

void update(const UiFrame& frame, UiState& ui) {
  const SessionState& state = frame.simulation;
  ui.requests.acknowledge(state.handled_request);
  ui.edited.running.update(state.running, ui.requests);
  ui.edited.steps_per_frame.update(state.steps_per_frame, ui.requests);
  ui.edited.speed.update(state.speed, ui.requests);
  ui.edited.params.update(state.params, ui.requests);
  ui.edited.config.update(state.config, ui.requests);
  ui.timeline.position.update(state.timeline.shown, ui.requests);
  ui.timeline.replay_speed.update(state.timeline.speed, ui.requests);
  ui.cost.ablation.update(state);
  update(state, ui.encounter);
  ui.notices.too_slow = is_too_slow(frame, ui.notices.too_slow);
  if (!ui.notices.shown.is_error && frame.now > ui.notices.shown.until) dismiss_notice(ui);
  show_message(state, ui);
  update_guide(frame, ui);
  track_stars(ui);
}

}  // namespace pericenter::app
