#include "sim/run/force_sample_watch.h"

#include <algorithm>
#include <chrono>
#include <new>

#include "sim/core/cancellation.h"
#include "sim/core/clock.h"
#include "sim/core/device.h"
#include "sim/run/accuracy_watch.h"

namespace pericenter {
namespace {

using Clock = std::chrono::steady_clock;

/// Seconds that requests may wait for a measurement of paused bodies, which may need new forces.
constexpr double kMaxPausedSeconds = 0.25;
// Cautious speeds of exact sums, before the first measurement.
constexpr double kCpuPairsPerSecond = 3e8, kCudaPairsPerSecond = 1e10;

bool can_sample(const RunView& view) {
  return view.samples_forces && view.simulation.size() > 0 && !view.state.playback && !view.simulation.in_step() &&
         view.state.diagnostics.non_finite == 0;
}

bool is_current(const RunView& view) {
  const ForceSample& sample = view.state.force_sample;
  return sample.bodies > 0 && sample.steps == view.simulation.steps() &&
         have_same_forces(sample.params, view.state.params);
}

}  // namespace

void ForceSampleWatch::resume(const RunView& view) {
  view.state.force_sample = {};
  paused_sample_seconds_ = 0;
  schedule_ = SampleSchedule(view.config().backend == Backend::cuda ? kCudaPairsPerSecond : kCpuPairsPerSecond);
}

void ForceSampleWatch::after_step(const RunView& view) {
  schedule_.add_step(view.step_seconds);
  if (!can_sample(view)) return;
  const Clock::time_point start = Clock::now();
  const double now = std::chrono::duration<double>(start.time_since_epoch()).count();
  const std::size_t count = schedule_.due(view.simulation.size(), now);
  if (count == 0) return;
  sample(view, count);
  schedule_.note(seconds_between(start, Clock::now()), now);
  view.state.force_sample.share = schedule_.share();
}

bool ForceSampleWatch::sample_paused(const RunView& view) {
  if (!can_sample(view) || is_current(view)) return false;
  const std::size_t bodies = view.simulation.size();
  const double seconds =
      std::max({view.state.mean_step_seconds(), paused_sample_seconds_, schedule_.least_seconds(bodies)});
  if (seconds > kMaxPausedSeconds) {
    if (!have_same_forces(view.state.force_sample.params, view.state.params)) view.state.force_sample = {};
    return false;
  }
  const Clock::time_point start = Clock::now();
  const bool changed = sample(view, schedule_.most(bodies));
  paused_sample_seconds_ = std::max(paused_sample_seconds_, seconds_between(start, Clock::now()));
  return changed;
}

/// Keeps the last sample if the bodies or forces are not finite, if memory is insufficient, and when it is cancelled.
bool ForceSampleWatch::sample(const RunView& view, std::size_t count) {
  Simulation& simulation = view.simulation;
  ForceSample& found = view.state.force_sample;
  try {
    const SampledForces forces =
        simulation.sampled_forces(view.state.params, random_sample(simulation.size(), count, ++samples_));
    schedule_.note_speed(count, simulation.size(), forces.seconds);
    const std::optional<ForceErrors> errors = errors_of(forces);
    if (!errors) return false;
    found = {.bodies = count,
             .errors = *errors,
             .seconds = forces.seconds,
             .share = found.share,
             .time = simulation.time(),
             .steps = simulation.steps(),
             .params = view.state.params,
             .number = samples_};
    return true;
  } catch (const Cancelled&) {
  } catch (const std::bad_alloc&) {
  } catch (const DeviceMemoryError&) {
  }
  return false;
}

}  // namespace pericenter
