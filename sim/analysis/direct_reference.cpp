#include "sim/analysis/direct_reference.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>
#include <span>
#include <stdexcept>

#include "sim/analysis/force_error.h"
#include "sim/core/simulation.h"

namespace pericenter {
namespace {

constexpr double kMaxSeconds = 60;
/// The sums are one kernel, and drivers of GPUs with a monitor abort kernels that run longer.
constexpr double kMaxCudaSeconds = 5;

constexpr std::size_t kSlice = 1024;  ///< bodies between two progress reports
// Bodies for the measurement of the speed, which takes some hundredths of a second on a typical machine.
constexpr std::size_t kTrialBodies = 100'000, kTrialCudaBodies = 32'768;

Config direct_on_device(const Config& config) {
  return {.solver = "direct-tiled",
          .backend = Backend::cuda,
          .precision = Precision::float64,
          .dimension = config.dimension,
          .device = config.device};
}

Bodies first_of(const Bodies& bodies, std::size_t count) {
  return {bodies.begin(), bodies.begin() + static_cast<std::ptrdiff_t>(std::min(count, bodies.size()))};
}

double cpu_pairs_per_second(const Bodies& bodies, const Params& params) {
  const Bodies sample = first_of(bodies, kTrialBodies);
  std::vector<std::size_t> targets(std::min(kSlice, sample.size()));
  std::iota(targets.begin(), targets.end(), std::size_t(0));
  const auto start = std::chrono::steady_clock::now();
  direct_accelerations(sample, targets, params.softening);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  return static_cast<double>(targets.size()) * static_cast<double>(sample.size()) / std::max(seconds.count(), 1e-9);
}

/// Uses the timer of the device.
double cuda_pairs_per_second(const Config& direct, const Bodies& bodies, const Params& params) {
  const Bodies sample = first_of(bodies, kTrialCudaBodies);
  const auto trial = Simulation::create(direct, sample);
  trial->accelerations(params);
  const double seconds = trial->timings()[Stage::direct] * 1e-3, count = static_cast<double>(sample.size());
  return count * count / std::max(seconds, 1e-9);
}

void check(const std::string& problem) {
  if (!problem.empty()) throw std::invalid_argument(problem);
}

std::vector<Vec3> sums_on_cpu(const Params& params, const Bodies& bodies, const std::function<bool(double)>& progress) {
  check(problem_with_direct_sums(bodies.size(), cpu_pairs_per_second(bodies, params), kMaxSeconds));
  std::vector<std::size_t> all(bodies.size());
  std::iota(all.begin(), all.end(), std::size_t(0));
  std::vector<Vec3> sums;
  sums.reserve(all.size());
  while (sums.size() < all.size()) {
    const std::size_t count = std::min(kSlice, all.size() - sums.size());
    for (const Vec3& sum : direct_accelerations(bodies, std::span(all).subspan(sums.size(), count), params.softening)) {
      sums.push_back(sum * params.gravity);
    }
    if (!progress(static_cast<double>(sums.size()) / static_cast<double>(all.size()))) return {};
  }
  return sums;
}

}  // namespace

std::string problem_with_direct_sums(std::size_t bodies, double pairs_per_second, double max_seconds) {
  const auto max_bodies = static_cast<std::size_t>(std::sqrt(pairs_per_second * max_seconds));
  if (bodies <= max_bodies) return {};
  const double seconds = static_cast<double>(bodies) / pairs_per_second * static_cast<double>(bodies);
  // Rounded down to two digits, the accuracy of the measurement.
  const auto unit = static_cast<std::size_t>(std::pow(10, std::floor(std::log10(static_cast<double>(max_bodies))) - 1));
  const std::size_t limit = unit > 0 ? max_bodies / unit * unit : max_bodies;
  return "Direct sums for " + std::to_string(bodies) + " bodies would take about " +
         std::to_string(std::llround(std::ceil(seconds))) + " seconds here. Force errors can be measured for at most " +
         std::to_string(limit) + " bodies.";
}

std::vector<Vec3> direct_reference(const Config& config, const Params& params, const Bodies& bodies,
                                   const std::function<bool(double)>& progress) {
  if (!std::ranges::all_of(bodies, is_finite<double, 3>, &Body::position)) {
    throw std::invalid_argument("Force errors cannot be measured: some bodies are NaN or infinite. Reset the scene.");
  }
  if (config.backend == Backend::cpu) return sums_on_cpu(params, bodies, progress);
  const Config direct = direct_on_device(config);
  check(problem_with_direct_sums(bodies.size(), cuda_pairs_per_second(direct, bodies, params), kMaxCudaSeconds));
  return Simulation::create(direct, bodies)->accelerations(params);
}

}  // namespace pericenter
