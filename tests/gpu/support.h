#pragma once

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>

#include "sim/core/simulation.h"
#include "tests/support/reference.h"
#include "tests/support/running_simulation.h"

namespace pericenter::test {

/// PERICENTER_TEST_SHORT in the environment reduces bodies and iterations, for slow tools.
inline bool short_run() {
  return std::getenv("PERICENTER_TEST_SHORT") != nullptr;
}
/// A number of bodies or iterations, reduced to a tenth in a short run.
inline std::size_t sized(std::size_t count) {
  return short_run() ? std::max<std::size_t>(count / 10, 2) : count;
}

/// All configurations with bit-identical results in every run.
inline std::vector<Config> reproducible_configs() {
  std::vector<Config> configs = configs_of(Backend::cuda);
  std::erase_if(configs, [](const Config& config) { return !find_solver(config.solver)->reproducible; });
  return configs;
}

inline bool same_bytes(const std::vector<Vertex>& a, const std::vector<Vertex>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(Vertex)) == 0;
}

}  // namespace pericenter::test
