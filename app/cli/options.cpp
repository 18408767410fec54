#include "app/cli/options.h"

namespace pericenter::app {

Config config_with_options(const Config& saved, const Options& options) {
  const auto is_given = [&](const std::string& name) { return options.is_given(name); };
  const Config& asked = options.config;
  Config config = saved;
  if (!options.scene_string.empty()) {  // it tells all of them
    config = asked;
    if (options.automatic_solver) config.solver = saved.solver;
    return config;
  }
  config.backend = asked.backend;
  config.device = asked.device;
  config.threads = asked.threads;
  if (is_given("--solver") && !options.automatic_solver) {
    config.solver = asked.solver;
    config.switches = {};  // those of another solver
  }
  if (is_given("--precision")) config.precision = asked.precision;
  if (is_given("--dimension")) config.dimension = asked.dimension;
  if (is_given("--multipole")) config.multipole = asked.multipole;
  if (is_given("--simd")) config.simd = asked.simd;
  for (std::size_t k = 0; k < kSolverOptionCount; ++k) {
    const auto which = static_cast<SolverOption>(k);
    if (is_given("--" + std::string(solver_option_info(which).name))) config.switches.set(which, asked.switches[which]);
  }
  return config;
}

}  // namespace pericenter::app
