#pragma once

#include <array>
#include <cstddef>

#include "sim/analysis/lab_record.h"

namespace pericenter {

/// When the separation of two galaxies is measured: rarely, and up to every second step where it is expected to have a
/// minimum, so that the time of a pericentre is exact to a step. Half of what measurements may take is saved for that,
/// and a run starts with enough for the first minimum. With few bodies, where a measurement takes milliseconds, there
/// is no such limit.
class EncounterSchedule {
 public:
  static constexpr double kMaxShare = 0.008;  ///< maximum share of the time of the steps

  /// Another run, or another course of it.
  void reset() { *this = {}; }
  /// The run took a step.
  void note_step(double seconds);
  /// Whether it should be measured after this step.
  bool is_due(double steps) const;
  /// It was measured, which took this time. Without two galaxies it is never due again.
  void note(const StructureSample& sample, double seconds);

 private:
  struct Point {
    double position = 0, square = 0;  ///< position on the timeline, squared separation
  };
  void expect_minimum(const Point& now);

  bool has_encounter_ = true;
  double cost_ = 0;                              ///< seconds that a measurement takes; 0: not known
  double spare_ = 0, saved_ = 0;                 ///< seconds that measurements may take now, and near a minimum
  double last_ = -1;                             ///< position of the last measurement
  std::array<Point, 2> before_{};                ///< older measurements, some steps apart
  std::size_t points_ = 0;                       ///< number of them
  double expected_ = kNotMeasured, within_ = 0;  ///< position of the minimum
};

}  // namespace pericenter
