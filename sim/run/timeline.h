#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace pericenter {

/// Positions on a timeline are numbers of steps for a simulation and times in scene units for a playback. They increase
/// along the line, also where the time decreases (a run backwards).
struct TimelinePoint {
  double position = 0, time = 0;
};

enum class TimelineMarkKind { parameters, configuration, pericenter, apocenter, merger, highlight, branch, tails };

struct TimelineMark {
  TimelineMarkKind kind = TimelineMarkKind::parameters;
  double position = 0;
  std::string text;  ///< shown as tooltip: "theta 0.5 -> 0.9", "pericentre: 16 kpc"
};

/// A part of an earlier course of the run, which ended when the run was continued from an earlier moment.
struct TimelineGhost {
  double first = 0, last = 0;
  int row = 0;  ///< 0: the latest
};

/// Steps that were divided (Params::adaptive_steps), with a few others between them.
struct TimelineDivision {
  double first = 0, last = 0;
  int parts = 1;  ///< most parts of one of them
};

/// The part of a timeline that changes rarely.
struct TimelineDetails {
  /// Ascending; linear between them and to the end of the timeline. The snapshots of a playback.
  std::vector<TimelinePoint> points;
  std::vector<TimelineMark> marks;  ///< ascending
  std::vector<TimelineGhost> ghosts;
  std::vector<TimelineDivision> divisions = {};  ///< ascending
};

/// History of a run, or time range of a playback.
struct Timeline {
  double first = 0, last = 0;                                   ///< range of the positions
  double shown = 0;                                             ///< position that the image shows
  double last_time = std::numeric_limits<double>::quiet_NaN();  ///< value at `last`; NaN: that of the last point
  bool rewound = false;  ///< a recorded moment is shown; the simulation itself waits at `last`
  std::shared_ptr<const TimelineDetails> details = std::make_shared<const TimelineDetails>();

  std::size_t keyframes = 0;
  std::size_t bytes = 0, budget = 0;  ///< host memory of the keyframes
  std::uint64_t spacing = 0;          ///< steps between two keyframes
  std::string off_because = {};       ///< why nothing is recorded; empty: it is

  double speed = 1;       ///< speed of a replay, 0.1 to 10 times that of the run
  std::string undo = {};  ///< what request::Undo takes back, "change of theta"; empty: nothing
  bool is_playback = false;

  /// Before the first point: its time.
  double time_at(double position) const;
  /// The position of a time; the latest one where the time occurs more than once.
  double position_at(double time) const;

  /// The points and the end of the timeline.
  std::size_t point_count() const;
  TimelinePoint point(std::size_t index) const;
};

}  // namespace pericenter
