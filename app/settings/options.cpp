#include "app/settings/options.h"

#include "sim/scenes/suggested_softening.h"

namespace pericenter::app {
namespace {

/// Few bodies may have left CUDA for their integrator.
Config on_its_backend(Config config) {
  if (has_internal_steps(config)) config.backend = Backend::cpu;
  return config;
}

}  // namespace

Config config_with_options(const Config& saved, const SceneOptions& options) {
  const GivenOptions& given = options.given;
  const Config& asked = options.config;
  Config config = on_machine_of(saved, asked);
  if (!options.scene_string.empty()) {  // it has all settings
    config = asked;
    if (options.automatic_solver) config.solver = saved.solver;
    if (!given.integrator) config.integrator = saved.integrator;
    return on_its_backend(config);
  }
  if (given.solver && !options.automatic_solver) {
    config.solver = asked.solver;
    config.solver_options = {};  // they belong to another solver
  }
  if (given.precision) config.precision = asked.precision;
  if (given.dimension) config.dimension = asked.dimension;
  if (given.multipole) config.multipole = asked.multipole;
  if (given.integrator) config.integrator = asked.integrator;
  if (given.simd) config.simd = asked.simd;
  for (std::size_t k = 0; k < kSolverOptionCount; ++k) {
    const auto which = static_cast<SolverOption>(k);
    if (asked.solver_options[which] != SolverOptions::kDefault)
      config.solver_options.set(which, asked.solver_options[which]);
  }
  return on_its_backend(config);
}

SceneRequest scene_request(const SceneOptions& options, std::size_t bodies) {
  const SceneInfo* const scene = options.softening_by_bodies ? find_scene(options.scene) : nullptr;
  return {.bodies = bodies,
          .seed = options.seed,
          .dimension = options.config.dimension,
          .softening = scene ? suggested_softening(*scene, bodies) : options.softening.value_or(0),
          .encounter = options.encounter};
}

}  // namespace pericenter::app
