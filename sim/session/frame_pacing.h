#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

#include "sim/core/clock.h"
#include "sim/session/pace.h"

namespace pericenter {

/// Which steps and which frames of a Session are due.
class FramePacing {
 public:
  // ---- settings
  std::uint64_t pending_steps = 0;  ///< steps of request::Step that are not taken yet
  int steps_per_frame = 1;
  bool single_buffer = false;  ///< request::SetSingleBuffer

  /// Rate of request::SetSpeed; 0: steps_per_frame counts. The frames of a video follow another rate at once.
  void set_steps_per_second(double rate) {
    if (std::exchange(steps_per_second_, rate) != rate) plan_from_here();
  }

  /// request::SetExactPace
  void set_exact_pace(bool exact, int video_frames_per_second) {
    exact_pace_ = exact;
    video_rate_ = std::max(1, video_frames_per_second);
    plan_from_here();
  }

  bool wants_to_step(bool running, int credit) const {
    const bool waits_for_frame = exact_pace_ ? has_steps() : single_buffer && (has_steps() || is_overdue());
    return !(unpublished_ && waits_for_frame) && (pending_steps > 0 || (running && credit > 0));
  }
  bool wants_to_publish(bool running, int credit) const {
    if (!unpublished_ && (running || !shown_ahead_)) return false;
    if (exact_pace_ && running) return steps_ == 0 || has_steps();
    return has_steps() || !wants_to_step(running, credit) || is_overdue();
  }
  /// Whether the next step is the last one of a frame.
  bool next_step_ends_frame(int credit) const {
    const bool last = steps_ + 1 >= steps_of_frame() || pending_steps == 1;
    return last || (!exact_pace_ && (credit == 1 || is_overdue()));
  }

  void on_step() {
    if (pending_steps > 0) --pending_steps;
    ++steps_;
    unpublished_ = !std::exchange(is_ahead_, false);
    if (!unpublished_) steps_ = 0;
  }
  /// The last frame does not show the current bodies.
  void on_change() {
    unpublished_ = true;
    is_ahead_ = false;
  }
  /// Returns PublishedFrame::video.
  std::optional<VideoPace::Advance> on_published() {
    const auto video = take_plan(has_steps());
    unpublished_ = shown_ahead_ = false;
    steps_ = 0;
    last_ = std::chrono::steady_clock::now();
    return video;
  }
  /// Whether a frame may show where the next step moves the bodies. A video of fast steps has no use for it.
  bool may_publish_ahead() const {
    return !exact_pace_ || (steps_per_second_ > 0 && steps_ == 0 && planned_.steps == 1);
  }
  /// A frame shows where the next step moves the bodies. It has their scalars of before, so that another frame follows
  /// when the steps end. Returns PublishedFrame::video.
  std::optional<VideoPace::Advance> on_published_ahead() {
    is_ahead_ = shown_ahead_ = true;
    last_ = std::chrono::steady_clock::now();
    return take_plan(true);
  }
  /// The bodies are at another moment: no steps lead from the last frame to the next.
  void on_jump() {
    on_change();
    steps_ = 0;
  }

 private:
  static constexpr double kMaxSeconds = 1.0 / 30;  ///< slow steps are shown one by one

  void plan_from_here() {
    video_ = {};
    plan_video();
  }
  void plan_video() { planned_ = video_.next(steps_per_second_ / video_rate_); }
  /// Frames outside of the plan, as of a single step, are one each.
  std::optional<VideoPace::Advance> take_plan(bool complete) {
    if (!exact_pace_) return std::nullopt;
    if (!complete || steps_per_second_ <= 0) return VideoPace::Advance{};
    const VideoPace::Advance taken = planned_;
    plan_video();
    return taken;
  }
  /// With a speed, a frame shows all steps that are due.
  int steps_of_frame() const {
    if (steps_per_second_ > 0) return exact_pace_ ? planned_.steps : std::numeric_limits<int>::max();
    return steps_per_frame;
  }
  bool has_steps() const { return steps_ >= steps_of_frame(); }
  bool is_overdue() const { return seconds_between(last_, std::chrono::steady_clock::now()) > kMaxSeconds; }

  double steps_per_second_ = 0;
  bool exact_pace_ = false;
  int video_rate_ = 60;  ///< frames per second
  VideoPace video_;
  VideoPace::Advance planned_;  ///< steps to the next frame of a video
  bool unpublished_ = false;
  bool is_ahead_ = false;     ///< the last frame shows the end of the next step
  bool shown_ahead_ = false;  ///< the last frame was written ahead
  int steps_ = 0;             ///< steps since the last frame
  std::chrono::steady_clock::time_point last_{};
};

}  // namespace pericenter
