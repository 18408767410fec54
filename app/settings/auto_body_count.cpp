#include "app/settings/auto_body_count.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <exception>
#include <sstream>

#include "app/base/atomic_file.h"
#include "app/base/format.h"
#include "app/base/system_report.h"
#include "sim/core/device.h"
#include "sim/core/simulation.h"
#include "sim/run/run_state.h"
#include "sim/scenes/registry.h"
#include "sim/session/pace.h"
#include "sim/solvers/registry.h"

namespace pericenter::app {
namespace {

constexpr std::size_t kSample = 4000;  // large enough that overhead does not dominate a CPU step
constexpr std::size_t kSampleGrowth = 7, kLargestSample = 200'000;  // sample sizes for GPUs
constexpr std::size_t kMinBodies = 2000;
// A measurement of a few milliseconds does not justify more; a software renderer is the bottleneck beyond its limit.
constexpr std::size_t kMaxBodies = 1'000'000, kMaxBodiesInSoftware = 200'000;

/// Share of the time between two steps that a step may take. A software renderer shares the CPU cores.
constexpr double kBudget = 0.8, kSoftwareBudget = 0.4;
constexpr double kBusyMs = 3.5;  ///< duration of a step that occupies a GPU

double step_ms(Simulation& simulation, const Params& params) {
  const auto start = std::chrono::steady_clock::now();
  simulation.step(params);
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

/// Scene time per second.
double speed_of(const Scene& scene) {
  RunState run;
  run.bodies = scene.bodies.size();
  run.suggested = scene.params;
  run.view_radius = scene.view_radius;
  run.highlight_time = scene.highlight_time;
  for (const Body& body : scene.bodies) run.diagnostics.mass += body.mass;
  return default_speed(run);
}

/// Best of three steps after a warm-up step.
StepSample sample_of(const SceneInfo& info, const Config& config, std::size_t bodies) {
  const Scene scene = info.make({.bodies = bodies, .dimension = config.dimension});
  const auto simulation = Simulation::create(config, scene.bodies);
  StepSample sample{bodies, step_ms(*simulation, scene.params), find_solver(config.solver)->has_tree(),
                    1000 / steps_per_second(speed_of(scene), scene.params.dt)};
  for (int k = 0; k < 3; ++k) sample.ms = std::min(sample.ms, step_ms(*simulation, scene.params));
  return sample;
}

/// The largest round number from kMinBodies to `most` that fits; kMinBodies if none does.
template <class Fits>
std::size_t largest_fitting(std::size_t most, const Fits& fits) {
  constexpr std::array kDigits = {80, 60, 50, 40, 30, 20, 15, 10};
  for (std::size_t power = 10'000'000; power > 0; power /= 10)
    for (const std::size_t digits : kDigits)
      if (const std::size_t bodies = digits * power; bodies >= kMinBodies && bodies <= most && fits(bodies))
        return bodies;
  return kMinBodies;
}

/// Duration of a step in arbitrary units.
double cost(std::size_t bodies, bool has_tree) {
  const auto n = static_cast<double>(bodies);
  return has_tree ? n * std::log(n) : n * n;
}

/// Time that `bodies` bodies may take from step to step, over that of `other`.
double interval_ratio(const SceneInfo& scene, std::size_t bodies, std::size_t other) {
  return scene.dt ? scene.dt(bodies, 0) / scene.dt(other, 0) : 1;
}

constexpr std::size_t kMaxMemory = 1 << 20;  ///< bytes of the file with remembered steps

/// What the duration of a step depends on, in one line.
std::string key_of(const std::string& scene, const Config& config) {
  std::string key = "Pericenter " PERICENTER_VERSION ", " + scene + ", " + config.solver + ", " +
                    std::string(kEnumNames<Backend>[static_cast<std::size_t>(config.backend)]) + ", " +
                    std::string(kEnumNames<Precision>[static_cast<std::size_t>(config.precision)]) + ", " +
                    std::to_string(config.dimension) + ", " + std::to_string(config.threads) + ", " + processor();
  if (config.backend != Backend::cuda) return key;  // asking for GPUs takes tenths of a second
  const CudaStatus status = cuda_status();
  const CudaDevice* const device = status.find(config.device);
  return device ? key + ", " + device->name : key;
}

}  // namespace

std::size_t most_fitting_bodies(const std::string& scene) {
  const SceneInfo* info = find_scene(scene);
  return info ? info->allowed(kMaxBodies) : kSample;
}

/// A small sample does not occupy a GPU, so samples grow until a step takes kBusyMs or memory is full.
/// If the first sample fails, the simulation reports the same error later.
StepSample time_step(const std::string& scene, const Config& config) {
  const SceneInfo* info = find_scene(scene);
  const SolverInfo* solver = find_solver(config.solver);
  StepSample best{kSample, kSoftwareBudget, solver && solver->has_tree(), 1};
  if (!info || !solver || info->fixed_bodies) return best;
  const std::size_t largest = config.backend == Backend::cuda ? kLargestSample : kSample;
  try {
    for (std::size_t bodies = kSample; bodies <= largest; bodies *= kSampleGrowth) {
      best = sample_of(*info, config, bodies);
      if (best.ms > kBusyMs) break;
    }
  } catch (const std::exception&) {
    return best;
  }
  return best;
}

StepSample remembered_step(const std::string& scene, const Config& config, const std::string& file) {
  if (file.empty()) return time_step(scene, config);
  const std::string key = key_of(scene, config), before = first_bytes(file, kMaxMemory).value_or("");
  std::istringstream lines(before);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    StepSample known;
    std::string name;
    if (words >> known.bodies >> known.ms >> known.interval_ms >> known.has_tree &&
        std::getline(words >> std::ws, name) && name == key && known.bodies > 0 && known.ms > 0 &&
        known.interval_ms > 0)
      return known;
  }
  const StepSample timed = time_step(scene, config);
  try {
    write_file(file, before + std::to_string(timed.bodies) + ' ' + exact(timed.ms) + ' ' + exact(timed.interval_ms) +
                         (timed.has_tree ? " 1 " : " 0 ") + key + '\n');
  } catch (const FileError&) {
    // The next start times it again.
  }
  return timed;
}

std::size_t bodies_for_share(const SceneInfo& scene, std::size_t bodies, double share, bool has_tree) {
  const auto fits = [&](std::size_t fewer) {
    return cost(fewer, has_tree) <= share * cost(bodies, has_tree) * interval_ratio(scene, fewer, bodies);
  };
  const std::size_t fewer = largest_fitting(std::max(bodies, kMinBodies) - 1, fits);
  return fewer < bodies && fits(fewer) ? fewer : 0;
}

std::size_t fitting_bodies(const std::string& scene, const StepSample& sample, bool software_rendering) {
  const SceneInfo* info = find_scene(scene);
  if (!info) return kSample;
  if (info->fixed_bodies) return info->fixed_bodies;
  const double budget_ms = (software_rendering ? kSoftwareBudget : kBudget) * sample.interval_ms;
  const auto fits = [&](std::size_t bodies) {
    const double ms = sample.ms * cost(bodies, sample.has_tree) / cost(sample.bodies, sample.has_tree);
    return ms <= budget_ms * interval_ratio(*info, bodies, sample.bodies);
  };
  return info->allowed(largest_fitting(software_rendering ? kMaxBodiesInSoftware : kMaxBodies, fits));
}

}  // namespace pericenter::app
