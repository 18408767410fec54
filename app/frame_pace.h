#pragma once

namespace pericenter::app {

/// The pictures that the window shows one after the other: how fast they come.
class FramePace {
 public:
  /// Once a picture, after it is shown. Waits where nothing waited for the monitor, which shows `refresh_rate` a
  /// second: drawn by software or in a hidden window the loop must not run away.
  void wait(double refresh_rate);
  /// Averaged; 0 before the second one.
  float frames_per_second() const { return frames_per_second_; }

 private:
  double last_ = 0;
  float frames_per_second_ = 0;
};

}  // namespace pericenter::app
