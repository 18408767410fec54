#include "app/base/memory_budget.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

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

/// The number in a system file with a single number; nullopt if there is none.
std::optional<double> number_in(const char* path) {
  double number = 0;
  std::ifstream file(path);
  return file >> number ? std::optional(number) : std::nullopt;
}

/// The number after `name` in a system table; 0 if missing.
double entry(const char* path, std::string_view name) {
  std::ifstream table(path);
  std::string found;
  for (double number = 0; table >> found >> number; table.ignore(64, '\n')) {
    if (found == name) return number;
  }
  return 0;
}

/// Memory left in the control group (version 2) of a container; nullopt without a limit. The page cache counts as free.
std::optional<double> left_in_container() {
  const std::optional<double> most = number_in("/sys/fs/cgroup/memory.max");
  const std::optional<double> used = number_in("/sys/fs/cgroup/memory.current");
  if (!most || !used) return std::nullopt;
  return std::max(1.0, *most - *used + entry("/sys/fs/cgroup/memory.stat", "file"));
}

}  // namespace

double memory_for(std::size_t bodies, const Config& config) {
  return kBytesOfProgram + bytes_per_body(config) * static_cast<double>(bodies);
}

double available_memory() {
  const double available = 1024 * entry("/proc/meminfo", "MemAvailable:");
  const std::optional<double> left = left_in_container();
  return left ? (available > 0 ? std::min(available, *left) : *left) : available;
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
