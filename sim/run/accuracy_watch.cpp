#include "sim/run/accuracy_watch.h"

#include <cmath>
#include <string>
#include <utility>

#include "sim/core/bodies.h"
#include "sim/core/cancellation.h"
#include "sim/core/clock.h"
#include "sim/core/display_units.h"

namespace pericenter {
namespace {

EnergyDefinition energy_definition(const RunView& view) {
  return {view.state.params.softening, view.state.params.gravity, view.config()};
}

/// What the health says about orbits.
void add_orbits(const RunState& state, HealthMeasurement& measured) {
  const OrbitCheck& orbits = state.orbit_check;
  measured.orbit_change = orbits.energy_change;
  if (!std::isnan(orbits.energy_change))
    measured.changed_orbit = body_name(orbits.changed_body) + " about " + body_name(orbits.center);
  if (std::isnan(orbits.pericenter_period) || state.params.dt == 0) return;
  measured.steps_at_pericenter = orbits.pericenter_period / std::abs(state.params.dt);
  measured.pericenter = body_name(orbits.body) + " comes within " + short_length_text(orbits.pericenter, state.units) +
                        " of " + body_name(orbits.center);
}

}  // namespace

bool have_same_forces(const Params& a, const Params& b) {
  return a.theta == b.theta && a.accuracy == b.accuracy && a.softening == b.softening && a.gravity == b.gravity;
}

void AccuracyWatch::start(const Diagnostics& reference, const RunView& view) {
  conservation_.start(static_cast<double>(view.simulation.steps()), reference, energy_definition(view));
}

void AccuracyWatch::resume(const RunView& view) {
  stepped_params_.reset();
  const auto position = static_cast<double>(view.simulation.steps());
  conservation_.rewind(position);
  health_.rewind(position);
}

void AccuracyWatch::on_diagnostics(const RunView& view) {
  if (view.state.orbit_check.number != orbit_checks_) update_health(view);
}

void AccuracyWatch::after_step(const RunView& view) {
  if (view.state.force_sample.number != samples_) update_health(view);
}

bool AccuracyWatch::is_due(double seconds) const {
  return seconds_between(last_measurement_, std::chrono::steady_clock::now()) > seconds;
}

bool AccuracyWatch::measure_diagnostics(const RunView& view) {
  Simulation& simulation = view.simulation;
  RunState& state = view.state;
  if (simulation.in_step()) return false;
  try {
    state.diagnostics = simulation.diagnostics(state.params);
  } catch (const Cancelled&) {
    return false;
  }
  last_measurement_ = std::chrono::steady_clock::now();
  state.device_memory = simulation.device_memory();
  state.device_name = simulation.device_name();
  state.device_shares = simulation.device_shares();
  measured_steps_ = simulation.steps();
  const ConservationErrors errors =
      conservation_.add(static_cast<double>(simulation.steps()), state.diagnostics, energy_definition(view));
  state.energy_error = errors.energy;
  momentum_change_ = errors.momentum;
  update_health(view);
  return true;
}

/// Adds a new sample to those with the same forces.
void AccuracyWatch::pool(const ForceSample& sample) {
  const bool is_new = std::exchange(samples_, sample.number) != sample.number;
  if (sample.bodies == 0 || !have_same_forces(std::exchange(sampled_params_, sample.params), sample.params))
    force_error_ = {};
  if (is_new && sample.bodies > 0) force_error_.add(sample.errors, sample.bodies);
}

void AccuracyWatch::update_health(const RunView& view) {
  RunState& state = view.state;
  state.health = {};
  if (state.playback) return;
  const bool has_steps = !has_internal_steps(view.config());
  HealthMeasurement measured = has_steps ? measurement_of_time_step(state.params, state.diagnostics)
                                         : HealthMeasurement{.non_finite = state.diagnostics.non_finite};
  measured.position = static_cast<double>(view.simulation.steps());
  measured.energy_error = state.energy_error;
  measured.momentum_change = momentum_change_;
  pool(state.force_sample);
  if (state.force_sample.bodies > 0 && have_same_forces(sampled_params_, state.params))
    measured.force_error = force_error_.mean(view.simulation.size());
  if (has_steps) add_orbits(state, measured);
  orbit_checks_ = state.orbit_check.number;
  measured.stepped = stepped_params_ == state.params;
  health_.add(measured);
  state.health = health_.health();
}

}  // namespace pericenter
