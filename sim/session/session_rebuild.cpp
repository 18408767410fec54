// How a Session creates scenes and replaces its simulation.
#include <malloc.h>

#include <chrono>
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

constexpr double kCreationShare = 0.9;               ///< of the time that a scene takes; the rest uploads it to the GPU
constexpr std::size_t kPreviewedBodies = 20'000;     ///< the first forces of fewer bodies take less time than a frame
constexpr std::chrono::milliseconds kDevicePoll{2};  // while CUDA is starting

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
  if (previewed_) end_preview();
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
  state_.next_bodies = 0;
  state_.awaits_device = false;
  report_progress(false, 1);
}

// ---- scenes

void Session::apply_to(const request::LoadScene& wanted) {
  if (const std::string problem = problem_with_scene(wanted); !problem.empty()) return set_message(problem, true);
  return_to_newest(false);
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
  const std::size_t bodies = wanted.scene.bodies;
  // The CPU creates, and so can show, all but those that CUDA creates.
  if (!can_preview(bodies) || created_on_gpu({.backend = Backend::cuda}, bodies)) config = on_started_device(config);
  SceneRequest scene_request = wanted.scene;
  scene_request.dimension = config.dimension;
  scene_request.allow_procedural = created_on_gpu(config, scene_request.bodies);
  scene_request.progress = [this](double share) { return report_progress(true, kCreationShare * share); };
  if (can_preview(scene_request.bodies)) state_.next_bodies = scene_request.bodies;
  const Scene scene = find_scene(wanted.name)->make(scene_request);
  scene_request.progress = {};
  scene_request.allow_procedural = false;
  SceneStart start{
      .name = wanted.name,
      .request = scene_request,
      .scene = scene,
      // A reset keeps the user's parameters; another scene brings its own.
      .params = state_.scene == wanted.name ? state_.params : initial_params(scene.params),
      .config = config,
  };
  std::unique_ptr<Simulation> shown;
  start.config = on_started_device(config, [&] {
    if (previewed_) return;
    if (!shown) shown = Simulation::create(start.config, scene.bodies);
    preview(start, *shown);  // once there is a buffer
  });
  shown.reset();
  if (!wanted.config) start.config = with_suitable_solver(start.config, scene);
  const double created = scene.source ? 0 : kCreationShare;
  const auto progress = [&](double share) { return report_progress(true, std::lerp(created, 1.0, share)); };
  bool left = false;
  const auto leave = [&] {
    if (!std::exchange(left, true)) prepare_to_leave();
  };
  const auto before_forces = [&](Simulation& made) {
    preview(start, made);
    leave();  // not earlier, because it takes time
  };
  replace_simulation([&] {
    try {
      return make_simulation(start.config, scene, {.progress = progress}, start.params, before_forces);
    } catch (const DeviceMemoryError&) {
      leave();  // the current simulation may be freed next
      throw;
    }
  });
  state_.automatic_solver = state_.automatic_solver && !wanted.config;
  source_.reset();
  origin_.reset();
  state_.playback.reset();
  begin_scene(start);
  set_message({}, false);
}

void Session::create_from(const std::shared_ptr<const SceneSource>& source) {
  LoadedScene loaded = source->load([this](double progress) { return report_progress(true, progress); });
  const Config now = on_started_device(deferred_config_.value_or(state_.config));
  Config config = loaded.config.value_or(now);
  config.backend = now.backend;
  config.device = now.device;
  config.threads = now.threads;
  config = without_unsupported_values(config);  // the file may come from another backend
  if (loaded.playback) {
    config.dimension = 3;
    simulation_params_ = loaded.scene.params;
    loaded.scene.params.dt = loaded.playback_dt;
  } else if (!loaded.config) {
    config = with_suitable_solver(config, loaded.scene.bodies);
  }
  const std::size_t bodies = loaded.playback ? loaded.playback->size() : loaded.scene.bodies.size();
  const SceneRequest unknown{.bodies = bodies, .dimension = config.dimension};
  const SceneStart start{
      .name = source->name,
      .request = loaded.request.value_or(unknown),
      .scene = loaded.scene,
      .params = initial_params(loaded.scene.params),  // new, even under the name of the last scene
      .config = config,
      .file = source->path,
      .steps_at_load = loaded.steps,
  };
  if (loaded.playback) {
    simulation_ = std::move(loaded.playback);
    simulation_->show(state_.scalar);
    state_.playback = loaded.playback_range;
  } else {
    if (can_preview(bodies)) state_.next_bodies = bodies;
    report_progress(true, 1);
    const auto before_forces = [&](Simulation& made) { preview(start, made); };
    replace_simulation(config, loaded.scene.bodies, {.time = loaded.time, .steps = loaded.steps}, start.params,
                       before_forces);
    state_.automatic_solver = state_.automatic_solver && !loaded.config;
    state_.playback.reset();
  }
  source_ = source;
  origin_ = loaded.origin;
  begin_scene(start, loaded.start);
  set_message(loaded.note, false);
}

Params Session::initial_params(const Params& suggested) const {
  return options_.initial_params ? options_.initial_params(suggested) : suggested;
}

void Session::SceneStart::describe_in(SessionState& state) const {
  state.scene = name;
  state.scene_request = request;
  state.file = file;
  state.steps_at_load = steps_at_load;
  state.config = config;
  state.params = params;
  state.suggested = scene.params;
  state.units = scene.units;
  state.view_radius = scene.view_radius;
  state.angles = scene.angles;
  state.highlight_time = scene.highlight_time;
}

/// The part of the state that other bodies do not change.
void Session::keep_settings(SessionState& next) const {
  next.steps_per_frame = state_.steps_per_frame;
  next.scalar = state_.scalar;
  next.running = state_.running;
  next.samples_forces = state_.samples_forces;
  next.device_lost = state_.device_lost;
  next.parked = state_.parked;
  next.message_serial = state_.message_serial;
}

/// Other scalars than the speed may need the forces. The start of a device takes longer than a frame.
bool Session::can_preview(std::size_t bodies) const {
  const bool takes_long = bodies >= kPreviewedBodies || starting_device_.valid();
  return takes_long && options_.preview && state_.scalar == Scalar::speed;
}

/// The configuration for the device that is starting, once it has; calls `meanwhile` until then. Throws SceneCancelled.
Config Session::on_started_device(Config config, const std::function<void()>& meanwhile) {
  if (!starting_device_.valid()) return config;
  state_.awaits_device = true;
  while (starting_device_.wait_for(kDevicePoll) != std::future_status::ready) {
    if (cancellation_.asked() || !report_progress(true, kCreationShare)) throw SceneCancelled{};
    if (meanwhile) meanwhile();
  }
  state_.awaits_device = false;
  if (previewed_) previewed_->awaits_device = false;
  const std::optional<int> device = std::exchange(starting_device_, {}).get();
  state_.config = on_device(state_.config, device);
  return on_device(config, device);
}

/// Shows a scene before its first forces are known, or its new configuration if it is shown. Throws SceneCancelled.
void Session::preview(const SceneStart& start, Simulation& made) {
  if (!previewed_ && !can_preview(made.size())) return;
  SessionState next;
  keep_settings(next);
  start.describe_in(next);
  next.automatic_solver = state_.automatic_solver;
  next.bodies = made.size();
  next.time = next.start_time = made.time();
  next.steps = made.steps();
  next.device_name = made.device_name();
  next.busy = next.computing_forces = true;
  next.awaits_device = starting_device_.valid();
  next.scene_serial = previewed_ ? previewed_->scene_serial : next_serial_;
  if (previewed_) {
    previewed_ = next;
    report_progress(true, 1);
  } else if (options_.preview(made, next, published_of(made, next_serial_))) {
    previewed_ = next;
    ++next_serial_;
  }
  if (cancellation_.asked()) throw SceneCancelled{};
}

/// The scene that was shown has not started: shows the current one again.
void Session::end_preview() {
  previewed_.reset();
  mark_changed();
}

void Session::begin_scene(const SceneStart& start, const std::optional<Diagnostics>& energy) {
  start.describe_in(state_);
  state_.scene_serial = previewed_ ? previewed_->scene_serial : next_serial_++;
  previewed_.reset();
  pending_steps_ = 0;
  steps_since_publish_ = 0;
  keep_previous_run();
  checkpoints_.clear();
  start_accuracy();
  const bool same_energy =
      start.params.softening == start.scene.params.softening && start.params.gravity == start.scene.params.gravity;
  if (energy && same_energy)
    conservation_.start(static_cast<double>(simulation_->steps()), *energy, energy_definition());
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
                                                     SimulationStart start, const Params& params,
                                                     const std::function<void(Simulation& made)>& before_forces) {
  start.cancellation = &cancellation_;
  std::unique_ptr<Simulation> made = Simulation::create_from(config, bodies, start);
  made->show(state_.scalar);
  if (simulation_) simulation_->release_scratch();
  cancellation_.begin(0);
  if (before_forces) before_forces(*made);
  state_.computing_forces = true;
  if (!previewed_ && options_.report && !options_.report(state())) throw SceneCancelled{};
  try {
    made->diagnostics(params);
  } catch (const Cancelled&) {
    throw SceneCancelled{};
  }
  return made;
}

/// Keeps the current simulation when the new one cannot be created. Throws SceneCancelled.
void Session::replace_simulation(const Config& config, const BodySource& bodies, const SimulationStart& start,
                                 const Params& params, const std::function<void(Simulation& made)>& before_forces) {
  replace_simulation([&] { return make_simulation(config, bodies, start, params, before_forces); });
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
