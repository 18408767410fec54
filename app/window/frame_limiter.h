#pragma once

namespace pericenter::app {

/// The pictures that the window shows one after the other: how fast they come.
class FramePace {
 public:
  /// Once a picture, after it is shown. Waits where nothing waited for the monitor, which shows `refresh_rate` a
  /// second: drawn by software or in a hidden window the loop must not run away.
  void wait(double refresh_rate);

  /// Of wait(), for a clock of one's own: the seconds to wait after a picture that was shown at this time. What one
  /// picture is late the next ones make good, up to a period.
  double rest(double shown, double period);
  /// After that: the picture's time is over.
  void note(double now);

  /// Averaged; 0 before the second one.
  float frames_per_second() const { return mean_seconds_ > 0 ? static_cast<float>(1 / mean_seconds_) : 0; }

 private:
  double last_ = 0, due_ = 0;  ///< when a picture was shown, and when it should have been; seconds
  double mean_seconds_ = 0;    ///< from one to the next
};

}  // namespace pericenter::app
