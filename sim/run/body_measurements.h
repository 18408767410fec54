#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "sim/analysis/reversibility_error.h"
#include "sim/analysis/structure.h"
#include "sim/files/snapshot.h"
#include "sim/run/measurement_budget.h"
#include "sim/run/pending.h"
#include "sim/run/timeline.h"

namespace pericenter {

/// What a run measures of all its bodies, now or on another thread. A copy continues without measurements in progress.
class BodyMeasurements {
 public:
  struct Found {
    StructureSample structure;
    double start_distance = kNotMeasured;
  };
  /// Where the bodies are on the timeline, and how many of their coordinates count.
  struct Moment {
    TimelinePoint at;
    int dimension = 3;
  };

  struct Meters {
    StructureMeter structure;
    std::optional<StartPositions> start;
  };

  /// The next bodies are new; with `compares_with_start` they are those of the start of a run.
  void begin(bool compares_with_start);
  /// The next bodies are of the same run, but not of its start.
  void resume();
  /// No measurement is in progress, and it is time for the next one.
  bool is_due() const { return !pending_.exists() && budget_.is_due(); }

  /// Discards a measurement in progress.
  Found measure(const std::function<Bodies()>& fetch, const Moment& moment);
  /// Measures on another thread, unless it is the snapshot of the last call. take() returns the result while `course`
  /// is the same.
  void measure_later(const std::shared_ptr<const Snapshot>& snapshot, const Moment& moment, std::uint64_t course);
  std::optional<Found> take(std::uint64_t course);

  /// Separation and tails alone, of a run whose structure() is known.
  struct Encounter {
    StructureSample sample;
    double seconds = 0;  ///< that the measurement took
  };
  Encounter measure_encounter(const Bodies& bodies, const TimelinePoint& at) const;
  /// The same from a sample of the bodies, always of the same ones, without structure().
  Encounter measure_encounter_of_sample(const Bodies& sample, const TimelinePoint& at);
  /// The same as measure_encounter() on another thread. take_encounter() returns the result while `course` is the same.
  void measure_encounter_later(std::function<Bodies()> fetch, const TimelinePoint& at, std::uint64_t course);
  bool is_measuring_encounter() const { return pending_encounter_.exists(); }
  std::optional<Encounter> take_encounter(std::uint64_t course);

  /// nullptr before the first measurement is complete.
  const StructureMeter* structure() const { return meters_ ? &meters_->structure : nullptr; }
  /// The start of the run; nullptr if it is not known.
  const StartPositions* start() const { return meters_ && meters_->start ? &*meters_->start : nullptr; }

 private:
  struct Later {
    Found found;
    std::shared_ptr<const Meters> meters;
  };

  std::optional<Found> finish_pending();
  static std::shared_ptr<const Meters> meters_for(const Bodies& bodies, bool compares_with_start);
  static Encounter encounter_of(const Meters& meters, const Bodies& bodies, const TimelinePoint& at);
  static Found find(const Meters& meters, const Bodies& bodies, const Moment& moment);

  bool compares_with_start_ = false;  ///< set before the first measurement
  std::shared_ptr<const Meters> meters_;
  std::shared_ptr<const Meters> sample_meters_;  ///< used by measure_encounter_of_sample(); null before the first
  MeasurementBudget budget_;
  Pending<Later> pending_;
  std::uint64_t pending_course_ = 0;
  std::weak_ptr<const Snapshot> last_snapshot_;
  Pending<Encounter> pending_encounter_;
  std::uint64_t encounter_course_ = 0;
};

}  // namespace pericenter
