#include "app/ui/narrator.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/base/format.h"
#include "app/lessons/lesson_words.h"
#include "app/ui/scene_guide.h"
#include "sim/core/printable.h"

namespace pericenter::app {
namespace {

constexpr double kMinShown = 5, kSecondsPerLetter = 0.09;
constexpr double kMaxReplaySteps = 64;   ///< limit from frame to frame; more is a jump
constexpr double kPatienceShare = 0.02;  ///< share of the time of a run after which an event belongs to one run alone

constexpr double kLateShare = 0.1;  ///< share of the time of a run after which a sentence has a date

constexpr double kMomentPeriod = 10, kMinPause = 1;  ///< seconds

}  // namespace

double narration_seconds(const std::string& sentence) {
  return std::max(kMinShown, kSecondsPerLetter * static_cast<double>(sentence.size()));
}

void Narrator::update(const UiFrame& frame, UiState& ui) {
  const std::uint64_t reference = frame.reference ? frame.reference->scene_serial : 0;
  const Shown before =
      std::exchange(shown_, {frame.simulation.scene_serial, reference, frame.simulation.timeline.shown});
  if (!is_current(before, frame, ui)) ui.captions.narration.sentence.clear();
  if (frame.reference) {
    compare(frame, ui);
  } else {
    reference_ = {};
    waiting_.clear();
    for (const EncounterEvent& event : new_events(frame.simulation, only_)) report({event}, "", frame, ui);
  }
  follow_replay(before.position, frame, ui);
}

/// Whether the sentence over the image is still about what is shown: the same runs, not before the last frame, and no
/// caption of the scene says the same.
bool Narrator::is_current(const Shown& before, const UiFrame& frame, const UiState& ui) const {
  const bool same_runs = before.simulation == shown_.simulation && before.reference == shown_.reference;
  const bool has_caption = ui.captions.guide.at_key_moment && guides(ui);
  const Narration& narration = ui.captions.narration;
  return same_runs && shown_.position >= before.position && !has_caption && narration.on &&
         frame.now <= narration.until;
}

/// Those of a record that is there when a scene appears are not new: it was restored. A run that cannot be trusted has
/// none.
std::vector<EncounterEvent> Narrator::new_events(const SessionState& state, Run& run) {
  const bool appears = run.serial != state.scene_serial;
  if (appears) run = {state.scene_serial, {}};
  if (!has_enough_bodies_for_events(state)) return {};
  std::vector<EncounterEvent> found = run.reported.add(state.record->events, state.start_time);
  return appears || state.health.level == HealthLevel::poor ? std::vector<EncounterEvent>() : found;
}

void Narrator::compare(const UiFrame& frame, UiState& ui) {
  for (const bool is_a : {true, false}) {
    const SessionState& now = is_a ? *frame.reference : frame.simulation;
    for (const EncounterEvent& event : new_events(now, is_a ? reference_ : only_)) {
      const auto twin = std::ranges::find_if(waiting_, [&](const Waiting& other) {
        return other.is_a != is_a && is_same_event(other.event, event, now.start_time);
      });
      if (twin != waiting_.end()) {
        report_both({event, is_a, now.time}, *twin, frame, ui);
        waiting_.erase(twin);
      } else if (!(is_a ? only_ : reference_).reported.has(event, now.start_time)) {
        waiting_.push_back({event, is_a, now.time});  // otherwise A and B were exchanged
      }
    }
  }
  std::erase_if(waiting_, [&](const Waiting& one) {
    const SessionState& other = one.is_a ? frame.simulation : *frame.reference;
    const double start = other.start_time;
    if (std::abs(other.time - start) < (1 + kPatienceShare) * std::abs(one.time - start)) return false;
    report(one, one.is_a ? "A: " : "B: ", frame, ui);
    return true;
  });
}

std::string Narrator::sentence(const Waiting& one, const UiFrame& frame, const UiState& ui) const {
  const SessionState& run = one.is_a ? *frame.reference : frame.simulation;
  return lesson_words(event_sentence(one.event, run.record->events, frame.simulation.units, ui.lesson.wording),
                      ui.lesson);
}

/// Once, if both have the same sentence.
void Narrator::report_both(const Waiting& one, const Waiting& two, const UiFrame& frame, UiState& ui) {
  if (sentence(one, frame, ui) == sentence(two, frame, ui)) return report(one, "", frame, ui);
  const Waiting &a = one.is_a ? one : two, &b = one.is_a ? two : one;
  report(a, "A: ", frame, ui);
  report(b, "B: ", frame, ui);
}

void Narrator::report(const Waiting& one, const char* run, const UiFrame& frame, UiState& ui) {
  if (!ui.captions.narration.on && !always_prints_) return;
  const std::string words = run + sentence(one, frame, ui);
  const std::string line = dated_line(one.event, words, frame.simulation.units);
  lines_ << line << std::flush;
  const SessionState& state = one.is_a ? *frame.reference : frame.simulation;
  const double late = std::abs(state.time - one.event.time),
               share = kLateShare * std::abs(state.time - state.start_time);
  show(late > share ? line.substr(0, line.size() - 1) : words, frame.now, ui);
}

void Narrator::follow_replay(double before, const UiFrame& frame, UiState& ui) {
  const SessionState& state = frame.simulation;
  const double now = state.timeline.shown;
  if (!state.running || !(state.timeline.rewound || state.playback)) return;
  const double max = kMaxReplaySteps * (state.playback ? std::abs(state.params.dt) : 1);
  if (!(now > before) || now - before > max) return;
  for (const EncounterEvent& event : state.record->events) {
    if (event.position > before && event.position <= now) show(sentence({.event = event}, frame, ui), frame.now, ui);
  }
}

void Narrator::show(const std::string& sentence, double now, UiState& ui) const {
  if (!ui.captions.narration.on) return;
  ui.captions.narration.sentence = sentence;
  ui.captions.narration.until = now + narration_seconds(sentence);
}

/// A sentence about one thing that has changed since the last call that returned it; empty if nothing has.
std::string Describer::change(const SessionState& state) {
  if (state.message_serial != message_) {
    message_ = state.message_serial;
    if (state.message_is_error) return "Error: " + printable(state.message);
  }
  if (state.config != config_) {
    const std::string what = state.config.solver != config_.solver ? "The solver is now " + state.config.solver
                                                                   : std::string("The solver has other options");
    config_ = state.config;
    return what + ".";
  }
  const Params now = state.params, before = std::exchange(params_, now);
  if (now.theta != before.theta) return text("Theta is now %.3g.", now.theta);
  if (now.softening != before.softening) return text("The softening is now %.3g.", now.softening);
  if (now.dt != before.dt)
    return now.dt < 0 && before.dt > 0 ? "Time runs backwards." : text("The time step is now %.3g.", now.dt);
  if (state.timeline.rewound != rewound_) {
    rewound_ = state.timeline.rewound;
    return rewound_ ? "Showing the recorded moment " + spoken_time(state) + "." : "Showing the newest moment.";
  }
  if (state.running != running_) {
    running_ = state.running;
    return running_ ? "Running." : "Paused at " + spoken_time(state) + ".";
  }
  return {};
}

void Describer::update(const SessionState& state, double now) {
  if (state.busy || state.scene.empty()) return;
  if (serial_ != state.scene_serial) {
    lines_ << scene_sentence(state) << (state.running ? " Running." : " Paused.") << '\n' << std::flush;
    serial_ = state.scene_serial;
    config_ = state.config, params_ = state.params;
    running_ = state.running, rewound_ = state.timeline.rewound;
    message_ = state.message_serial;
    last_line_ = last_moment_ = now;
    described_time_ = shown_time(state);
    return;
  }
  if (now - last_line_ < kMinPause) return;
  std::string line = change(state);
  if (line.empty() && now - last_moment_ >= kMomentPeriod && shown_time(state) != described_time_) {
    line = moment_sentence(state);
    last_moment_ = now;
    described_time_ = shown_time(state);
  }
  if (line.empty()) return;
  last_line_ = now;
  lines_ << line << '\n' << std::flush;
}

}  // namespace pericenter::app
