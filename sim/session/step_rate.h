#pragma once

#include <chrono>
#include <cstddef>

namespace pericenter {

/// How fast steps follow each other, averaged over half a second.
class StepRates {
 public:
  /// A step that took `seconds` and ended at `end`. The time to the next one counts only when it `goes_on`.
  void add(double seconds, std::chrono::steady_clock::time_point end, bool goes_on);
  void forget() { *this = {}; }

  double steps_per_second() const;
  /// Per second of step time.
  double bodies_per_second(std::size_t bodies) const;

 private:
  std::chrono::steady_clock::time_point last_end_{};
  // Of the last second or so; what is older counts the less.
  double steps_ = 0, step_seconds_ = 0, all_seconds_ = 0;
  bool was_stepping_ = false;
};

}  // namespace pericenter
