#pragma once

namespace pericenter::app {

/// The pictures that the window shows one after the other: how fast they come.
class FramePace {
 public:
  /// Once a picture, after it is shown. Waits where nothing waited for the monitor, which shows `refresh_rate` a
  /// second: drawn by software or in a hidden window the loop must not run away.
  void wait(double refresh_rate);
  /// Averaged; 0 before the second one.
  float frames_per_second() const { return mean_seconds_ > 0 ? static_cast<float>(1 / mean_seconds_) : 0; }

 private:
  double last_ = 0, due_ = 0;  ///< when a picture was shown, and when it should have been; seconds
  double mean_seconds_ = 0;    ///< from one to the next
};

}  // namespace pericenter::app
