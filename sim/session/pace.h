#pragma once

#include <algorithm>
#include <cmath>

namespace pericenter {

struct RunState;

/// How fast a run is shown.
struct Pace {
  int steps_per_frame = 1;  ///< counts if `speed` is 0
  double speed = 0;         ///< scene time per second of wall time

  friend bool operator==(const Pace&, const Pace&) = default;
};

/// Seconds of wall time, or of a video, until the key moment of a scene: long enough to watch, short enough to wait.
inline constexpr double kStorySeconds = 25;

/// Scene time per second at which the key moment of the run comes after kStorySeconds, counted from the time 0 of the
/// scene. A playback lasts that long. Without a key moment, a circular orbit around all mass at the edge of the first
/// view takes that long for few bodies, whose orbits are the story, and twice as long for many, where the inside turns
/// several times meanwhile.
double default_speed(const RunState& run);

/// The steps that are due as wall time passes, at a chosen number of steps per second. What a slow machine, a slow
/// frame or a pause has missed is not made up for.
class PaceClock {
 public:
  static constexpr double kMaxBacklog = 0.25;  ///< seconds whose steps may wait, besides one step
  static constexpr double kPause = 1;          ///< seconds from which on nobody was watching
  static constexpr double kMaxRate = 1e6;      ///< steps per second; nothing is faster

  /// `seconds` have passed. `waiting`: steps that were taken from this clock and have not begun.
  void pass(double seconds, double steps_per_second, double waiting = 0) {
    const double rate = std::isfinite(steps_per_second) ? std::clamp(steps_per_second, 0.0, kMaxRate) : kMaxRate;
    if (rate != rate_) wanted_ = lost_ = 0;
    rate_ = rate;
    if (!(seconds >= 0 && seconds < kPause)) seconds = 0;
    const double wanted = rate * seconds, most = std::max(0.0, this->most() - waiting);
    const double kept = std::exp(-seconds / kMemory);
    due_ += wanted;
    wanted_ = wanted_ * kept + wanted;
    lost_ = lost_ * kept + std::max(0.0, due_ - most);
    due_ = std::min(due_, most);
  }
  /// The whole steps that are due; they are due no longer.
  int take() {
    const double whole = std::floor(due_);
    due_ -= whole;
    return static_cast<int>(whole);
  }
  /// Steps that are due. The fraction is that of the way to the next one.
  double due() const { return due_; }
  /// Steps that may wait.
  double most() const { return 1 + rate_ * kMaxBacklog; }
  /// Share of the chosen speed that was reached in the last seconds; 1 until one second was measured.
  double share() const { return wanted_ > rate_ ? 1 - lost_ / wanted_ : 1; }
  void reset() { *this = {}; }

 private:
  static constexpr double kMemory = 3;  ///< seconds over which share() averages

  double due_ = 0, rate_ = 0;
  double wanted_ = 0, lost_ = 0;  ///< steps of the last seconds
};

/// Steps between the frames of a video, whose scene time advances by the same amount from frame to frame. Frames of
/// steps that last longer are on the way to them.
class VideoPace {
 public:
  static constexpr int kMaxFrames = 3600;  ///< that one step may last

  /// Further steps, at least one, and the frames that follow, at least one.
  struct Advance {
    int steps = 1, frames = 1;
    double first = 1;  ///< share of the way to the bodies after these steps that the first frame shows
    double more = 0;   ///< further share of each next frame

    double way(int frame) const { return std::min(1.0, first + frame * more); }
  };
  /// The nearest number of steps between two frames that a video can have.
  static double possible(double steps_per_frame) {
    constexpr double kMaxSteps = 1e6;
    return std::isfinite(steps_per_frame) ? std::clamp(steps_per_frame, 1.0 / kMaxFrames, kMaxSteps) : kMaxSteps;
  }
  Advance next(double steps_per_frame) {
    constexpr double kRounding = 1e-9;
    const double step = possible(steps_per_frame);
    const double first = std::max(position_, -step) + step;
    if (first > 1 + kRounding) {
      const double steps = std::ceil(first - kRounding);
      position_ = first - steps;
      return {.steps = static_cast<int>(steps)};
    }
    const double more = std::clamp(std::floor((1 - first) / step + kRounding), 0.0, kMaxFrames - 1.0);
    position_ = first + more * step - 1;
    return {1, 1 + static_cast<int>(more), std::min(first, 1.0), step};
  }

 private:
  double position_ = 0;  ///< last frame, in steps after the bodies of the last step: 0 or less
};

/// Steps per second at this speed; infinite for a time step of 0.
inline double steps_per_second(double speed, double dt) {
  return speed / std::abs(dt);
}

}  // namespace pericenter
