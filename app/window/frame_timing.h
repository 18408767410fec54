#pragma once

namespace pericenter::app {

/// Limits the frame rate to the refresh rate of the monitor, and measures it.
class FrameLimiter {
 public:
  /// Once per frame, after the buffers are swapped. Sleeps if the swap did not wait for the monitor, as with software
  /// rendering or a hidden window. `refresh_rate` in Hz.
  void wait(double refresh_rate);

  /// Seconds that wait() sleeps after a frame that was shown at time `shown`, with the caller's clock. Up to one
  /// period of a late frame is made up for by the next ones.
  double delay(double shown, double period);
  /// Records the end of the frame, after the sleep.
  void end_frame(double now);

  /// Smoothed; 0 before the second frame.
  float frames_per_second() const { return mean_seconds_ > 0 ? static_cast<float>(1 / mean_seconds_) : 0; }

 private:
  double last_ = 0, due_ = 0;  ///< times when the last frame was shown and when it was due, seconds
  double mean_seconds_ = 0;    ///< mean time between two frames
};

/// When the window needs no more frames: after a second without a change, of which each frame may take a large part,
/// and after the frames that show the last change and what it has changed.
class WindowRest {
 public:
  void note_change(double now) {
    last_change_ = now;
    frames_ = 0;
  }
  void note_frame() { ++frames_; }
  bool idle(double now) const { return now - last_change_ > kIdleAfter && frames_ >= kLastFrames; }

 private:
  static constexpr double kIdleAfter = 1;  ///< seconds
  static constexpr int kLastFrames = 3;

  double last_change_ = 0;
  int frames_ = 0;  ///< frames since last_change_
};

/// Detects a step, or other work, that takes far longer than a step usually does, for example on a GPU that does not
/// answer.
class StallDetector {
 public:
  /// Shorter work is never stalled.
  explicit StallDetector(double min_seconds = 5) : min_seconds_(min_seconds) {}

  /// Once per frame, all in seconds: run time of the current step (0 between steps), usual time of a step (0 if
  /// unknown), and the current time. Time during which the program was suspended does not count.
  void update(double running, double usual, double now);
  /// Run time of a stalled step; 0 if the step is not stalled.
  double stalled_seconds() const { return stalled_; }

 private:
  double min_seconds_;
  double running_ = 0, now_ = 0;  ///< run time of the step, and time, of the last update
  double observed_ = 0;           ///< observed run time of the current step
  double stalled_ = 0;
};

}  // namespace pericenter::app
