#include "sim/step_rates.h"

#include <cmath>

#include "sim/clock.h"

namespace pericenter {
namespace {

constexpr double kSmoothing = 0.5;  ///< seconds

/// Moves `mean` towards `value`; the first value is taken as it is.
void smooth(double& mean, double value, double weight) {
  mean = mean > 0 ? mean + weight * (value - mean) : value;
}

}  // namespace

void StepRates::add(double seconds, std::chrono::steady_clock::time_point end, bool goes_on) {
  const double period = was_stepping_ ? seconds_between(last_end_, end) : seconds;
  const double weight = 1 - std::exp(-period / kSmoothing);
  smooth(mean_step_, seconds, weight);
  smooth(mean_period_, period, weight);
  last_end_ = end;
  was_stepping_ = goes_on;
}

double StepRates::steps_per_second() const {
  return mean_period_ > 0 ? 1 / mean_period_ : 0;
}

double StepRates::bodies_per_second(std::size_t bodies) const {
  return mean_step_ > 0 ? static_cast<double>(bodies) / mean_step_ : 0;
}

}  // namespace pericenter
