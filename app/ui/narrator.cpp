#include "app/ui/narrator.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace pericenter::app {
namespace {

constexpr double kMinShown = 5, kSecondsPerLetter = 0.09;
constexpr double kMaxReplaySteps = 64;   ///< limit from frame to frame; more is a jump
constexpr double kPatienceShare = 0.02;  ///< share of the time of a run after which an event belongs to one run alone

}  // namespace

double narration_seconds(const std::string& sentence) {
  return std::max(kMinShown, kSecondsPerLetter * static_cast<double>(sentence.size()));
}

void Narrator::update(const UiFrame& frame, UiState& ui) {
  if (!ui.captions.narration.on || frame.now > ui.captions.narration.until) ui.captions.narration.sentence.clear();
  if (frame.reference) {
    compare(frame, ui);
  } else {
    reference_ = {};
    waiting_.clear();
    for (const ReportedEvents::New& found : new_events(frame.simulation, only_)) report(found, "", frame, ui);
  }
  follow_replay(frame, ui);
}

/// Those of a record that is there when a scene appears are not new: it was restored.
std::vector<ReportedEvents::New> Narrator::new_events(const SessionState& state, Run& run) {
  const bool appears = run.serial != state.scene_serial;
  if (appears) run = {state.scene_serial, {}};
  if (!has_enough_bodies_for_events(state)) return {};
  std::vector<ReportedEvents::New> found = run.reported.add(state.record->events, state.start_time);
  return appears ? std::vector<ReportedEvents::New>() : found;
}

void Narrator::compare(const UiFrame& frame, UiState& ui) {
  for (const bool is_a : {true, false}) {
    const SessionState& now = is_a ? *frame.reference : frame.simulation;
    for (const ReportedEvents::New& found : new_events(now, is_a ? reference_ : only_)) {
      const auto twin = std::ranges::find_if(waiting_, [&](const Waiting& other) {
        return other.is_a != is_a && is_same_event(other.found.event, found.event, now.start_time);
      });
      if (twin != waiting_.end()) {
        report_both({found, is_a, now.time}, *twin, frame, ui);
        waiting_.erase(twin);
      } else if (!(is_a ? only_ : reference_).reported.has(found.event, now.start_time)) {
        waiting_.push_back({found, is_a, now.time});  // otherwise A and B were exchanged
      }
    }
  }
  std::erase_if(waiting_, [&](const Waiting& one) {
    const SessionState& other = one.is_a ? frame.simulation : *frame.reference;
    const double start = other.start_time;
    if (std::abs(other.time - start) < (1 + kPatienceShare) * std::abs(one.time - start)) return false;
    report(one.found, one.is_a ? "A: " : "B: ", frame, ui);
    return true;
  });
}

/// Once, if both have the same sentence.
void Narrator::report_both(const Waiting& one, const Waiting& two, const UiFrame& frame, UiState& ui) {
  const auto sentence = [&](const Waiting& which) {
    return event_sentence(which.found.event, which.found.is_first, frame.simulation.units, ui.lesson.wording);
  };
  if (sentence(one) == sentence(two)) return report(one.found, "", frame, ui);
  const Waiting &a = one.is_a ? one : two, &b = one.is_a ? two : one;
  report(a.found, "A: ", frame, ui);
  report(b.found, "B: ", frame, ui);
}

void Narrator::report(const ReportedEvents::New& found, const char* run, const UiFrame& frame, UiState& ui) {
  if (!ui.captions.narration.on && !always_prints_) return;
  const Units& units = frame.simulation.units;
  const std::string sentence = run + event_sentence(found.event, found.is_first, units, ui.lesson.wording);
  lines_ << dated_line(found.event, sentence, units) << std::flush;
  show(sentence, frame.now, ui);
}

void Narrator::follow_replay(const UiFrame& frame, UiState& ui) {
  const SessionState& state = frame.simulation;
  const double now = state.timeline.shown;
  const std::optional<double> before = std::exchange(shown_, now);
  if (!before || !state.running || !(state.timeline.rewound || state.playback)) return;
  const double max = kMaxReplaySteps * (state.playback ? std::abs(state.params.dt) : 1);
  if (!(now > *before) || now - *before > max) return;
  const auto& events = state.record->events;
  for (std::size_t k = 0; k < events.size(); ++k) {
    if (!(events[k].position > *before && events[k].position <= now)) continue;
    const bool is_first = std::none_of(events.begin(), events.begin() + static_cast<std::ptrdiff_t>(k),
                                       [&](const EncounterEvent& other) { return other.kind == events[k].kind; });
    show(event_sentence(events[k], is_first, state.units, ui.lesson.wording), frame.now, ui);
  }
}

void Narrator::show(const std::string& sentence, double now, UiState& ui) const {
  if (!ui.captions.narration.on) return;
  ui.captions.narration.sentence = sentence;
  ui.captions.narration.until = now + narration_seconds(sentence);
}

}  // namespace pericenter::app
