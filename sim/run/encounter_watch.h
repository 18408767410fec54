#pragma once

#include "sim/run/encounter_schedule.h"
#include "sim/run/run_watcher.h"

namespace pericenter {

/// Measures separation and tails when they are due, so that the events of an encounter are exact. Without memory for a
/// copy of all bodies they are measured from a sample.
class EncounterWatch : public RunWatcher {
 public:
  void begin(const RunView&) override { schedule_.reset(); }
  void after_step(const RunView& view) override;

 private:
  void measure(const RunView& view, const TimelinePoint& at);
  void measure_sample(const RunView& view, const TimelinePoint& at);

  EncounterSchedule schedule_;
};

}  // namespace pericenter
