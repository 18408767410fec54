// What a Session records of its run, and the way back to the start.
#include <algorithm>
#include <cmath>
#include <new>
#include <string>

#include "sim/analysis/rotation_curve.h"
#include "sim/core/clock.h"
#include "sim/core/display_units.h"
#include "sim/core/timestep_criterion.h"
#include "sim/session/session.h"

namespace pericenter {
namespace {

/// Times that differ by this share of a time step are the same. The time is a sum of time steps: after a million of
/// them its rounding error is a thousandth of that.
constexpr double kSameTime = 1e-6;
/// Of its duration, what a measurement on another thread costs the run.
constexpr double kBackgroundCost = 0.1;

std::string text_of_return(const StartPositions* start, double distance, const Units& units) {
  if (!start) return "Back at the start. There is no memory for the start positions, so the distance is unknown.";
  const std::string share =
      start->radius() > 0 ? " (" + three_digits(100 * distance / start->radius()) + " % of the radius)" : "";
  return "Back at the start: rms distance " + short_length_text(distance, units) + share + ".";
}

}  // namespace

TimelinePoint Session::timeline_point() const {
  const double time = simulation_->time();
  return {state_.playback ? time : static_cast<double>(simulation_->steps()), time};
}

/// Starts the record of new bodies, whose first sample is that of the start.
void Session::begin_record() {
  returning_ = false;
  settings_of_steps_.reset();
  settings_changed_ = false;
  state_.start_time = simulation_->time();
  encounter_watch_.reset();
  if (!options_.records && !options_.reports_encounters) return;
  if (state_.playback) {
    recorder_.clear_for_playback(state_.playback->last - state_.playback->first);
  } else {
    recorder_.clear();
  }
  body_measurements_.begin(checkpoints_.latest() != nullptr);
  rotation_budget_.reset();
  record_sample();
  if (options_.records) return measure_bodies();
  if (checkpoints_.latest()) measure_bodies_now();
}

/// Adds the diagnostics to the record.
void Session::record_sample() {
  if (!options_.records) return;
  const Diagnostics& diagnostics = state_.diagnostics;
  const auto [position, time] = timeline_point();
  LabSample sample{.position = position,
                   .time = time,
                   .kinetic = diagnostics.kinetic,
                   .potential = diagnostics.potential,
                   .energy_error = state_.energy_error,
                   .momentum = diagnostics.momentum,
                   .angular_momentum = diagnostics.angular_momentum};
  if (!state_.playback) {
    const Params& params = state_.params;
    if (params.softening > 0) {
      sample.softenings_per_step = softenings_per_step(params, diagnostics);
    } else if (diagnostics.shortest_orbit > 0) {
      sample.steps_per_orbit = diagnostics.shortest_orbit / std::abs(params.dt);
    }
  }
  if (state_.force_sample.bodies > 0) {
    sample.force_error = state_.force_sample.errors.mean;
    sample.force_error_99 = state_.force_sample.errors.percentile_99;
    sample.force_error_max = state_.force_sample.errors.max;
  }
  const double rate = rates_.bodies_per_second(simulation_->size());
  if (rate > 0) sample.step_ms = static_cast<float>(1e3 * static_cast<double>(simulation_->size()) / rate);
  recorder_.add(sample);
}

/// Measures the structure when it is time for that. On a GPU the bodies are those of the latest checkpoint, because
/// another thread has already copied them to the host.
void Session::measure_bodies() {
  if (!options_.records) return;
  if (const auto found = body_measurements_.take(recorder_.courses()))
    recorder_.add(found->structure, found->start_distance);
  if (measures_rotation_ && rotation_budget_.is_due()) measure_rotation();
  const std::shared_ptr<const Snapshot> checkpoint = checkpoints_.latest();
  // Where memory is too small for a checkpoint, it is too small for this copy.
  if (!state_.playback && !checkpoint) return;
  if (options_.measures_each_step) return measure_bodies_now();
  if (!body_measurements_.is_due()) return;
  if (state_.playback || config().backend == Backend::cpu) return measure_bodies_now();
  body_measurements_.measure_later(
      checkpoint, {{static_cast<double>(checkpoint->run->steps), checkpoint->time}, config().dimension},
      recorder_.courses());
}

/// Measures separation and tails when they are due, so that the events of an encounter are exact. Without memory for a
/// copy of all bodies they are measured from a sample.
void Session::watch_encounter() {
  if (state_.playback || !(options_.records || options_.reports_encounters)) return;
  // With a checkpoint, another thread finds the structure soon.
  const bool has_structure = body_measurements_.structure() != nullptr;
  if (!has_structure && (checkpoints_.latest() || checkpoints_.is_copying())) return;
  if (const auto found = body_measurements_.take_encounter(recorder_.courses())) {
    recorder_.add_earlier(found->sample);
    encounter_watch_.note(found->sample, kBackgroundCost * found->seconds);
  }
  encounter_watch_.note_step(last_step_seconds_);
  const TimelinePoint at = timeline_point();
  const bool waits = body_measurements_.is_measuring_encounter() || simulation_->in_step();
  if (waits || !encounter_watch_.is_due(at.position)) return;
  const Clock::time_point start = Clock::now();
  try {
    if (!has_structure) return watch_sample(at);
    if (config().backend != Backend::cpu) {
      // The only copy on the device is in use until then.
      if (checkpoints_.is_copying() || pending_keyframe_.valid()) return;
      std::function<Bodies()> later = simulation_->async_snapshot();
      if (!later) return watch_sample(at);
      return body_measurements_.measure_encounter_later(std::move(later), at, recorder_.courses());
    }
    const BodyMeasurements::Encounter found = body_measurements_.measure_encounter(simulation_->bodies(), at);
    recorder_.add_newest(found.sample);
    encounter_watch_.note(found.sample, seconds_between(start, Clock::now()));
  } catch (const std::bad_alloc&) {
    return;  // the run itself may need the memory
  } catch (const DeviceMemoryError&) {
    return;
  }
}

void Session::watch_sample(const TimelinePoint& at) {
  const Clock::time_point start = Clock::now();
  const Bodies sample = simulation_->sampled_bodies(BodySample::of(simulation_->size(), options_.encounter_sample));
  const BodyMeasurements::Encounter found = body_measurements_.measure_encounter_of_sample(sample, at);
  recorder_.add_newest(found.sample);
  encounter_watch_.note(found.sample, seconds_between(start, Clock::now()));
}

void Session::measure_bodies_now() {
  try {
    const BodyMeasurements::Found found =
        body_measurements_.measure([this] { return simulation_->bodies(); }, {timeline_point(), config().dimension});
    if (!options_.records) return recorder_.add_newest(found.structure);
    recorder_.add(found.structure, found.start_distance);
  } catch (const std::bad_alloc&) {
    return;  // the run itself may need the memory
  }
}

// ---- rotation curve

void Session::apply_to(const request::MeasureRotation& wanted) {
  measures_rotation_ = wanted.measure;
  if (!wanted.measure) return recorder_.set_rotation({});
  if (simulation_ && options_.records) measure_rotation();
}

void Session::measure_rotation() {
  const StructureMeter* const structure = body_measurements_.structure();
  if (!structure || structure->disc().empty() || simulation_->in_step()) return;
  const Clock::time_point start = Clock::now();
  try {
    const std::vector<Vec3> accelerations =
        state_.playback ? std::vector<Vec3>() : simulation_->accelerations(state_.params);
    const Bodies bodies = simulation_->bodies();
    if (structure->size() != bodies.size()) return;
    if (const auto nucleus = structure->nuclei(bodies)[0]) {
      RotationCurve curve = rotation_curve(bodies, accelerations, structure->disc(), *nucleus);
      curve.time = simulation_->time();
      recorder_.set_rotation(std::move(curve));
    }
  } catch (const std::bad_alloc&) {
    recorder_.set_rotation({});
  }
  rotation_budget_.note(start);
}

// ---- back to the start

void Session::apply_to(const request::RunBackwards&) {
  if (!simulation_) return;
  if (state_.playback) return set_message("A playback is not computed. Drag its time line back instead.", false);
  if (!continue_from_here()) return;
  Params& params = state_.params;
  const double way = state_.start_time - simulation_->time();
  if (params.dt == 0) return set_message("The time step is 0. Choose another one to run back.", true);
  if (std::abs(way) <= kSameTime * std::abs(params.dt)) return set_message("This is the start of the run.", false);
  params.dt = std::copysign(params.dt, way);
  returning_ = state_.running = true;
  const bool is_reversible = !settings_changed_ && config().integrator == Integrator::leapfrog;
  const std::string reason =
      settings_changed_ ? "Settings were changed during the run" : "Semi-implicit Euler is not reversible";
  set_message(is_reversible ? "Running backwards to the start, " +
                                  std::to_string(std::llround(std::ceil(way / params.dt - kSameTime))) + " steps."
                            : "Running backwards to the start. " + reason + ", so the way back is only approximate.",
              false);
}

/// Parameters of the next step: on the way back, a step does not go beyond the start.
Params Session::next_params() {
  Params params = state_.params;
  const double way = state_.start_time - simulation_->time();
  returning_ = returning_ && way * params.dt > 0;
  if (returning_ && std::abs(way) < (1 - kSameTime) * std::abs(params.dt)) params.dt = way;
  return params;
}

/// Notes the settings of a step, and whether it has led back to the start.
void Session::note_step(const Params& params) {
  RunSettings now{config(), state_.params};
  now.params.dt = std::abs(now.params.dt);
  if (!settings_of_steps_) settings_of_steps_ = now;
  settings_changed_ =
      settings_changed_ || now.config != settings_of_steps_->config || now.params != settings_of_steps_->params;
  if (returning_ && std::abs(state_.start_time - simulation_->time()) <= kSameTime * std::abs(params.dt))
    finish_return();
}

void Session::finish_return() {
  returning_ = state_.running = false;
  pending_steps_ = 0;
  state_.params.dt = -state_.params.dt;
  update_diagnostics();
  if (checkpoints_.latest()) measure_bodies_now();
  set_message(text_of_return(body_measurements_.start(), recorder_.start_distance(), state_.units), false);
}

}  // namespace pericenter
