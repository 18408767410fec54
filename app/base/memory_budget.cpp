#include "app/base/memory_budget.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "sim/solvers/registry.h"

namespace pericenter::app {
namespace {

// During a rebuild: two copies of the bodies of 64 bytes each, and their vertices if OpenGL cannot share them.
constexpr double kBytesPerBodyOnCuda = 180;
constexpr double kBytesOfProgram = 100e6;

double bytes_per_body(const Config& config) {
  if (config.backend == Backend::cuda) return kBytesPerBodyOnCuda;
  return find_solver(config.solver)->host_bytes_per_body;
}

}  // namespace

double memory_for(std::size_t bodies, const Config& config) {
  return kBytesOfProgram + bytes_per_body(config) * static_cast<double>(bodies);
}

std::size_t max_addressable_bodies(const Config& config) {
  // Body indices have 32 bits.
  constexpr std::size_t kOnCpu = std::numeric_limits<std::int32_t>::max();
  return config.backend == Backend::cuda ? find_solver(config.solver)->max_cuda_bodies : kOnCpu;
}

Config for_many_bodies(Config config, bool automatic_solver) {
  if (automatic_solver) config.solver = "fmm";
  return config;
}

std::size_t max_bodies(const Config& config) {
  const double available = available_memory(), most = static_cast<double>(max_addressable_bodies(config));
  if (available <= 0) return max_addressable_bodies(config);
  const double room = (available - kBytesOfProgram) / bytes_per_body(config);
  return static_cast<std::size_t>(std::clamp(std::floor(room), 1.0, most));
}

}  // namespace pericenter::app
