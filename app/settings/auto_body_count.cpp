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
#include "sim/scenes/registry.h"
#include "sim/solvers/registry.h"

namespace pericenter::app {
namespace {

constexpr std::size_t kSample = 4000;  // large enough that overhead does not dominate a CPU step
constexpr std::size_t kSampleGrowth = 7, kLargestSample = 200'000;  // sample sizes for GPUs
constexpr std::size_t kMinBodies = 2000;
// A measurement of a few milliseconds does not justify more; a software renderer is the bottleneck beyond its limit.
constexpr std::size_t kMaxBodies = 1'000'000, kMaxBodiesInSoftware = 200'000;

/// Time budget of a step in milliseconds. A software renderer shares the CPU cores.
constexpr double kBudgetMs = 28, kSoftwareBudgetMs = 17;

double step_ms(Simulation& simulation, const Params& params) {
  const auto start = std::chrono::steady_clock::now();
  simulation.step(params);
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

/// Best of three steps after a warm-up step.
double sample_ms(const SceneInfo& info, const Config& config, std::size_t bodies) {
  const Scene sample = info.make({.bodies = bodies, .dimension = config.dimension});
  const auto simulation = Simulation::create(config, sample.bodies);
  double best = step_ms(*simulation, sample.params);
  for (int k = 0; k < 3; ++k) best = std::min(best, step_ms(*simulation, sample.params));
  return best;
}

/// The largest of 1, 1.5, 2, 3, 5, 7 times a power of ten up to `number`.
std::size_t round_down(double number) {
  constexpr std::array<double, 6> kFactors = {7, 5, 3, 2, 1.5, 1};
  const double power = std::pow(10, std::floor(std::log10(number)));
  const auto* factor = std::find_if(kFactors.begin(), kFactors.end(), [&](double f) { return f * power <= number; });
  return static_cast<std::size_t>((factor == kFactors.end() ? 1 : *factor) * power);
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

/// A small sample does not occupy a GPU, so samples grow until a step uses an eighth of the budget or memory is full.
/// If the first sample fails, the simulation reports the same error later.
StepSample time_step(const std::string& scene, const Config& config) {
  const SceneInfo* info = find_scene(scene);
  const SolverInfo* solver = find_solver(config.solver);
  StepSample best{kSample, kBudgetMs, solver && solver->has_tree()};
  if (!info || !solver || info->fixed_bodies) return best;
  const std::size_t largest = config.backend == Backend::cuda ? kLargestSample : kSample;
  try {
    for (std::size_t bodies = kSample; bodies <= largest; bodies *= kSampleGrowth) {
      best.ms = sample_ms(*info, config, bodies);
      best.bodies = bodies;
      if (best.ms > kBudgetMs / 8) break;
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
    if (words >> known.bodies >> known.ms >> known.has_tree && std::getline(words >> std::ws, name) && name == key &&
        known.bodies > 0 && known.ms > 0)
      return known;
  }
  const StepSample timed = time_step(scene, config);
  try {
    write_file(file, before + std::to_string(timed.bodies) + ' ' + exact(timed.ms) + (timed.has_tree ? " 1 " : " 0 ") +
                         key + '\n');
  } catch (const FileError&) {
    // The next start times it again.
  }
  return timed;
}

std::size_t bodies_for_share(std::size_t bodies, double share, bool has_tree) {
  const auto now = static_cast<double>(bodies);
  const auto cost = [&](double n) { return has_tree ? n * std::log(n) : n * n; };
  double fewer = now;
  // The step of a fixed-point iteration; a logarithm makes it converge quickly.
  for (int k = 0; k < 20; ++k) fewer = share * cost(now) / (cost(fewer) / fewer);
  return fewer >= static_cast<double>(kMinBodies) && fewer < now ? round_down(fewer) : 0;
}

std::size_t fitting_bodies(const std::string& scene, const StepSample& sample, bool software_rendering) {
  const SceneInfo* info = find_scene(scene);
  if (!info) return kSample;
  if (info->fixed_bodies) return info->fixed_bodies;
  const double ratio = (software_rendering ? kSoftwareBudgetMs : kBudgetMs) / std::max(sample.ms, 1e-3);
  // A tree costs slightly more than N, which rounding down covers; direct summation costs N squared.
  const double growth = sample.has_tree ? ratio : std::sqrt(ratio);
  const auto max = static_cast<double>(software_rendering ? kMaxBodiesInSoftware : kMaxBodies);
  const auto min = static_cast<double>(std::max(kMinBodies, info->min_bodies));
  return round_down(std::clamp(static_cast<double>(sample.bodies) * growth, min, max));
}

}  // namespace pericenter::app
