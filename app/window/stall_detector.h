#pragma once

namespace pericenter::app {

/// Notices when a step runs on and on.
class StallDetector {
 public:
  /// Once a picture, with seconds: how long the step has been running that is under way, 0 between steps; how long
  /// steps usually take, 0 when there was none; the time of day. Time that the whole program was suspended for is none
  /// of the step's.
  void see(double running, double usual, double now);
  /// How long it has been running when it takes far longer than it should; else 0.
  double hanging() const { return hanging_; }

 private:
  double running_ = 0, now_ = 0;  ///< as they were seen last
  double seen_ = 0;               ///< of the step that is under way
  double hanging_ = 0;
};

}  // namespace pericenter::app
