#include "sim/run/encounter_watch.h"

#include <chrono>
#include <cstddef>
#include <functional>
#include <new>
#include <utility>

#include "sim/core/clock.h"
#include "sim/core/device.h"

namespace pericenter {
namespace {

using Clock = std::chrono::steady_clock;

/// Share of its duration that a measurement on another thread costs the run.
constexpr double kBackgroundCost = 0.1;

// On a CPU a step and a measurement cost these units of time instead of the clock's, so that a run has the same events
// on a busy machine.
constexpr double kStep = 1;
constexpr double kCost = 0.2;         ///< cost of a measurement, which takes 0.1 to 0.2 of a step of the solver fmm
constexpr double kCostOfFew = 0.001;  ///< the same with fewer bodies than kFew: as good as nothing
constexpr std::size_t kFew = 20'001;  ///< number of bodies

bool is_on_cpu(const RunView& view) {
  return view.config().backend == Backend::cpu;
}

/// Of a measurement that took `seconds` on the thread of the run.
double cost_of(const RunView& view, double seconds) {
  if (!is_on_cpu(view)) return seconds;
  return view.simulation.size() < kFew ? kCostOfFew : kCost;
}

}  // namespace

void EncounterWatch::after_step(const RunView& view) {
  if (view.state.playback || !(view.options.records || view.options.reports_encounters)) return;
  // With a checkpoint, another thread finds the structure soon.
  if (!view.bodies.structure() && (view.checkpoints.latest() || view.checkpoints.is_copying())) return;
  if (const auto found = view.bodies.take_encounter(view.record.courses())) {
    view.record.add_earlier(found->sample);
    schedule_.note(found->sample, kBackgroundCost * found->seconds);
  }
  schedule_.note_step(is_on_cpu(view) ? kStep : view.step_seconds);
  const TimelinePoint at = view.now();
  const bool waits = view.bodies.is_measuring_encounter() || view.simulation.in_step();
  if (waits || !schedule_.is_due(at.position)) return;
  try {
    measure(view, at);
  } catch (const std::bad_alloc&) {
    return;  // the run itself may need the memory
  } catch (const DeviceMemoryError&) {
    return;
  }
}

void EncounterWatch::measure(const RunView& view, const TimelinePoint& at) {
  const Clock::time_point start = Clock::now();
  if (!view.bodies.structure()) return measure_sample(view, at);
  if (!is_on_cpu(view)) {
    if (view.device_copy_is_in_use) return;
    std::function<Bodies()> later = view.simulation.async_snapshot();
    if (!later) return measure_sample(view, at);
    return view.bodies.measure_encounter_later(std::move(later), at, view.record.courses());
  }
  const BodyMeasurements::Encounter found = view.bodies.measure_encounter(view.simulation.bodies(), at);
  view.record.add_newest(found.sample);
  schedule_.note(found.sample, cost_of(view, seconds_between(start, Clock::now())));
}

void EncounterWatch::measure_sample(const RunView& view, const TimelinePoint& at) {
  const Clock::time_point start = Clock::now();
  Simulation& simulation = view.simulation;
  const Bodies sample = simulation.sampled_bodies(BodySample::of(simulation.size(), view.options.encounter_sample));
  const BodyMeasurements::Encounter found = view.bodies.measure_encounter_of_sample(sample, at);
  view.record.add_newest(found.sample);
  schedule_.note(found.sample, cost_of(view, seconds_between(start, Clock::now())));
}

}  // namespace pericenter
