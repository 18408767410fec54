// How accurate the simulation of a Session is: errors of sampled forces, errors of conserved quantities, health.
#include <algorithm>
#include <limits>
#include <new>
#include <stdexcept>
#include <utility>

#include "sim/analysis/direct_reference.h"
#include "sim/analysis/force_error.h"
#include "sim/core/clock.h"
#include "sim/session/session.h"

namespace pericenter {
namespace {

/// Seconds that requests may wait for a measurement of paused bodies, which may need new forces.
constexpr double kMaxPausedSeconds = 0.25;
// Cautious speeds of exact sums, before the first measurement.
constexpr double kCpuPairsPerSecond = 3e8, kCudaPairsPerSecond = 1e10;

bool have_same_forces(const Params& a, const Params& b) {
  return a.theta == b.theta && a.accuracy == b.accuracy && a.softening == b.softening && a.gravity == b.gravity;
}

}  // namespace

// ---- errors of conserved quantities

EnergyDefinition Session::energy_definition() const {
  return {state_.params.softening, state_.params.gravity, config()};
}

/// Forgets the errors of the last scene.
void Session::start_accuracy() {
  conservation_.clear();
  health_.clear();
  samples_ = 0;
  state_.sweep.reset();
}

/// Measures a new simulation of the scene: another configuration, or an earlier moment of the run.
void Session::continue_accuracy() {
  state_.force_sample = {};
  stepped_params_.reset();
  paused_sample_seconds_ = 0;
  if (!simulation_) return;
  sample_schedule_ = SampleSchedule(config().backend == Backend::cuda ? kCudaPairsPerSecond : kCpuPairsPerSecond);
  const auto position = static_cast<double>(simulation_->steps());
  conservation_.rewind(position);
  health_.rewind(position);
  update_diagnostics();
}

/// Measures the energy error of the current bodies before a change that defines their energy differently. After steps
/// longer than SessionOptions::diagnostics_period it is known.
void Session::settle_energy_error() {
  if (simulation_ && diagnosed_steps_ != simulation_->steps()) update_diagnostics();
}

void Session::update_energy_error() {
  diagnosed_steps_ = simulation_->steps();
  const ConservationErrors errors =
      conservation_.add(static_cast<double>(simulation_->steps()), state_.diagnostics, energy_definition());
  state_.energy_error = errors.energy;
  momentum_change_ = errors.momentum;
}

void Session::update_health() {
  state_.health = {};
  if (!simulation_ || state_.playback) return;
  HealthMeasurement measured = measurement_of_time_step(state_.params, state_.diagnostics);
  measured.position = static_cast<double>(simulation_->steps());
  measured.energy_error = state_.energy_error;
  measured.momentum_change = momentum_change_;
  const ForceSample& sample = state_.force_sample;
  if (sample.bodies > 0 && have_same_forces(sample.params, state_.params)) measured.force_error = sample.errors.mean;
  measured.stepped = stepped_params_ == state_.params;
  health_.add(measured);
  state_.health = health_.health();
}

// ---- errors of sampled forces

void Session::apply_to(const request::SampleForces& wanted) {
  state_.samples_forces = wanted.sample;
  if (!wanted.sample) state_.force_sample = {};
  update_health();
}

bool Session::can_sample_forces() const {
  return state_.samples_forces && simulation_ && simulation_->size() > 0 && !state_.playback && !rewound_ &&
         !simulation_->in_step() && state_.diagnostics.non_finite == 0;
}

/// After a step.
void Session::update_force_sample() {
  sample_schedule_.add_step(last_step_seconds_);
  if (!can_sample_forces()) return;
  const Clock::time_point start = Clock::now();
  const double now = std::chrono::duration<double>(start.time_since_epoch()).count();
  const std::size_t count = sample_schedule_.due(simulation_->size(), now);
  if (count == 0) return;
  sample_forces(count);
  sample_schedule_.note(seconds_between(start, Clock::now()), now);
  state_.force_sample.share = sample_schedule_.share();
}

bool Session::sample_is_current() const {
  const ForceSample& sample = state_.force_sample;
  return sample.bodies > 0 && sample.steps == simulation_->steps() && have_same_forces(sample.params, state_.params);
}

void Session::sample_paused_forces() {
  if (state_.running || pending_steps_ > 0 || !can_sample_forces() || sample_is_current()) return;
  const double seconds = std::max(
      {state_.mean_step_seconds(), paused_sample_seconds_, sample_schedule_.least_seconds(simulation_->size())});
  if (seconds > kMaxPausedSeconds) {
    if (!have_same_forces(state_.force_sample.params, state_.params)) state_.force_sample = {};
    return;
  }
  const Clock::time_point start = Clock::now();
  sample_forces(sample_schedule_.most(simulation_->size()));
  paused_sample_seconds_ = std::max(paused_sample_seconds_, seconds_between(start, Clock::now()));
}

/// Keeps the last sample if the bodies or forces are not finite, if memory is insufficient, and when it is cancelled.
void Session::sample_forces(std::size_t count) {
  try {
    const SampledForces forces =
        simulation_->sampled_forces(state_.params, random_sample(simulation_->size(), count, ++samples_));
    sample_schedule_.note_speed(count, simulation_->size(), forces.seconds);
    const std::optional<ForceErrors> errors = errors_of(forces);
    if (!errors) return;
    state_.force_sample = {.bodies = count,
                           .errors = *errors,
                           .seconds = forces.seconds,
                           .share = state_.force_sample.share,
                           .time = simulation_->time(),
                           .steps = simulation_->steps(),
                           .params = state_.params};
    update_health();
  } catch (const Cancelled&) {
  } catch (const std::bad_alloc&) {
  } catch (const DeviceMemoryError&) {
  }
}

// ---- measurements on request

/// Turns the errors of a measurement into messages. `what` completes "Cannot measure ...".
void Session::measure(const std::string& what, const std::function<void()>& work) {
  if (!simulation_ || simulation_->size() == 0) return;
  if (state_.playback)
    return set_message("A playback has no forces to measure. Continue as a simulation first.", false);
  if (rewound_)
    return set_message(
        "A recorded moment has no forces to measure. Go to the end of the timeline or continue from here.", false);
  report_progress(true, 0);
  try {
    work();
    set_message({}, false);
  } catch (const Cancelled&) {
    set_message("Cancelled. The " + what + " are unchanged.", false);
  } catch (const std::bad_alloc&) {
    set_message("Out of memory: cannot measure the " + what + ". Use fewer bodies.", true);
  } catch (const DeviceMemoryError& error) {
    set_message("Cannot measure the " + what + ": " + error.what() + ". Use fewer bodies.", true);
  } catch (const std::invalid_argument& error) {
    set_message(error.what(), true);
  }
  report_progress(false, 1);
}

void Session::apply_to(const request::MeasureForceErrors&) {
  measure("force errors", [this] {
    const std::vector<Vec3> accelerations = simulation_->accelerations(state_.params);
    const std::vector<Vec3> exact =
        direct_reference(simulation_->config(), state_.params, simulation_->bodies(),
                         [this](double progress) { return report_progress(true, progress); });
    if (exact.empty()) throw Cancelled{};
    set_force_errors(relative_errors(accelerations, exact));
  });
}

void Session::set_force_errors(const std::vector<double>& relative) {
  state_.force_errors = distribution(relative);
  state_.force_errors_time = simulation_->time();
  std::vector<float> logarithms(relative.size());
  std::ranges::transform(relative, logarithms.begin(), log_scalar);
  simulation_->set_force_errors(std::move(logarithms));
  unpublished_ = true;
}

void Session::apply_to(const request::MeasureSweep& wanted) {
  measure("curves of cost and error", [&] {
    auto sweep = std::make_shared<ThetaSweep>();
    const Bodies bodies = bodies_between_steps();
    sweep->curves = measure_sweep({.config = simulation_->config(),
                                   .params = state_.params,
                                   .solvers = wanted.solvers,
                                   .progress = [this](double share) { return report_progress(true, share); },
                                   .cancellation = &cancellation_},
                                  bodies);
    sweep->bodies = bodies.size();
    sweep->time = simulation_->time();
    sweep->softening = state_.params.softening;
    state_.sweep = std::move(sweep);
  });
}

}  // namespace pericenter
