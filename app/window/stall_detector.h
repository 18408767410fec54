#pragma once

namespace pericenter::app {

/// Detects a step that takes far longer than usual, for example on a GPU that does not answer.
class StallDetector {
 public:
  /// Once per frame, all in seconds: run time of the current step (0 between steps), usual time of a step (0 if
  /// unknown), and the current time. Time during which the program was suspended does not count.
  void update(double running, double usual, double now);
  /// Run time of a stalled step; 0 if the step is not stalled.
  double stalled_seconds() const { return stalled_; }

 private:
  double running_ = 0, now_ = 0;  ///< run time of the step, and time, of the last update
  double observed_ = 0;           ///< observed run time of the current step
  double stalled_ = 0;
};

}  // namespace pericenter::app
