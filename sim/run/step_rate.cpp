#include "sim/run/step_rate.h"

#include <cmath>

#include "sim/core/clock.h"

namespace pericenter {
namespace {

constexpr double kSmoothing = 1;  ///< seconds

}  // namespace

void StepRates::add(double seconds, std::chrono::steady_clock::time_point end, bool continues) {
  const double period = was_stepping_ ? seconds_between(last_end_, end) : seconds;
  // Sums instead of mean periods: a checkpoint takes as long as several steps and would dominate a mean.
  const double share = std::exp(-period / kSmoothing);
  steps_ = share * steps_ + 1;
  step_seconds_ = share * step_seconds_ + seconds;
  all_seconds_ = share * all_seconds_ + period;
  last_end_ = end;
  was_stepping_ = continues;
}

double StepRates::steps_per_second() const {
  return all_seconds_ > 0 ? steps_ / all_seconds_ : 0;
}

double StepRates::bodies_per_second(std::size_t bodies) const {
  return step_seconds_ > 0 ? static_cast<double>(bodies) * steps_ / step_seconds_ : 0;
}

}  // namespace pericenter
