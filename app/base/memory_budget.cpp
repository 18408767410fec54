#include "app/base/memory_budget.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "sim/solvers/registry.h"

namespace pericenter::app {
namespace {

// With doubles and a picture, while another scene of as many bodies takes the place of one: measured at one million,
// 490 for octree and fmm, 830 for hybrid, which has the largest tree of the others.
constexpr double kBytesPerBody = 550, kBytesPerBodyWithLargeTree = 950;
constexpr std::string_view kWithLargeTree[] = {"concurrent-octree", "hilbert-bvh", "hybrid", "hybrid-shared",
                                               "tree-sorted"};
// While a simulation is rebuilt: bodies twice, 64 bytes each time, and their vertices where OpenGL cannot share them.
constexpr double kCudaBytesPerBody = 180;
constexpr double kBytesOfProgram = 100e6;

double bytes_per_body(const Config& config) {
  if (config.backend == Backend::cuda) return kCudaBytesPerBody;
  return std::ranges::find(kWithLargeTree, config.solver) != std::end(kWithLargeTree) ? kBytesPerBodyWithLargeTree
                                                                                      : kBytesPerBody;
}

/// The number in a file of the system that has nothing else; nullopt where there is none.
std::optional<double> number_in(const char* path) {
  double number = 0;
  std::ifstream file(path);
  return file >> number ? std::optional(number) : std::nullopt;
}

/// The number after `name` in a table of the system; 0 when it is not there.
double entry(const char* path, std::string_view name) {
  std::ifstream table(path);
  std::string found;
  for (double number = 0; table >> found >> number; table.ignore(64, '\n')) {
    if (found == name) return number;
  }
  return 0;
}

/// What the control group of a container has left, in version 2; nullopt where it sets no limit. Copies of files make
/// room when they have to.
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
  // Indices of bodies are 32 bits wide.
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
