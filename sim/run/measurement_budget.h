#pragma once

#include <algorithm>
#include <chrono>

#include "sim/core/clock.h"

namespace pericenter {

/// When the next of repeated measurements is due, so that they take at most 1 % of the time.
class MeasurementBudget {
 public:
  using Clock = std::chrono::steady_clock;

  bool is_due() const { return seconds_between(last_, Clock::now()) >= std::max(kMinPeriod, seconds_ / kMaxShare); }
  /// A measurement that began at `start` has ended.
  void note(Clock::time_point start) {
    last_ = Clock::now();
    seconds_ = seconds_between(start, last_);
  }
  /// The next measurement is due at once.
  void reset() { *this = {}; }

 private:
  static constexpr double kMinPeriod = 0.5;  ///< seconds
  static constexpr double kMaxShare = 0.01;

  Clock::time_point last_{};
  double seconds_ = 0;  ///< that the last one took
};

}  // namespace pericenter
