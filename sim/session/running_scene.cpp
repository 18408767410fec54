#include "sim/session/running_scene.h"

#include <malloc.h>

#include <cmath>
#include <new>
#include <stdexcept>
#include <utility>

#include "sim/auto_solver.h"
#include "sim/core/clock.h"
#include "sim/scenes/model/procedural_source.h"
#include "sim/session/run_snapshot.h"
#include "sim/solvers/registry.h"

namespace pericenter {
namespace {

constexpr double kDiagnosticsPeriod = 0.25;  ///< seconds; they cost about as much as a step
constexpr double kMakingShare = 0.9;         ///< of the time that a scene takes; the rest brings it to the GPU
constexpr double kSeekUnnoticed = 0.2;       ///< seconds that going to another moment may take without a word

}  // namespace

const SessionState& RunningScene::told() {
  const std::shared_ptr<const Snapshot> back = good_.rollback_target();
  state_.rollback_target = back ? std::optional(RollbackTarget{back->time, back->run->steps}) : std::nullopt;
  state_.last_good_period = good_.period();
  if (!simulation_) return state_;
  state_.config = config();
  state_.bodies = simulation_->size();
  state_.time = simulation_->time();
  state_.steps = simulation_->steps();
  state_.timings = simulation_->timings();
  state_.steps_per_second = rates_.steps_per_second();
  state_.bodies_per_second = rates_.bodies_per_second(state_.bodies);
  state_.work = simulation_->work();
  state_.note = simulation_->note();
  state_.tree_levels = simulation_->tree_levels();
  return state_;
}

const Config& RunningScene::config() const {
  return simulation_ && !state_.recorded ? simulation_->config() : state_.config;
}

Snapshot RunningScene::snapshot() {
  Bodies bodies = bodies_between_steps();
  Snapshot snapshot = snapshot_of(told(), *simulation_, std::move(bodies));
  if (state_.recorded) snapshot.run->params = snapshot.run->suggested = recorded_params_;
  return snapshot;
}

void RunningScene::say(const std::string& message, bool error) {
  state_.message = message;
  state_.message_is_error = error;
  if (!message.empty()) ++state_.message_serial;
}

bool RunningScene::report_progress(bool busy, double progress) {
  state_.busy = busy;
  state_.computing_forces = false;
  state_.progress = progress;
  return report_(told());
}

/// What went with a simulation goes back to the system, where glibc would keep it for what may come.
void RunningScene::end_work() {
#ifdef __GLIBC__
  ::malloc_trim(0);
#endif
  report_progress(false, 1);
}

bool RunningScene::step(const VertexTarget* vertices) {
  const Clock::time_point start = Clock::now();
  const bool diagnose = seconds_between(last_diagnostics_, start) > kDiagnosticsPeriod;
  try {
    simulation_->step(state_.params, diagnose, vertices);
  } catch (const InputError& error) {
    stop(error.what());
    return false;
  }
  const Clock::time_point end = Clock::now();
  rates_.add(seconds_between(start, end), end, state_.running);
  if (single_steps_ > 0) --single_steps_;
  if (diagnose) update_diagnostics();
  if (simulation_->ended(state_.params.dt)) state_.running = false;
  recovered_ = false;
  make_checkpoint();
  return true;
}

void RunningScene::update_diagnostics() {
  if (simulation_->in_step()) return;
  Diagnostics diagnostics;
  try {
    diagnostics = simulation_->diagnostics(state_.params);
  } catch (const Cancelled&) {
    return;
  }
  last_diagnostics_ = Clock::now();
  if (!energy_start_) energy_start_ = diagnostics;
  state_.diagnostics = diagnostics;
  state_.device_memory = simulation_->device_memory();
  state_.device_name = simulation_->device_name();
  state_.energy_error = energy_error(*energy_start_, diagnostics);
  alarm();
}

void RunningScene::forget_energy() {
  energy_start_.reset();
  if (simulation_) update_diagnostics();
}

void RunningScene::stop(const std::string& why) {
  state_.running = state_.busy = false;
  single_steps_ = 0;
  say(why, true);
}

/// Only when that takes a while it is shown as work, which can be cancelled.
void RunningScene::go_to(double time) {
  const Clock::time_point start = Clock::now();
  const auto progress = [&](double share) {
    return seconds_between(start, Clock::now()) < kSeekUnnoticed || report_progress(true, share);
  };
  try {
    simulation_->seek(time, progress);
  } catch (const SceneCancelled&) {
    say("Cancelled; this is the nearest snapshot that was there.", false);
  } catch (const InputError& error) {
    stop(error.what());
  }
  update_diagnostics();
  report_progress(false, 1);
}

bool RunningScene::change(const Config& config) {
  std::string problem = problem_with(config);
  if (problem.empty() && config.backend == Backend::cuda) problem = cuda_status().problem_with(config.device);
  if (!problem.empty()) {
    say(problem, true);
    return false;
  }
  if (!simulation_) {
    state_.config = config;
    return false;
  }
  const Config& now = this->config();
  // Who turns one of its switches wants this solver.
  if (config.solver != now.solver || config.solver_options != now.solver_options || config.multipole != now.multipole)
    state_.automatic_solver = false;
  put_off_.reset();
  if (config == now) return false;
  put_off_ = config;  // where it is not made or refused at once
  return rebuild(config);
}

bool RunningScene::choose_solver(bool automatically) {
  state_.automatic_solver = automatically;
  if (!simulation_ || !automatically) return false;
  Config config = this->config();
  config.solver_options = {};
  return suited(config, simulation_->bodies()) != this->config() && rebuild(config);
}

Config RunningScene::suited(const Config& config, const BodySource& bodies) const {
  return state_.automatic_solver ? with_auto_solver(config, bodies) : config;
}

bool RunningScene::compute_on() {
  return state_.recorded && rebuild(config());
}

bool RunningScene::rebuild(const Config& config) {
  return change_guarded([&] {
    Bodies bodies = bodies_between_steps();
    replace_simulation(suited(config, bodies), bodies, {.time = simulation_->time(), .steps = simulation_->steps()},
                       state_.recorded ? recorded_params_ : state_.params);
    say({}, false);
    if (state_.recorded) leave_recording();
    good_.keep(simulation_->size(), [&] { return snapshot_of(told(), *simulation_, std::move(bodies)); });
  });
}

/// What follows when bodies are computed where a recording was played.
void RunningScene::leave_recording() {
  state_.recorded.reset();
  state_.params = state_.suggested = recorded_params_;
  say("From here on the motion is computed, no longer played. Reset goes back to the recording.", false);
}

/// Those of a whole number of steps. Where one was interrupted they are from its begin, or it is done now, which throws
/// Cancelled where it is interrupted again.
Bodies RunningScene::bodies_between_steps() {
  if (simulation_->in_step()) {
    const std::shared_ptr<const Snapshot> good = good_.latest();
    if (good && good->run->steps == simulation_->steps()) return good->bodies;
    step(nullptr);
  }
  return simulation_->bodies();
}

/// A simulation with its first forces, which may take minutes. Throws SceneCancelled.
std::unique_ptr<Simulation> RunningScene::make_simulation(const Config& config, const BodySource& bodies,
                                                          SimulationStart start, const Params& params) {
  start.cancellation = &cancellation_;
  std::unique_ptr<Simulation> made = Simulation::create_from(config, bodies, start);
  made->show(state_.scalar);
  if (simulation_) simulation_->release_scratch();
  cancellation_.begin(0);
  state_.computing_forces = true;
  if (!report_(told())) throw SceneCancelled{};
  try {
    made->diagnostics(params);
  } catch (const Cancelled&) {
    throw SceneCancelled{};
  }
  return made;
}

/// Puts a new simulation in the place of the one that runs; when it cannot be made, that one stays. Throws
/// SceneCancelled.
void RunningScene::replace_simulation(const Config& config, const BodySource& bodies, const SimulationStart& start,
                                      const Params& params) {
  try {
    simulation_ = make_simulation(config, bodies, start, params);
  } catch (const DeviceMemoryError&) {
    if (!simulation_ || simulation_->config().backend != Backend::cuda) throw;
    // The GPU does not hold both at once. The old one can be made again, since it did fit.
    const Config old_config = simulation_->config();
    const Bodies old_bodies = simulation_->bodies();
    const SimulationStart old_start{.time = simulation_->time(), .steps = simulation_->steps()};
    simulation_.reset();
    good_.finish();  // a copy under way holds memory of the GPU
    try {
      simulation_ = make_simulation(config, bodies, start, params);
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

bool RunningScene::reload() {
  if (source_) return load(source_);
  return !state_.scene.empty() && load(request::LoadScene{state_.scene, state_.scene_request});
}

/// What follows when a scene cannot be made.
std::string RunningScene::what_goes_on() const {
  return simulation_ ? "what ran before goes on." : "nothing runs now: choose a scene.";
}

/// What follows when what was being made is given up; whether it gave way to something else that the user wants.
bool RunningScene::note_given_up() {
  const bool gave_way = cancellation_.why() == CancellationToken::Why::superseded;
  if (!gave_way) say("Cancelled; " + what_goes_on(), false);
  return gave_way;
}

/// Calls load(), which puts a new simulation in the place of the one that runs.
template <class Load>
bool RunningScene::load_guarded(const Load& load) {
  const std::uint64_t before = state_.scene_serial;
  bool gave_way = false;
  report_progress(true, 0);
  try {
    load();
  } catch (const SceneCancelled&) {
    gave_way = note_given_up();
  } catch (const std::bad_alloc&) {
    say("There is not enough memory for so many bodies; " + what_goes_on(), true);
  } catch (const DeviceMemoryError& error) {
    say("Cannot make the scene: " + std::string(error.what()) + "; " + what_goes_on() +
            " Fewer bodies need less, and the CPU has memory of its own.",
        true);
  } catch (const DeviceLost& error) {
    stay_on_cpu(error);
  } catch (const std::exception& error) {
    say(error.what(), true);
  }
  if (!gave_way) put_off_.reset();
  end_work();
  return state_.scene_serial != before;
}

bool RunningScene::load(const request::LoadScene& wanted) {
  Config config = wanted.config.value_or(put_off_.value_or(state_.config));
  const SceneInfo* info = find_scene(wanted.name);
  const std::string problem = info ? problem_with(config) : "There is no scene '" + wanted.name + "'.";
  if (!problem.empty()) {
    say(problem, true);
    return false;
  }
  SceneRequest scene_request = wanted.scene;
  scene_request.dimension = config.dimension;
  scene_request.allow_procedural = created_on_gpu(config, scene_request.bodies);
  scene_request.progress = [this](double made) { return report_progress(true, kMakingShare * made); };
  return load_guarded([&] {
    const Scene scene = info->make(scene_request);
    if (!wanted.config) config = suited(config, scene);
    const double made = scene.source ? 0 : kMakingShare;
    const auto progress = [this, made](double there) { return report_progress(true, std::lerp(made, 1.0, there)); };
    replace_simulation(config, scene, {.progress = progress}, params_for(wanted.name, scene));
    state_.config = config;
    state_.automatic_solver = state_.automatic_solver && !wanted.config;
    scene_request.progress = {};
    scene_request.allow_procedural = false;
    source_.reset();
    state_.file.clear();
    state_.steps_before = 0;
    state_.recorded.reset();
    take_scene(wanted.name, scene_request, scene);
    say({}, false);
  });
}

bool RunningScene::load(std::shared_ptr<const SceneSource> source) {
  return load_guarded([&] {
    LoadedScene loaded = source->load([this](double progress) { return report_progress(true, progress); });
    const Config now = put_off_.value_or(state_.config);
    Config config = loaded.config.value_or(now);
    config.backend = now.backend;
    config.device = now.device;
    config.threads = now.threads;
    config = without_unsupported_values(config);  // it may have run on another backend
    if (loaded.recording) {
      simulation_ = std::move(loaded.recording);
      simulation_->show(state_.scalar);
      config.dimension = 3;
      state_.config = config;
      state_.recorded = loaded.recorded;
      recorded_params_ = loaded.scene.params;
      loaded.scene.params.dt = loaded.playback_dt;
    } else {
      if (!loaded.config) config = suited(config, loaded.scene.bodies);
      state_.automatic_solver = state_.automatic_solver && !loaded.config;
      replace_simulation(config, loaded.scene.bodies, {.time = loaded.time, .steps = loaded.steps},
                         loaded.scene.params);
      state_.recorded.reset();
    }
    source_ = source;
    state_.file = source->path;
    state_.steps_before = loaded.steps;
    state_.scene.clear();  // whatever its name, its parameters are new
    const SceneRequest unknown{.bodies = simulation_->size(), .dimension = config.dimension};
    take_scene(source->name, loaded.request.value_or(unknown), loaded.scene);
    say(loaded.note, false);
  });
}

/// A reset keeps what the user has set; another scene brings its own parameters.
Params RunningScene::params_for(const std::string& name, const Scene& scene) const {
  return state_.scene == name ? state_.params : scene.params;
}

/// What follows from a new simulation of a new scene.
void RunningScene::take_scene(const std::string& name, const SceneRequest& scene_request, const Scene& scene) {
  state_.params = params_for(name, scene);
  state_.scene = name;
  state_.scene_request = scene_request;
  state_.units = scene.units;
  state_.suggested = scene.params;
  state_.view_radius = scene.view_radius;
  state_.angles = scene.angles;
  state_.highlight_time = scene.highlight_time;
  ++state_.scene_serial;
  state_.force_errors.reset();
  single_steps_ = 0;
  rates_.forget();
  good_.forget();
  forget_energy();
  if (!state_.recorded) good_.keep(simulation_->size(), [this] { return snapshot(); });
}

}  // namespace pericenter
