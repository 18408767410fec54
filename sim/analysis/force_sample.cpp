#include "sim/analysis/force_sample.h"

#include <algorithm>
#include <limits>
#include <unordered_set>

#include "sim/core/random.h"

namespace pericenter {
namespace {

constexpr double kKept = 0.8;  ///< weight of a measurement in sums, relative to the one after it

}  // namespace

std::vector<std::size_t> random_sample(std::size_t all, std::size_t count, std::uint64_t seed) {
  Random random(seed);
  std::unordered_set<std::size_t> chosen;
  for (std::size_t last = all - count; last < all; ++last) {
    const auto number = static_cast<std::size_t>(random.uniform() * static_cast<double>(last + 1));
    chosen.insert(chosen.contains(number) ? last : number);
  }
  std::vector<std::size_t> sorted(chosen.begin(), chosen.end());
  std::ranges::sort(sorted);
  return sorted;
}

std::optional<ForceErrors> errors_of(const SampledForces& forces) {
  const bool finite = std::ranges::all_of(forces.exact, is_finite<double, 3>) &&
                      std::ranges::all_of(forces.solver, is_finite<double, 3>);
  if (forces.exact.empty() || !finite) return std::nullopt;
  return force_errors(forces.solver, forces.exact);
}

double SampleSchedule::least_seconds(std::size_t bodies) const {
  const double all = static_cast<double>(bodies);
  return std::min(all, static_cast<double>(kLeast)) * all / pairs_per_second_;
}

std::size_t SampleSchedule::most(std::size_t bodies) const {
  const std::size_t least = std::min(kLeast, bodies), most = std::min(kMost, bodies);
  const double wanted = kMaxSeconds * pairs_per_second_ / std::max(static_cast<double>(bodies), 1.0);
  return static_cast<std::size_t>(std::clamp(wanted, static_cast<double>(least), static_cast<double>(most)));
}

void PooledForceError::add(const ForceErrors& errors, std::size_t bodies) {
  bodies_ = std::min(bodies_ + bodies, std::max(kPool, bodies));
  mean_ += (errors.mean - mean_) * static_cast<double>(bodies) / static_cast<double>(bodies_);
}

double PooledForceError::mean(std::size_t all) const {
  return bodies_ < std::min(kFewest, all) ? std::numeric_limits<double>::quiet_NaN() : mean_;
}

std::size_t SampleSchedule::due(std::size_t bodies, double now) const {
  const double elapsed = last_ ? now - *last_ : kPeriod;
  if (bodies == 0 || elapsed < kPeriod) return 0;
  const double per_second = pairs_per_second_ / static_cast<double>(bodies);
  const auto at_most = [&](std::size_t limit) { return static_cast<double>(std::min(limit, bodies)); };
  const auto largest = static_cast<double>(most(bodies));
  // What the last measurements took too long, on a busy machine, is saved now.
  const double budget = kMaxShare * (kKept * steps_ + steps_since_) - kKept * measured_;
  const double affordable = std::max(budget, 0.0) * per_second;
  if (affordable >= std::min(largest, at_most(kUsual))) return static_cast<std::size_t>(std::min(affordable, largest));
  const bool waited = elapsed >= kLongPeriod && least_seconds(bodies) <= kMaxShare * elapsed;
  return waited ? static_cast<std::size_t>(std::clamp(affordable, at_most(kLeast), largest)) : 0;
}

void SampleSchedule::note_speed(std::size_t sampled, std::size_t bodies, double seconds) {
  if (sampled == 0 || !(seconds > 0)) return;
  pairs_per_second_ = static_cast<double>(sampled) * static_cast<double>(bodies) / seconds;
}

void SampleSchedule::note(double seconds, double now) {
  last_ = now;
  steps_ = kKept * steps_ + steps_since_;
  measured_ = kKept * measured_ + seconds;
  steps_since_ = 0;
}

double SampleSchedule::share() const {
  return steps_ > 0 ? measured_ / (steps_ + measured_) : 0;
}

}  // namespace pericenter
