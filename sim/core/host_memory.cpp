#include "sim/core/host_memory.h"

#include <algorithm>
#include <fstream>
#include <new>
#include <optional>
#include <string>
#include <string_view>

namespace pericenter {
namespace {

constexpr std::size_t kSmall = 1'000'000'000;  // bytes; reading the files of the system would cost more than it saves
constexpr const char* kContainerLimit = "/sys/fs/cgroup/memory.max";

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
  const std::optional<double> most = number_in(kContainerLimit);
  const std::optional<double> used = number_in("/sys/fs/cgroup/memory.current");
  if (!most || !used) return std::nullopt;
  return std::max(1.0, *most - *used + entry("/sys/fs/cgroup/memory.stat", "file"));
}

}  // namespace

double available_memory() {
  const double available = 1024 * entry("/proc/meminfo", "MemAvailable:");
  const std::optional<double> left = left_in_container();
  return left ? (available > 0 ? std::min(available, *left) : *left) : available;
}

double total_memory() {
  const double machine = 1024 * entry("/proc/meminfo", "MemTotal:");
  const std::optional<double> most = number_in(kContainerLimit);
  return most && (machine <= 0 || *most < machine) ? *most : machine;
}

void require_memory(std::size_t bytes) {
  if (bytes < kSmall) return;
  const double available = available_memory();
  if (available > 0 && static_cast<double>(bytes) > available) throw std::bad_alloc();
}

}  // namespace pericenter
