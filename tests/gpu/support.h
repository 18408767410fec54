#pragma once

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <thread>

#include "sim/core/simulation.h"
#include "tests/support/reference.h"

namespace pericenter::test {

/// With PERICENTER_TEST_SHORT in the environment: few bodies and few turns, for tools that slow everything down.
inline bool short_run() {
  return std::getenv("PERICENTER_TEST_SHORT") != nullptr;
}
/// A number of bodies or turns, a tenth of it in a short run.
inline std::size_t sized(std::size_t count) {
  return short_run() ? std::max<std::size_t>(count / 10, 2) : count;
}

/// Waits for `condition`, for a time that only a defect uses up.
inline bool eventually(const std::function<bool()>& condition) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (std::chrono::steady_clock::now() < end) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
  return condition();
}

/// All that promise the same bits in every run.
inline std::vector<Config> reproducible_configs() {
  std::vector<Config> configs = configs_of(Backend::cuda);
  std::erase_if(configs, [](const Config& config) { return !find_solver(config.solver)->reproducible; });
  return configs;
}

inline bool same_bytes(const std::vector<Vertex>& a, const std::vector<Vertex>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(Vertex)) == 0;
}

}  // namespace pericenter::test
