#include "app/settings/auto_body_count.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <exception>

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

std::size_t fitting_bodies(const std::string& scene, const Config& config, bool software_rendering) {
  return fitting_bodies(scene, time_step(scene, config), software_rendering);
}

}  // namespace pericenter::app
