#pragma once

#include <chrono>
#include <cmath>
#include <cstddef>

#include "sim/core/clock.h"

namespace pericenter {

/// Step rate, smoothed exponentially over the last second.
class StepRates {
 public:
  /// A step that took `seconds` and ended at `end`. The pause before the next one counts only with `continues`.
  void add(double seconds, std::chrono::steady_clock::time_point end, bool continues) {
    const double period = was_stepping_ ? seconds_between(last_end_, end) : seconds;
    // Sums instead of mean periods: a checkpoint takes as long as several steps and would dominate a mean.
    const double share = std::exp(-period / kSmoothing);
    steps_ = share * steps_ + 1;
    step_seconds_ = share * step_seconds_ + seconds;
    all_seconds_ = share * all_seconds_ + period;
    last_end_ = end;
    was_stepping_ = continues;
  }
  void reset() { *this = {}; }

  double steps_per_second() const { return all_seconds_ > 0 ? steps_ / all_seconds_ : 0; }
  /// Per second of step time.
  double bodies_per_second(std::size_t bodies) const {
    return step_seconds_ > 0 ? static_cast<double>(bodies) * steps_ / step_seconds_ : 0;
  }

 private:
  static constexpr double kSmoothing = 1;  ///< seconds

  std::chrono::steady_clock::time_point last_end_{};
  // Exponentially weighted sums.
  double steps_ = 0, step_seconds_ = 0, all_seconds_ = 0;
  bool was_stepping_ = false;
};

}  // namespace pericenter
