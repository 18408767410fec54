#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/core/config.h"
#include "sim/core/diagnostics.h"
#include "sim/run/packed_motion.h"
#include "sim/run/timeline.h"

namespace pericenter {

/// A step of a run and the time after it.
struct HistoryMoment {
  std::uint64_t step = 0;
  double time = 0;
};

/// The bodies at one step.
struct HistoryKeyframe {
  HistoryMoment at;
  std::shared_ptr<const PackedMotion> motion;
  bool pinned = false;  ///< kept when the spacing doubles
};

/// Steps with the same configuration. It starts with a keyframe, so that any of its steps can be repeated with this
/// configuration alone.
struct HistorySegment {
  std::uint64_t first = 0;
  Config config;
  std::shared_ptr<const BodyConstants> constants;
};

/// The parameters of all steps from `at` to the next change, and the reference of the energy error then.
struct HistoryParams {
  HistoryMoment at;
  Params params;
  std::optional<Diagnostics> reference;
};

/// One course of a run, from its first recorded step to its last one.
struct HistoryLine {
  // All in the order of steps.
  std::vector<HistoryKeyframe> keyframes;
  std::vector<HistorySegment> segments;
  std::vector<HistoryParams> params;
  std::vector<TimelineMark> marks;
  std::vector<TimelineDivision> divisions;
  HistoryMoment last;

  // There must be a keyframe, and `step` must not be before it.
  const HistoryKeyframe& keyframe_before(std::uint64_t step) const;  ///< the last one at or before `step`
  const HistorySegment& segment_at(std::uint64_t step) const;
  const HistoryParams& params_at(std::uint64_t step) const;  ///< parameters of the step that starts there

  /// The two keyframes around a position, with the weights of the interpolation. Between the last keyframe and the last
  /// step: the last keyframe.
  MotionPair around(double position) const;
  double time_at(double position) const;

  /// Host memory of the keyframes.
  std::size_t bytes() const;
  /// Moves everything after this step to the result, which also has a copy of what holds at this step.
  HistoryLine cut(const HistoryMoment& at);
  /// Adds what cut() returned, in place of what does not come before it.
  void append(HistoryLine rest);
};

/// What a change of parameters or configuration is called on the timeline: "theta 0.5 -> 0.9, dt 0.01 -> 0.02".
std::string change_text(const Params& before, const Params& after);
/// "octree -> fmm, float -> double".
std::string change_text(const Config& before, const Config& after);
/// `now` without the change from `before` to `after`. The time keeps its present direction if that change kept it.
Params without_change(Params now, const Params& before, const Params& after);
/// The names of what changes: "theta and dt".
std::string changed_names(const Params& before, const Params& after);

}  // namespace pericenter
