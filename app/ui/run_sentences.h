#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/lessons/lesson.h"
#include "sim/analysis/lab_record.h"
#include "sim/core/units.h"
#include "sim/session/session_state.h"

// What the program says about a run: over the image, on standard output, to a screen reader, and in subtitles.
namespace pericenter::app {

/// What meets in an encounter.
struct EncounterNames {
  std::string_view one, all;
};
/// Galaxies; star clusters in scenes without physical units.
EncounterNames encounter_names(const Units& units);

/// A sentence about an event of a run that has these events. In the technical wording the terms follow in brackets.
std::string event_sentence(const EncounterEvent& event, std::span<const EncounterEvent> events, const Units& units,
                           Wording wording);
/// "267 Myr: The galaxies ...", a line of the standard output.
std::string dated_line(const EncounterEvent& event, const std::string& sentence, const Units& units);

/// A sentence about a moment of the run.
struct Caption {
  double time = 0;  ///< simulation time, in scene units
  std::string sentence;
};
/// A sentence about each event, for pupils, after `prefix`.
std::vector<Caption> captions_of(std::span<const EncounterEvent> events, const Units& units,
                                 const std::string& prefix = {});
/// What the scene table says about an encounter that runs as it was designed: at its start, and at its key moment.
std::vector<Caption> scene_captions(const SessionState& state);

/// Name, size and summary of the scene.
std::string scene_sentence(const SessionState& state);
/// "At 45 million years the two galaxies are 45 kiloparsecs apart and approaching."
std::string moment_sentence(const SessionState& state);
/// The time of the moment that is shown, which may be a recorded one.
double shown_time(const SessionState& state);
/// shown_time() with its unit in full: "200 million years", "3 days"; "time 2.5" without physical units.
std::string spoken_time(const SessionState& state);

/// Whether the events are those of galaxies: two or three bodies have orbits, too.
bool has_enough_bodies_for_events(const SessionState& state);

/// Whether two events are the same: of one kind, at the same time up to 2 % of the time since `start_time`. A run that
/// is repeated, continued from an earlier moment or reversed has its events again.
bool is_same_event(const EncounterEvent& a, const EncounterEvent& b, double start_time);

/// The events of a run that have been reported, so that none is reported twice.
class ReportedEvents {
 public:
  /// The events that are new; they count as reported from then on.
  std::vector<EncounterEvent> add(std::span<const EncounterEvent> events, double start_time);
  bool has(const EncounterEvent& event, double start_time) const;

 private:
  std::vector<EncounterEvent> reported_;
};

}  // namespace pericenter::app
