#include "app/cli/auto_body_count.h"

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

constexpr std::size_t kSample = 4000;  // enough that a step of a CPU is no longer all overhead
constexpr std::size_t kSampleGrowth = 7, kLargestSample = 200'000;  // as far as a GPU needs it; making it takes time
constexpr std::size_t kFewest = 2000;
// A measured rate of a few milliseconds is not worth more than this; whoever has a fast machine moves the slider.
constexpr std::size_t kMax = 1'000'000, kMaxInSoftware = 200'000;  // which a software renderer still draws in time

/// Milliseconds that a step may take. Without a GPU the picture takes a good part of the same cores.
constexpr double kBudgetMs = 28, kSoftwareBudgetMs = 17;

double step_ms(Simulation& simulation, const Params& params) {
  const auto start = std::chrono::steady_clock::now();
  simulation.step(params);
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

/// Best of three, after one that warms caches and threads.
double sample_ms(const SceneInfo& info, const Config& config, std::size_t bodies) {
  const Scene sample = info.make({.bodies = bodies, .dimension = config.dimension});
  const auto simulation = Simulation::create(config, sample.bodies);
  double best = step_ms(*simulation, sample.params);
  for (int k = 0; k < 3; ++k) best = std::min(best, step_ms(*simulation, sample.params));
  return best;
}

struct Measurement {
  std::size_t bodies = 0;
  double ms = 0;
};

/// A GPU is hardly busy with a small sample, so it gets larger ones, until a step takes a good part of the budget or
/// the memory is full. What fails with the first sample will fail again in the simulation, which can say so.
Measurement measured(const SceneInfo& info, const Config& config, double budget_ms) {
  Measurement best{kSample, budget_ms};
  const std::size_t largest = config.backend == Backend::cuda ? kLargestSample : kSample;
  try {
    for (std::size_t bodies = kSample; bodies <= largest; bodies *= kSampleGrowth) {
      best = {bodies, sample_ms(info, config, bodies)};
      if (best.ms > budget_ms / 8) break;
    }
  } catch (const std::exception&) {
    return best;
  }
  return best;
}

/// The largest of 1, 1.5, 2, 3, 5, 7 times a power of ten that is not above `number`.
std::size_t round_down(double number) {
  constexpr std::array<double, 6> kFactors = {7, 5, 3, 2, 1.5, 1};
  const double power = std::pow(10, std::floor(std::log10(number)));
  const auto* factor = std::find_if(kFactors.begin(), kFactors.end(), [&](double f) { return f * power <= number; });
  return static_cast<std::size_t>((factor == kFactors.end() ? 1 : *factor) * power);
}

}  // namespace

std::size_t fitting_bodies(const std::string& scene, const Config& config, bool software_rendering) {
  const SceneInfo* info = find_scene(scene);
  const SolverInfo* solver = find_solver(config.solver);
  if (!info || !solver) return kSample;
  if (info->fixed_bodies) return info->fixed_bodies;
  const double budget_ms = software_rendering ? kSoftwareBudgetMs : kBudgetMs;
  const Measurement sample = measured(*info, config, budget_ms);
  const double ratio = budget_ms / std::max(sample.ms, 1e-3);
  // A tree costs a little more than N, which rounding down allows for; the direct sum costs N squared.
  const double growth = solver->has_tree() ? ratio : std::sqrt(ratio);
  const auto most = static_cast<double>(software_rendering ? kMaxInSoftware : kMax);
  const auto fewest = static_cast<double>(std::max(kFewest, info->min_bodies));
  return round_down(std::clamp(static_cast<double>(sample.bodies) * growth, fewest, most));
}

}  // namespace pericenter::app
