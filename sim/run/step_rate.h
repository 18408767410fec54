#pragma once

#include <chrono>
#include <cstddef>

namespace pericenter {

/// Step rate, smoothed exponentially over the last second.
class StepRates {
 public:
  /// A step that took `seconds` and ended at `end`. The pause before the next one counts only with `continues`.
  void add(double seconds, std::chrono::steady_clock::time_point end, bool continues);
  void reset() { *this = {}; }

  double steps_per_second() const;
  /// Per second of step time.
  double bodies_per_second(std::size_t bodies) const;

 private:
  std::chrono::steady_clock::time_point last_end_{};
  // Exponentially weighted sums.
  double steps_ = 0, step_seconds_ = 0, all_seconds_ = 0;
  bool was_stepping_ = false;
};

}  // namespace pericenter
