#include "sim/session/step_rate.h"

#include <cmath>

#include "sim/core/clock.h"

namespace pericenter {
namespace {

constexpr double kSmoothing = 1;  ///< seconds

}  // namespace

void StepRates::add(double seconds, std::chrono::steady_clock::time_point end, bool goes_on) {
  const double period = was_stepping_ ? seconds_between(last_end_, end) : seconds;
  // Sums, not means of periods: in those a copy of the bodies, which takes as long as several steps, would count for
  // many.
  const double share = std::exp(-period / kSmoothing);
  steps_ = share * steps_ + 1;
  step_seconds_ = share * step_seconds_ + seconds;
  all_seconds_ = share * all_seconds_ + period;
  last_end_ = end;
  was_stepping_ = goes_on;
}

double StepRates::steps_per_second() const {
  return all_seconds_ > 0 ? steps_ / all_seconds_ : 0;
}

double StepRates::bodies_per_second(std::size_t bodies) const {
  return step_seconds_ > 0 ? static_cast<double>(bodies) * steps_ / step_seconds_ : 0;
}

}  // namespace pericenter
