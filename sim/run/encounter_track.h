#pragma once

#include <cstddef>
#include <vector>

#include "sim/analysis/encounter_events.h"

namespace pericenter {

/// Separations and tails along a run or a playback, at most 4,096 of each, and the events in them. When it is full,
/// every second sample is dropped, but not those that an event is computed from.
class EncounterTrack {
 public:
  /// Appends a sample. Those at its position or behind it belong to an earlier course of the run and are removed.
  void append(const StructureSample& sample);
  /// Inserts a sample anywhere; it replaces those nearer than `resolution`.
  void insert(const StructureSample& sample, double resolution);
  /// Removes what is after `position`.
  void truncate(double position);

  const std::vector<EncounterEvent>& events() const { return events_; }

 private:
  void thin();

  std::vector<StructureSample> samples_;
  std::vector<EncounterEvent> events_;
};

}  // namespace pericenter
