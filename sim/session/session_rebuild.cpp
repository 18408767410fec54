// How a Session creates scenes and replaces its simulation.
#include <malloc.h>

#include <cmath>
#include <new>
#include <stdexcept>
#include <utility>

#include "sim/auto_solver.h"
#include "sim/scenes/model/procedural_source.h"
#include "sim/session/session.h"
#include "sim/solvers/registry.h"

namespace pericenter {
namespace {

constexpr double kCreationShare = 0.9;  ///< of the time that a scene takes; the rest uploads it to the GPU

}  // namespace

/// Runs `work`, which replaces the simulation, and turns its errors into messages. `task` completes "Cannot ...".
void Session::replace(const std::string& task, const std::function<void()>& work) {
  bool superseded = false;
  report_progress(true, 0);
  try {
    work();
  } catch (const SceneCancelled&) {
    superseded = note_cancelled();
  } catch (const Cancelled&) {
    superseded = note_cancelled();
  } catch (const std::bad_alloc&) {
    set_message("Cannot " + task + ": out of memory. " + what_continues() + " Use fewer bodies.", true);
  } catch (const DeviceMemoryError& error) {
    set_message("Cannot " + task + ": " + error.what() + ". " + what_continues() + " Use fewer bodies or the CPU.",
                true);
  } catch (const DeviceLost& error) {
    keep_on_cpu(error);
  } catch (const std::exception& error) {
    set_message(error.what(), true);
  }
  if (!superseded) deferred_config_.reset();
  finish_work();
}

std::string Session::what_continues() const {
  return simulation_ ? "Keeping the current simulation." : "No simulation is running: choose a scene.";
}

/// Whether another request has superseded the work; otherwise the user has cancelled it, and a message confirms that.
bool Session::note_cancelled() {
  const bool superseded = cancellation_.why() == CancellationToken::Why::superseded;
  if (!superseded) set_message("Cancelled. " + what_continues(), false);
  return superseded;
}

/// Returns the memory of the old simulation to the system, which glibc would keep.
void Session::finish_work() {
#ifdef __GLIBC__
  ::malloc_trim(0);
#endif
  report_progress(false, 1);
}

// ---- scenes

void Session::apply_to(const request::LoadScene& wanted) {
  if (const std::string problem = problem_with_scene(wanted); !problem.empty()) return set_message(problem, true);
  prepare_to_leave();
  replace("create the scene", [&] { create_scene(wanted); });
}

void Session::apply_to(const request::LoadSource& wanted) {
  prepare_to_leave();
  replace("load the file", [&] { create_from(wanted.source); });
}

void Session::load(const request::LoadScene& wanted) {
  if (const std::string problem = problem_with_scene(wanted); !problem.empty()) throw std::invalid_argument(problem);
  report_progress(true, 0);
  create_scene(wanted);
  finish_work();
}

void Session::load(std::shared_ptr<const SceneSource> source) {
  report_progress(true, 0);
  create_from(source);
  finish_work();
}

void Session::reload() {
  if (source_) {
    apply_to(request::LoadSource{source_});
  } else if (!state_.scene.empty()) {
    apply_to(request::LoadScene{state_.scene, state_.scene_request});
  }
}

std::string Session::problem_with_scene(const request::LoadScene& wanted) const {
  return find_scene(wanted.name) ? problem_with(config_for(wanted)) : "There is no scene '" + wanted.name + "'.";
}

Config Session::config_for(const request::LoadScene& wanted) const {
  return wanted.config.value_or(deferred_config_.value_or(state_.config));
}

void Session::create_scene(const request::LoadScene& wanted) {
  Config config = config_for(wanted);
  SceneRequest scene_request = wanted.scene;
  scene_request.dimension = config.dimension;
  scene_request.allow_procedural = created_on_gpu(config, scene_request.bodies);
  scene_request.progress = [this](double share) { return report_progress(true, kCreationShare * share); };
  const Scene scene = find_scene(wanted.name)->make(scene_request);
  if (!wanted.config) config = with_suitable_solver(config, scene);
  const double created = scene.source ? 0 : kCreationShare;
  const auto progress = [&](double share) { return report_progress(true, std::lerp(created, 1.0, share)); };
  replace_simulation(config, scene, {.progress = progress}, params_for(wanted.name, scene));
  state_.config = config;
  state_.automatic_solver = state_.automatic_solver && !wanted.config;
  scene_request.progress = {};
  scene_request.allow_procedural = false;
  source_.reset();
  origin_.reset();
  state_.file.clear();
  state_.steps_at_load = 0;
  state_.playback.reset();
  begin_scene(wanted.name, scene_request, scene);
  set_message({}, false);
}

void Session::create_from(const std::shared_ptr<const SceneSource>& source) {
  LoadedScene loaded = source->load([this](double progress) { return report_progress(true, progress); });
  const Config now = deferred_config_.value_or(state_.config);
  Config config = loaded.config.value_or(now);
  config.backend = now.backend;
  config.device = now.device;
  config.threads = now.threads;
  config = without_unsupported_values(config);  // the file may come from another backend
  if (loaded.playback) {
    simulation_ = std::move(loaded.playback);
    simulation_->show(state_.scalar);
    config.dimension = 3;
    state_.config = config;
    state_.playback = loaded.playback_range;
    simulation_params_ = loaded.scene.params;
    loaded.scene.params.dt = loaded.playback_dt;
  } else {
    if (!loaded.config) config = with_suitable_solver(config, loaded.scene.bodies);
    state_.automatic_solver = state_.automatic_solver && !loaded.config;
    replace_simulation(config, loaded.scene.bodies, {.time = loaded.time, .steps = loaded.steps},
                       initial_params(loaded.scene.params));
    state_.playback.reset();
  }
  source_ = source;
  origin_ = loaded.origin;
  state_.file = source->path;
  state_.steps_at_load = loaded.steps;
  state_.scene.clear();  // the file's parameters are new, even under the name of the last scene
  const SceneRequest unknown{.bodies = simulation_->size(), .dimension = config.dimension};
  begin_scene(source->name, loaded.request.value_or(unknown), loaded.scene, loaded.start);
  set_message(loaded.note, false);
}

/// A reset keeps the user's parameters; another scene brings its own.
Params Session::params_for(const std::string& name, const Scene& scene) const {
  return state_.scene == name ? state_.params : initial_params(scene.params);
}

Params Session::initial_params(const Params& suggested) const {
  return options_.initial_params ? options_.initial_params(suggested) : suggested;
}

void Session::begin_scene(const std::string& name, const SceneRequest& scene_request, const Scene& scene,
                          const std::optional<Diagnostics>& start) {
  state_.params = params_for(name, scene);
  state_.scene = name;
  state_.scene_request = scene_request;
  state_.units = scene.units;
  state_.suggested = scene.params;
  state_.view_radius = scene.view_radius;
  state_.angles = scene.angles;
  state_.highlight_time = scene.highlight_time;
  ++state_.scene_serial;
  pending_steps_ = 0;
  steps_since_publish_ = 0;
  keep_previous_run();
  checkpoints_.clear();
  start_accuracy();
  const bool same_energy =
      state_.params.softening == scene.params.softening && state_.params.gravity == scene.params.gravity;
  if (start && same_energy) conservation_.start(static_cast<double>(simulation_->steps()), *start, energy_definition());
  note_new_simulation();
  if (!state_.playback) checkpoints_.add(simulation_->size(), [this] { return snapshot(); });
  const std::shared_ptr<const Snapshot> checkpoint = checkpoints_.latest();
  start_history(checkpoint ? &checkpoint->bodies : nullptr);
  begin_record();
}

void Session::note_new_simulation() {
  state_.force_errors.reset();
  rates_.reset();
  continue_accuracy();
  mark_changed();
}

// ---- configurations

void Session::apply_to(const request::SetConfig& wanted) {
  const Config& config = wanted.config;
  std::string problem = problem_with(config);
  if (problem.empty() && config.backend == Backend::cuda) problem = cuda_status().problem_with(config.device);
  if (!problem.empty()) return set_message(problem, true);
  if (!simulation_) {
    state_.config = config;
    return;
  }
  if (rewound_ && (config == shown_config() || !continue_from_here())) return;
  const Config& now = this->config();
  // Setting an option of a solver selects this solver.
  if (config.solver != now.solver || config.solver_options != now.solver_options || config.multipole != now.multipole)
    state_.automatic_solver = false;
  deferred_config_.reset();
  if (config == now) return;
  deferred_config_ = config;  // until it is applied or refused
  rebuild(config);
}

void Session::apply_to(const request::ChooseSolver& wanted) {
  state_.automatic_solver = wanted.automatically;
  if (!simulation_ || !wanted.automatically || !continue_from_here()) return;
  Config config = this->config();
  config.solver_options = {};
  if (with_suitable_solver(config, simulation_->bodies()) != this->config()) rebuild(config);
}

void Session::apply_to(const request::Simulate&) {
  if (state_.playback) rebuild(config());
}

const Config& Session::config() const {
  return simulation_ && !state_.playback ? simulation_->config() : state_.config;
}

Config Session::with_suitable_solver(const Config& config, const BodySource& bodies) const {
  return state_.automatic_solver ? with_auto_solver(config, bodies) : config;
}

/// Continues from the same bodies with this configuration.
void Session::rebuild(const Config& config) {
  replace("change the configuration", [&] {
    Bodies bodies = bodies_between_steps();
    settle_energy_error();
    std::shared_ptr<const FileOrigin> origin = state_.playback ? shown_origin() : origin_;
    replace_simulation(with_suitable_solver(config, bodies), bodies,
                       {.time = simulation_->time(), .steps = simulation_->steps()},
                       state_.playback ? initial_params(simulation_params_) : state_.params);
    origin_ = std::move(origin);
    set_message({}, false);
    const bool was_playback = state_.playback.has_value();
    if (was_playback) {
      leave_playback();
      start_history(&bodies);
    } else {
      continue_history(bodies);
    }
    checkpoints_.add(simulation_->size(), [&] { return snapshot_with(std::move(bodies)); });
    note_new_simulation();
    if (was_playback) begin_record();
  });
}

void Session::leave_playback() {
  start_accuracy();
  state_.playback.reset();
  state_.suggested = simulation_params_;
  state_.params = initial_params(simulation_params_);
  set_message("From here on the motion is computed. Reset returns to the playback.", false);
}

/// Bodies after a whole number of steps. A step that was cancelled is discarded if there is a checkpoint of its start,
/// or else completed. Throws Cancelled.
Bodies Session::bodies_between_steps() {
  if (simulation_->in_step()) {
    const std::shared_ptr<const Snapshot> checkpoint = checkpoints_.latest();
    if (checkpoint && checkpoint->run->steps == simulation_->steps()) return checkpoint->bodies;
    advance(nullptr, false);
  }
  return simulation_->bodies();
}

/// A simulation with its first forces, which may take minutes. Throws SceneCancelled.
std::unique_ptr<Simulation> Session::make_simulation(const Config& config, const BodySource& bodies,
                                                     SimulationStart start, const Params& params) {
  start.cancellation = &cancellation_;
  std::unique_ptr<Simulation> made = Simulation::create_from(config, bodies, start);
  made->show(state_.scalar);
  if (simulation_) simulation_->release_scratch();
  cancellation_.begin(0);
  state_.computing_forces = true;
  if (options_.report && !options_.report(state())) throw SceneCancelled{};
  try {
    made->diagnostics(params);
  } catch (const Cancelled&) {
    throw SceneCancelled{};
  }
  return made;
}

/// Keeps the current simulation when the new one cannot be created. Throws SceneCancelled.
void Session::replace_simulation(const Config& config, const BodySource& bodies, const SimulationStart& start,
                                 const Params& params) {
  replace_simulation([&] { return make_simulation(config, bodies, start, params); });
}

void Session::replace_simulation(const std::function<std::unique_ptr<Simulation>()>& make) {
  try {
    simulation_ = make();
  } catch (const DeviceMemoryError&) {
    if (!simulation_ || simulation_->config().backend != Backend::cuda) throw;
    // The GPU cannot hold both at once: free the old one, and recreate it if the new one still does not fit.
    const Config old_config = simulation_->config();
    const Bodies old_bodies = simulation_->bodies();
    const SimulationStart old_start{.time = simulation_->time(), .steps = simulation_->steps()};
    simulation_.reset();
    checkpoints_.finish();  // a pending checkpoint holds GPU memory
    pending_keyframe_ = {};
    try {
      simulation_ = make();
    } catch (const DeviceLost&) {
      throw;
    } catch (...) {
      simulation_ = Simulation::create(old_config, old_bodies, old_start);
      simulation_->show(state_.scalar);
      state_.force_errors.reset();
      throw;
    }
  }
}

}  // namespace pericenter
