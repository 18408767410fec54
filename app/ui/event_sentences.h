#pragma once

#include <span>
#include <string>
#include <vector>

#include "app/lessons/lesson.h"
#include "sim/analysis/lab_record.h"
#include "sim/core/units.h"
#include "sim/session/session_state.h"

namespace pericenter::app {

/// Two digits of a length, "16 kpc"; empty if the scene has no physical units.
std::string event_distance_text(double length, const Units& units);
/// "the galaxies pass each other ...": a sentence about an event of a run. `is_first`: of its kind. In the technical
/// wording the terms follow in brackets.
std::string event_sentence(const EncounterEvent& event, bool is_first, const Units& units, Wording wording);
/// "267 Myr: The galaxies ...", a line of the standard output.
std::string dated_line(const EncounterEvent& event, const std::string& sentence, const Units& units);

/// Whether the events are those of galaxies: two or three bodies have orbits, too.
bool has_enough_bodies_for_events(const SessionState& state);

/// Whether two events are the same: of one kind, at the same time up to 2 % of the time since `start_time`. A run that
/// is repeated, continued from an earlier moment or reversed has its events again.
bool is_same_event(const EncounterEvent& a, const EncounterEvent& b, double start_time);

/// The events of a run that have been reported, so that none is reported twice.
class ReportedEvents {
 public:
  /// The events that are new; they count as reported from then on. `is_first` of each: see event_sentence().
  struct New {
    EncounterEvent event;
    bool is_first = true;
  };
  std::vector<New> add(std::span<const EncounterEvent> events, double start_time);
  void clear() { reported_.clear(); }
  bool has(const EncounterEvent& event, double start_time) const;

 private:
  std::vector<EncounterEvent> reported_;
};

}  // namespace pericenter::app
