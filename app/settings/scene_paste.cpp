#include <memory>

#include "app/settings/command_line_error.h"
#include "app/settings/option_values.h"
#include "app/settings/scene_string.h"
#include "sim/files/load.h"
#include "sim/playback/series.h"
#include "sim/solvers/registry.h"

namespace pericenter::app {
namespace {

/// `wanted` with the device of `now`, on the backend of `now` if the solver supports it, else on the other one.
Config here(Config wanted, const Config& now, std::string_view cuda_missing) {
  const SolverInfo& solver = *find_solver(wanted.solver);
  wanted.backend = now.backend;
  wanted.device = now.device;
  wanted.threads = now.threads;
  if (wanted.backend == Backend::cuda && !solver.cuda) wanted.backend = Backend::cpu;
  if (wanted.backend == Backend::cpu && !solver.cpu) wanted.backend = Backend::cuda;
  if (wanted.backend == Backend::cuda && !cuda_missing.empty()) {
    throw CommandLineError("solver " + wanted.solver + " needs CUDA: " + std::string(cuda_missing) +
                           "; use another solver in the scene string.");
  }
  return without_unsupported_values(wanted);
}

}  // namespace

Options pasted_scene(std::string_view text, const PasteTarget& target) {
  Options options;
  read_scene_string(text, options);
  options.config = here(options.config, target.now.config, target.cuda_missing);
  if (options.reads_a_file()) return options;
  const SceneInfo& scene = *find_scene(options.scene);
  if (!options.bodies) options.bodies = scene.allowed(target.bodies);
  if (*options.bodies > target.most) options.bodies = scene.allowed(target.most);
  check_bodies(scene, *options.bodies, options.config);
  return options;
}

Request load_request(const Options& pasted) {
  if (!pasted.play.empty())
    return request::LoadSource{std::make_shared<const SceneSource>(series_source(series_of(pasted.play), false))};
  if (!pasted.load.empty())
    return request::LoadSource{std::make_shared<const SceneSource>(file_source(pasted.load, false))};
  return request::LoadScene{pasted.scene, scene_request(pasted, pasted.bodies.value_or(0)), pasted.config};
}

bool is_loaded(const Options& pasted, const SessionState& state) {
  if (pasted.reads_a_file()) return state.file == pasted.input();
  return state.file.empty() && state.scene == pasted.scene && state.scene_request.bodies == pasted.bodies &&
         state.scene_request.seed == pasted.seed && state.scene_request.encounter == pasted.encounter;
}

}  // namespace pericenter::app
