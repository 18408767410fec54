#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/run/history_line.h"
#include "sim/run/timeline.h"

namespace pericenter {

/// An eighth of the free host memory, at most 2 GB.
std::size_t default_history_budget();

/// Keyframes of a run in host memory, at multiples of a power of two of steps, with all that repeating the steps
/// between them needs. If the memory budget is full or fetching keyframes takes too long, every second one is dropped.
/// For one thread.
class History {
 public:
  static constexpr std::size_t kMinKeyframes = 8;  ///< that must fit into the budget
  static constexpr std::size_t kMaxKeyframes = 4096;
  static constexpr double kDragSeconds = 0.5;    ///< changes of a parameter that follow each other sooner are one
  static constexpr double kMaxStepShare = 0.02;  ///< maximum share of the run's time spent copying keyframes
  static constexpr double kMaxBackgroundShare = 0.25;

  /// 0: nothing is recorded.
  void set_budget(std::size_t bytes);
  std::size_t budget() const { return budget_; }
  /// Memory of the budget that another History uses.
  void set_reserved(std::size_t bytes) { reserved_ = bytes; }

  /// Forgets everything and starts a run, whose first segment follows; false if it cannot be recorded (off_because()).
  bool start(const Config& config, std::size_t bodies);
  void clear();
  /// Whether keyframes are recorded.
  bool is_on() const { return on_; }
  /// A sentence; empty while keyframes are recorded and before the first run.
  const std::string& off_because() const { return off_because_; }

  // Recording; all do nothing while nothing is recorded.
  /// From this step on with this configuration, from exactly these bodies; drops what comes after.
  void begin_segment(const HistoryMoment& at, const Config& config, const Bodies& bodies);
  /// The parameters of the next step.
  void note_params(const HistoryParams& params);
  /// A step was taken, in `seconds`.
  void note_step(const HistoryMoment& at, double seconds);
  /// It was computed in so many equal parts.
  void note_parts(int parts);
  /// Whether the step that was just taken should become a keyframe.
  bool wants_keyframe() const;
  MotionLayout layout() const;
  /// A keyframe of a step that was taken. Another one of the same step, and one before the last, is ignored.
  void add(HistoryKeyframe keyframe);
  /// Whether the last step is a keyframe.
  bool has_newest() const;
  /// Keeps the keyframe of the last step, if there is one, when the spacing doubles.
  void pin_newest();
  /// Seconds that the run waited for a keyframe, and another thread worked on it.
  void note_cost(double seconds, double background_seconds);
  /// Keeps fewer keyframes, or none, so that the run has memory.
  void note_out_of_memory();
  void add_mark(TimelineMark mark);

  // Branches.
  /// Continues from this step: what follows becomes a ghost. The result names the ghost; 0: there is none.
  std::uint64_t branch(const HistoryMoment& at);
  bool has_ghost(std::uint64_t id) const;
  /// Makes a ghost the course of the run again, in place of what followed its start. It must exist.
  void restore_ghost(std::uint64_t id);

  /// Has no keyframes while nothing is recorded.
  const HistoryLine& line() const { return line_; }
  std::uint64_t spacing() const { return spacing_; }
  std::size_t bytes() const { return bytes_; }
  /// Keeps at most this memory: drops ghosts, then keyframes.
  void shrink_to(std::size_t bytes);
  /// Up to date with the line, except for its last step.
  std::shared_ptr<const TimelineDetails> details();

 private:
  using Clock = std::chrono::steady_clock;
  struct Ghost {
    std::uint64_t id = 0;
    HistoryMoment start;
    HistoryLine line;                 ///< what follows the start
    std::vector<TimelineMark> marks;  ///< marks of the whole course
  };

  void turn_off(const std::string& because);
  std::string problem_with_size(std::size_t keyframe) const;
  void note_changed();
  bool drop_some();
  void double_spacing();
  bool drop_first_segment();
  void mark_params(const HistoryParams& now);

  std::size_t budget_ = 0, reserved_ = 0;
  bool on_ = false;
  std::string off_because_;
  std::size_t bodies_ = 0;
  HistoryLine line_;
  std::vector<Ghost> ghosts_;  ///< latest last
  std::size_t bytes_ = 0;      ///< memory of line_ and ghosts_
  std::uint64_t last_ghost_ = 0;
  std::uint64_t spacing_ = 1;
  double step_seconds_ = 0, keyframe_seconds_ = 0, background_seconds_ = 0;  ///< smoothed; 0: none yet

  /// The change that the last mark of parameters describes, which grows while a slider is dragged.
  struct Change {
    Params before;
    double position = 0, last_position = 0;
    Clock::time_point last{};
  };
  std::optional<Change> change_;
  std::shared_ptr<const TimelineDetails> details_;  ///< null: out of date
};

}  // namespace pericenter
