#include "app/ui/lockstep.h"

#include <algorithm>
#include <cmath>

namespace pericenter::app {
namespace {

constexpr double kRounding = 1e-6;  // fraction of a step: times are sums of many time steps
constexpr double kMaxSteps = 10'000;

/// Steps of `dt` that fit into `time`, at least `least`.
int steps_in(double time, double dt, int least) {
  const double steps = std::floor(time / std::abs(dt) + kRounding);
  return std::max(least, static_cast<int>(std::clamp(steps, 0.0, kMaxSteps)));
}

/// Time by which A is ahead; negative: it is behind.
double lead_of(const WaitingSimulation& a, const WaitingSimulation& b) {
  return (a.time - b.time) * (b.dt < 0 ? -1 : 1);
}

double shorter_step(const WaitingSimulation& a, const WaitingSimulation& b) {
  return std::min(std::abs(a.dt), std::abs(b.dt));
}

}  // namespace

bool are_level(const std::optional<WaitingSimulation>& a, const std::optional<WaitingSimulation>& b) {
  return a && b && !(std::abs(lead_of(*a, *b)) > kRounding * shorter_step(*a, *b));
}

LockstepSteps steps_to_catch_up(const std::optional<WaitingSimulation>& a, const std::optional<WaitingSimulation>& b) {
  if (!a || !b || a->dt == 0 || b->dt == 0) return {};
  const double lead = lead_of(*a, *b);
  return {steps_in(-lead, a->dt, 0), steps_in(lead, b->dt, 0)};
}

LockstepSteps next_steps(const std::optional<WaitingSimulation>& a, const std::optional<WaitingSimulation>& b,
                         int steps) {
  if (!a || !b) return {};
  const double shorter = shorter_step(*a, *b), longer = std::max(std::abs(a->dt), std::abs(b->dt));
  if (!(shorter > 0)) return {steps, steps};
  const double lead = lead_of(*a, *b);
  if (lead > kRounding * shorter) return {0, std::min(steps_in(lead, b->dt, 1), std::max(steps, 1))};
  if (lead < -kRounding * shorter) return {std::min(steps_in(-lead, a->dt, 1), std::max(steps, 1)), 0};
  if (steps <= 0) return {};
  const double round = longer * steps;
  return {steps_in(round, a->dt, 1), steps_in(round, b->dt, 1)};
}

}  // namespace pericenter::app
