#include "sim/analysis/health.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "sim/core/timestep_criterion.h"

namespace pericenter {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

static_assert(kFallPerStepLimits.good == kMaxFallPerStep);
static_assert(kOrbitsPerStepLimits.good == 1 / kMinStepsPerOrbit);

HealthLevel level_of_pericenter(double steps) {
  if (std::isnan(steps)) return HealthLevel::unknown;
  return steps < kMinStepsPerOrbit ? HealthLevel::fair : HealthLevel::good;
}

/// A positive number with two figures: "2.1", "0.034", "120".
std::string plain_two_figures(double value) {
  if (!(value < 1e6)) return "more than 1,000,000";
  if (value == 0) return "0";
  std::array<char, 32> text;
  const double unit = std::pow(10, std::floor(std::log10(value)) - 1);
  const bool large = value >= 10;
  std::snprintf(text.data(), text.size(), large ? "%.0f" : "%.2g", large ? std::round(value / unit) * unit : value);
  return text.data();
}

std::string percent(double share) {
  if (share < 10) return plain_two_figures(100 * share) + " %";
  return std::string("a factor of more than ") + (share < 100 ? "10" : share < 1e3 ? "100" : "1,000");
}

/// "halve dt", "divide dt by 3": what makes a step `excess` times shorter.
std::string shorter_step(double excess) {
  const double divisor = std::max(2.0, std::ceil(excess));
  if (!(divisor < 1000)) return "use a larger softening ε, or a far smaller dt";
  return divisor == 2 ? "halve dt" : "divide dt by " + plain_two_figures(divisor);
}

constexpr const char* kGoBack = "go back to the last good moment, or reset the scene.";

/// Drops every second entry of a long list, except the last.
template <class Entry>
void thin(std::vector<Entry>& entries) {
  constexpr std::size_t kMaxEntries = 20'000;
  if (entries.size() <= kMaxEntries) return;
  std::size_t kept = 0;
  for (std::size_t k = 0; k < entries.size(); k += 2) entries[kept++] = entries[std::min(k + 1, entries.size() - 1)];
  entries.resize(kept);
}

}  // namespace

HealthLevel level_within(const HealthLimits& limits, double value) {
  if (std::isnan(value)) return HealthLevel::unknown;
  return value < limits.good ? HealthLevel::good : value < limits.fair ? HealthLevel::fair : HealthLevel::poor;
}

HealthMeasurement measurement_of_time_step(const Params& params, const Diagnostics& diagnostics) {
  HealthMeasurement measured;
  measured.non_finite = diagnostics.non_finite;
  if (params.softening > 0) {
    measured.fall_per_step = fall_per_step(params, diagnostics);
  } else if (diagnostics.shortest_orbit > 0 && params.dt != 0) {
    measured.steps_per_orbit = diagnostics.shortest_orbit / std::abs(longest_part(params, diagnostics));
  }
  return measured;
}

// ---- HealthHistory

HealthHistory::Values HealthHistory::values_of(const HealthMeasurement& measurement) {
  Values values = {std::abs(measurement.energy_error),         kUnknown, kUnknown, kUnknown, measurement.orbit_change,
                   static_cast<double>(measurement.non_finite)};
  if (!measurement.stepped) return values;
  values[force] = measurement.force_error;
  values[fall] = measurement.fall_per_step;
  values[orbits] = 1 / measurement.steps_per_orbit;
  return values;
}

HealthLevel HealthHistory::level_of(Value which, double value) {
  switch (which) {
    case energy:
    case orbit_change:
      return level_within(kEnergyErrorLimits, value);
    case force:
      return level_within(kForceErrorLimits, value);
    case fall:
      return level_within(kFallPerStepLimits, value);
    case orbits:
      return value <= kOrbitsPerStepLimits.good ? HealthLevel::good : level_within(kOrbitsPerStepLimits, value);
    default:
      return value > 0 ? HealthLevel::poor : HealthLevel::unknown;
  }
}

HealthLevel HealthHistory::level_of(Value which, const Values& values) {
  const HealthLevel level = level_of(which, values[which]);
  const bool predicts_energy = which == fall || which == orbits;
  const bool is_disproved = level == HealthLevel::fair && level_of(energy, values[energy]) == HealthLevel::good;
  return predicts_energy && is_disproved ? HealthLevel::good : level;
}

HealthLevel HealthHistory::level_of(const Values& values) {
  HealthLevel worst = HealthLevel::unknown;
  for (std::size_t k = 0; k < count; ++k) worst = std::max(worst, level_of(static_cast<Value>(k), values));
  return worst;
}

void HealthHistory::add(const HealthMeasurement& measurement) {
  const double before = now_.position;
  now_ = measurement;
  Values values = worst_.empty() ? Values{kUnknown, kUnknown, kUnknown, kUnknown, kUnknown, 0} : worst_.back().values;
  bool grown = worst_.empty();
  const Values measured = values_of(measurement);
  for (std::size_t k = 0; k < count; ++k) {
    if (std::isnan(measured[k]) || measured[k] <= values[k]) continue;
    values[k] = measured[k];
    grown = true;
  }
  if (!grown) return;
  double last_good = measurement.position;
  if (!worst_.empty())
    last_good = level_of(worst_.back().values) == HealthLevel::poor ? worst_.back().last_good : before;
  worst_.push_back({measurement.position, values, last_good});
  thin(worst_);
}

void HealthHistory::rewind(double position) {
  while (!worst_.empty() && worst_.back().position > position) worst_.pop_back();
  now_ = {.position = std::min(now_.position, position)};
}

HealthValue HealthHistory::value_of(Value which) const {
  HealthMeasurement measured = now_;
  measured.stepped = true;
  HealthValue value{values_of(measured)[which], worst_.empty() ? kUnknown : worst_.back().values[which]};
  if (worst_.empty()) return value;
  // A setting that was only tried has spoiled nothing, but is shown as what it is.
  Values shown = worst_.back().values;
  if (value.now > value.worst) value.worst = shown[which] = value.now;
  value.level = level_of(which, shown);
  return value;
}

Health HealthHistory::health() const {
  Health health;
  health.energy_error = value_of(energy);
  health.force_error = value_of(force);
  health.fall_per_step = value_of(fall);
  health.steps_per_orbit = value_of(orbits);
  health.steps_per_orbit.now = 1 / health.steps_per_orbit.now;
  health.steps_per_orbit.worst = 1 / health.steps_per_orbit.worst;
  health.orbit_change = value_of(orbit_change);
  const double steps = now_.steps_at_pericenter;
  health.steps_at_pericenter = {steps, steps, level_of_pericenter(steps)};
  health.momentum_change = now_.momentum_change;
  if (!worst_.empty()) health.level = level_of(worst_.back().values);
  if (health.level != HealthLevel::unknown) health.level = std::max(health.level, health.steps_at_pericenter.level);
  health.last_good = health.level == HealthLevel::poor ? worst_.back().last_good : now_.position;
  if (health.level == HealthLevel::poor) {
    explain(health);
  } else if (health.steps_at_pericenter.level == HealthLevel::fair) {
    explain_pericenter(health);
  }
  return health;
}

void HealthHistory::explain(Health& health) const {
  const auto is_poor = [&](Value which) { return level_of(which, worst_.back().values) == HealthLevel::poor; };
  const auto still = [&](Value which) { return level_of(which, value_of(which).now) == HealthLevel::poor; };
  const auto shown = [&](Value which) { return still(which) ? value_of(which).now : worst_.back().values[which]; };
  const auto set = [&](HealthProblem problem, const std::string& cause, const std::string& remedy) {
    health.problem = problem;
    health.cause = cause;
    health.reason = cause + ": " + remedy;
  };
  if (is_poor(non_finite)) return set(HealthProblem::non_finite, "Some bodies became NaN or infinite", kGoBack);
  if (is_poor(fall)) {
    const std::string value = plain_two_figures(shown(fall));
    const std::string cause = std::string("The strongest acceleration ") + (still(fall) ? "moves" : "moved") +
                              " a body from rest by " + value + " softening lengths per step (a·dt²/2ε = " + value +
                              ")";
    const double excess = std::sqrt(shown(fall) / kFallPerStepLimits.good);
    return set(HealthProblem::long_step, cause, still(fall) ? shorter_step(excess) + "." : std::string(kGoBack));
  }
  if (is_poor(orbits)) {
    const std::string cause = std::string("The shortest orbit ") + (still(orbits) ? "takes " : "took ") +
                              plain_two_figures(1 / shown(orbits)) + " steps, and at least 20 resolve it";
    return set(HealthProblem::few_steps_per_orbit, cause,
               still(orbits) ? shorter_step(shown(orbits) / kOrbitsPerStepLimits.good) + "." : std::string(kGoBack));
  }
  if (is_poor(orbit_change)) return explain_lost_orbit(health);
  if (is_poor(force))
    return set(HealthProblem::forces,
               std::string("The mean force error ") + (still(force) ? "is " : "was ") + percent(shown(force)),
               still(force) ? "reduce θ." : kGoBack);
  set(HealthProblem::energy,
      (still(energy) ? "The energy has changed by " : "The energy error has been ") +
          percent(worst_.back().values[energy]),
      "go back to the last good moment, then halve dt or reduce θ.");
}

void HealthHistory::explain_pericenter(Health& health) const {
  const double steps = now_.steps_at_pericenter;
  health.problem = HealthProblem::pericenter;
  health.cause = "The time step cannot follow an orbit: " + now_.pericenter + ", where a circular orbit takes " +
                 plain_two_figures(steps) + " steps, and at least 20 resolve it";
  health.reason = health.cause + ": " + shorter_step(kMinStepsPerOrbit / steps) + ".";
}

void HealthHistory::explain_lost_orbit(Health& health) const {
  const double steps = now_.steps_at_pericenter;
  health.problem = HealthProblem::lost_orbit;
  health.cause = "The orbit of " + (now_.changed_orbit.empty() ? "a body" : now_.changed_orbit) +
                 " is wrong, because the time step does not resolve its pericentre: its energy has changed by " +
                 percent(worst_.back().values[orbit_change]);
  health.reason = health.cause + ": " +
                  (steps < kMinStepsPerOrbit
                       ? "go back to the last good moment, then " + shorter_step(kMinStepsPerOrbit / steps) + "."
                       : kGoBack);
}

// ---- Conservation

void Conservation::start(double position, const Diagnostics& reference, const EnergyDefinition& definition) {
  clear();
  references_.push_back({position, definition, reference, 0, {}});
  entries_.push_back({position, 0, {}});
  first_scale_ = momentum_scale(reference.mass, reference.kinetic);
}

ConservationErrors Conservation::add(double position, const Diagnostics& now, const EnergyDefinition& definition) {
  if (references_.empty()) start(position, now, definition);
  if (!(references_.back().definition == definition)) {
    const Entry& last = entries_.back();
    references_.push_back({position, definition, now, std::isnan(last.energy) ? 0 : last.energy, last.momentum});
  }
  const Reference& reference = references_.back();
  const double energy = reference.carried_energy + energy_error(reference.diagnostics, now);
  const Vec3 momentum = reference.carried_momentum + now.momentum - reference.diagnostics.momentum;
  entries_.push_back({position, energy, momentum});
  thin(entries_);
  const double scale = std::max(first_scale_, momentum_scale(now.mass, now.kinetic));
  return {energy, scale > 0 ? length(momentum) / scale : 0};
}

void Conservation::rewind(double position) {
  const auto is_later = [&](const auto& entry) { return entry.position > position; };
  // The first ones may be from before the bodies were saved, but never from after them.
  while (references_.size() > 1 && is_later(references_.back())) references_.pop_back();
  while (entries_.size() > 1 && is_later(entries_.back())) entries_.pop_back();
}

std::optional<Diagnostics> Conservation::reference() const {
  return references_.empty() ? std::nullopt : std::optional(references_.back().diagnostics);
}

}  // namespace pericenter
