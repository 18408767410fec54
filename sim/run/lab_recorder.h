#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "sim/analysis/lab_record.h"
#include "sim/run/bounded_series.h"
#include "sim/run/encounter_track.h"

namespace pericenter {

/// Collects the history of a run or a playback in at most 4 MB. A copy continues independently.
class LabRecorder {
 public:
  using Clock = std::chrono::steady_clock;

  /// Starts an empty record of a simulation, whose samples come in the order of their positions. After a sample at an
  /// earlier position the later ones are removed.
  void clear() { begin(0); }
  /// The same of a playback of this duration, whose samples may come in any order.
  void clear_for_playback(double duration);
  /// The playback now has this duration, and samples after `valid_until` are forgotten.
  void extend_playback(double duration, double valid_until);
  /// Removes what is after `position`, because the run continues from there.
  void truncate(double position);
  /// Changes whenever samples are removed because the run took another course.
  std::uint64_t courses() const { return courses_; }

  void add(const LabSample& sample);
  /// `start_distance` as in LabSample; the samples since the previous call get values between both.
  void add(const StructureSample& sample, double start_distance);
  /// Separation and tails between two of those samples; of the newest step, or of one before it.
  void add_newest(const StructureSample& sample);
  void add_earlier(const StructureSample& sample);
  void set_rotation(RotationCurve curve);

  const std::vector<EncounterEvent>& events() const { return track_.events(); }
  /// The latest one that was added.
  double start_distance() const { return last_distance_; }
  /// What was collected. While the run continues, new copies are made ten times per second at
  /// most, and take at most 0.5 % of the time.
  std::shared_ptr<const LabRecord> record(bool running, Clock::time_point now = Clock::now());

 private:
  static constexpr std::size_t kMaxSamples = 8192;

  void begin(double resolution);
  void note_start_distance(double position, double distance);

  double resolution_ = 0;  ///< time between snapshots of a playback; 0: a simulation
  BoundedSeries<LabSample> samples_{kMaxSamples};
  BoundedSeries<StructureSample> structure_{kMaxSamples};
  RotationCurve rotation_;
  EncounterTrack track_;
  double last_distance_ = kNotMeasured, last_distance_position_ = 0;
  std::uint64_t courses_ = 0;

  bool changed_ = false;
  Clock::time_point last_copy_{};
  double copy_seconds_ = 0;
  std::shared_ptr<const LabRecord> copy_ = std::make_shared<const LabRecord>();
};

}  // namespace pericenter
