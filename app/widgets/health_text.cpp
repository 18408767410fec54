#include "app/widgets/health_text.h"

#include <algorithm>
#include <cmath>

#include "app/base/format.h"
#include "sim/core/timestep_criterion.h"

namespace pericenter::app {
namespace {

constexpr const char* kPercent = " %";

bool measured(const HealthValue& value) {
  return !std::isnan(value.now);
}

/// The latest value, and the worst one where that is what makes the level; `unit` follows both numbers.
std::string with_worst(const HealthValue& value, double factor, const char* unit) {
  const std::string now = two_figures(factor * value.now) + unit, worst = two_figures(factor * value.worst) + unit;
  return value.level <= HealthLevel::good || now == worst ? now : now + " (worst " + worst + ")";
}

std::string percent(double share) {
  return two_figures(100 * share) + kPercent;
}

/// Distribution and cost of the sampled errors.
std::string sample_text(const ForceSample& sample) {
  if (sample.bodies == 0) return {};
  return "\nOf " + with_thousands(sample.bodies) + " bodies: 99 % below " + percent(sample.errors.percentile_99) +
         ", largest " + percent(sample.errors.max) + ".\n" + sample_cost(sample);
}

HealthItem force_item(const SessionState& state) {
  const HealthValue& error = state.health.force_error;
  return {
      .id = "health-force",
      .level = error.level,
      .label = "force error",
      .value = with_worst(error, 100, kPercent),
      .widest = "0.88 %",
      .tip =
          "Mean relative error of the forces on the last bodies that were sampled, up to 1,024, measured by exact sums "
          "in double precision. ● below 0.3 %, ▲ below 1 %, ■ above. A smaller θ reduces it and takes longer." +
          sample_text(state.force_sample)};
}

/// Relative errors down to the rounding error of a sum in doubles, so that only a run without any shows 0.
std::string error_text(double error) {
  if (!(error > 0 && error < 1e-12)) return two_figures(error);
  if (error < 1e-14) return "< 10⁻¹⁴";
  const double unit = std::pow(10, std::floor(std::log10(error)));
  return number_text(std::round(error / unit) * unit, 0);
}

/// Only if the step is longer than the one that the scene suggests.
std::string shorter_step_advice(const SessionState& state, const char* advice) {
  return exceeds_suggested(state.params, state.suggested) ? advice : "";
}

HealthItem fall_item(const SessionState& state) {
  const HealthValue& fall = state.health.fall_per_step;
  return {
      .id = "health-step",
      .level = fall.level,
      .label = "pull",
      .value = with_worst(fall, 1, "") + " ε per step",
      .widest = "0.88 ε per step",
      .tip =
          "Distance by which the strongest acceleration moves a body from rest in a step, in softening lengths: "
          "a·dt²/2ε. ● below 0.025 (the accuracy parameter of GADGET), and below 0.5 while the energy error is good; "
          "otherwise ▲; ■ from 0.5 on: the densest places are then not resolved." +
          shorter_step_advice(state, " Reduce the time step or increase the softening ε.")};
}

HealthItem orbit_item(const SessionState& state) {
  const HealthValue& steps = state.health.steps_per_orbit;
  return {.id = "health-step",
          .level = steps.level,
          .label = "shortest orbit",
          .value = with_worst(steps, 1, "") + " steps",
          .widest = "8888 steps",
          .tip =
              "Steps in the shortest orbit; there is no softening to compare the time step with. The fewer steps, "
              "the less the orbit is resolved." +
              shorter_step_advice(state, " Reduce the time step.")};
}

HealthItem pericenter_item(const Health& health) {
  const HealthValue &steps = health.steps_at_pericenter, &change = health.orbit_change;
  const bool lost = change.level > HealthLevel::good;
  return {.id = "health-pericenter",
          .level = std::max(steps.level, change.level),
          .label = "pericentre",
          .value = two_figures(steps.now) + " steps" + (lost ? ", orbit changed by " + percent(change.worst) : ""),
          .widest = "0.88 steps",
          .tip =
              "Steps of a circular orbit at the nearest pericentre about the central body that a body will pass, "
              "predicted from "
              "position and velocity, also for bodies without mass, which the energy does not show. ▲ below 20: the "
              "body will be thrown on a wrong orbit when it gets there. ■ once the energy of such an orbit has "
              "changed by 1 %. A shorter time step resolves the pericentre."};
}

HealthItem momentum_item(const Health& health) {
  return {.id = "health-momentum",
          .label = "|ΔP|",
          .value = two_figures(health.momentum_change),
          .widest = "8.8·10⁻⁸",
          .tip =
              "Change of the total momentum since the start, relative to √(2 K M), an upper bound of the sum of m|v|. "
              "Exact "
              "forces keep it at the rounding error; a tree does not, because its forces are not exactly opposite."};
}

}  // namespace

HealthItem energy_item(const Health& health) {
  const HealthValue& error = health.energy_error;
  return {
      .id = "health-energy",
      .level = error.level,
      .label = "|ΔE/E|",
      .value = error_text(error.now) + " (worst " + error_text(error.worst) + ")",
      .widest = error.worst < 0.0099 ? "8.8·10⁻⁸ (worst 8.8·10⁻⁸)" : "0.88 (worst 0.88)",
      .tip =
          "Relative error of the energy, (E − E₀)/|E₀|, which should not change: now, and the worst since the scene "
          "started or was reset. If |E₀| is nearly zero, as on a parabola, a tenth of the kinetic energy is used "
          "instead. ● below 10⁻³, ▲ below 10⁻², ■ above. A shorter time step, a smaller θ or a larger softening "
          "reduce it."};
}

std::string slow_text(const UiFrame& frame) {
  return text("%.0f %%", 100 * frame.speed_reached) + " of the chosen speed";
}

std::string sample_cost(const ForceSample& sample) {
  if (sample.bodies == 0) return {};
  return "The last measurement took " + two_figures(1000 * sample.seconds) + " ms; measurements take " +
         percent(sample.share) + " of the computing time.";
}

std::vector<HealthItem> health_items(const SessionState& state) {
  const Health& health = state.health;
  std::vector<HealthItem> items;
  if (measured(health.energy_error)) items.push_back(energy_item(health));
  if (measured(health.force_error)) items.push_back(force_item(state));
  if (measured(health.fall_per_step)) items.push_back(fall_item(state));
  if (measured(health.steps_per_orbit)) items.push_back(orbit_item(state));
  if (std::max(health.steps_at_pericenter.level, health.orbit_change.level) > HealthLevel::good)
    items.push_back(pericenter_item(health));
  if (health.level != HealthLevel::unknown) items.push_back(momentum_item(health));
  return items;
}

std::string health_list(const SessionState& state) {
  std::string list;
  for (const HealthItem& item : health_items(state)) {
    const bool has_level = item.level != HealthLevel::unknown;
    list += std::string("\n") + (has_level ? look_of(item.level, Theme::dark).shape : "·") + ' ';
    list += item.label + ' ' + item.value;
  }
  return list;
}

}  // namespace pericenter::app
