// Recorded moments of a Session: seek, replay, branches and undo.
#include "sim/session/session.h"

namespace pericenter {

void Session::update_timeline() {
  Timeline& timeline = state_.timeline;
  timeline.is_playback = state_.playback.has_value();
  timeline.shown = timeline.is_playback ? state_.time : static_cast<double>(state_.steps);
  timeline.first = timeline.is_playback ? state_.playback->first : timeline.shown;
  timeline.last = timeline.is_playback ? state_.playback->last : timeline.shown;
}

void Session::apply_to(const request::SetReplaySpeed&) {}

void Session::apply_to(const request::ContinueFromHere&) {}

void Session::apply_to(const request::Undo&) {}

void Session::apply_to(const request::SetHistoryBudget&) {}

}  // namespace pericenter
