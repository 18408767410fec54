#include "sim/simulation_worker.h"

#include <algorithm>
#include <cmath>
#include <new>
#include <stdexcept>
#include <utility>
#include <variant>

#include "sim/exact_forces.h"
#include "sim/force_error.h"
#include "sim/solvers/registry.h"

namespace pericenter {
namespace {

constexpr double kDiagnosticsPeriod = 0.25;       ///< seconds; they cost about as much as a step
constexpr double kBoxesPeriod = 0.2;              ///< seconds; a large tree takes the window longer than a picture
constexpr double kLongestUnpublished = 1.0 / 30;  ///< seconds; slow steps are shown one by one
constexpr double kProbeShare = 0.25;              ///< of a running simulation's time that walks for the probe may take
constexpr double kSeekUnnoticed = 0.2;            ///< seconds that going to another moment may take without a word
constexpr double kRateSmoothing = 0.5;            ///< seconds over which rates are averaged

double seconds_between(std::chrono::steady_clock::time_point from, std::chrono::steady_clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

/// Moves `mean` towards `value`; the first value is taken as it is.
void smooth(double& mean, double value, double weight) {
  mean = mean > 0 ? mean + weight * (value - mean) : value;
}

}  // namespace

bool SimulationWorker::wants_to_step(int credit) const {
  const bool awaited = exact_pace_ && unpublished_ && steps_since_publish_ >= state_.steps_per_frame;
  return simulation_ && !awaited && (single_steps_ > 0 || (state_.running && credit > 0));
}

std::optional<Published> SimulationWorker::step(const VertexTarget* vertices) {
  const Clock::time_point start = Clock::now();
  const bool diagnose = seconds_between(last_diagnostics_, start) > kDiagnosticsPeriod;
  try {
    simulation_->step(state_.params, diagnose, vertices);
  } catch (const InputError& error) {
    unpublished_ = true;
    stop(error.what());
    return std::nullopt;
  }
  const Clock::time_point end = Clock::now();
  measure_rates(seconds_between(start, end), end);
  if (single_steps_ > 0) --single_steps_;
  ++steps_since_publish_;
  unpublished_ = true;
  tree_changed_ = tree_changed_ || show_tree_.show;
  probe_changed_ = probe_changed_ || probed_;
  if (diagnose) update_diagnostics();
  if (simulation_->ended(state_.params.dt)) state_.running = false;
  if (!vertices) return std::nullopt;
  note_published();
  return published();
}

void SimulationWorker::measure_rates(double step_seconds, Clock::time_point end) {
  const double period = was_stepping_ ? seconds_between(last_step_end_, end) : step_seconds;
  const double weight = 1 - std::exp(-period / kRateSmoothing);
  smooth(mean_step_seconds_, step_seconds, weight);
  smooth(mean_period_seconds_, period, weight);
  last_step_end_ = end;
  was_stepping_ = state_.running;
}

bool SimulationWorker::picture_is_due() const {
  return seconds_between(last_publish_, Clock::now()) > kLongestUnpublished;
}

bool SimulationWorker::wants_to_publish(int credit) const {
  if (exact_pace_ && simulation_ && state_.running)
    return unpublished_ && (steps_since_publish_ == 0 || steps_since_publish_ >= state_.steps_per_frame);
  return simulation_ && unpublished_ &&
         (steps_since_publish_ >= state_.steps_per_frame || !wants_to_step(credit) || picture_is_due());
}

bool SimulationWorker::publishes_in_step(int credit, const VertexTarget& vertices) const {
  const bool last = steps_since_publish_ + 1 >= state_.steps_per_frame || single_steps_ == 1;
  const bool early = !exact_pace_ && (credit == 1 || picture_is_due());
  return vertices.on_device && simulation_ && simulation_->takes(vertices) && (last || early);
}

Published SimulationWorker::published() const {
  return {simulation_->size(), simulation_->time(), simulation_->steps(), state_.scene_serial,
          simulation_->continuity()};
}

Published SimulationWorker::publish(const VertexTarget& buffer) {
  // One that it does not take is lent again, as it should be.
  if (!simulation_->takes(buffer)) {
    Published nothing = published();
    nothing.count = 0;
    return nothing;
  }
  simulation_->publish(buffer);
  note_published();
  return published();
}

void SimulationWorker::note_published() {
  unpublished_ = false;
  steps_since_publish_ = 0;
  last_publish_ = Clock::now();
}

std::optional<std::vector<TreeBox>> SimulationWorker::new_tree_boxes() {
  const Clock::time_point now = Clock::now();
  if (!tree_changed_ || (state_.running && seconds_between(last_boxes_, now) < kBoxesPeriod)) return std::nullopt;
  tree_changed_ = false;
  last_boxes_ = now;
  std::vector<TreeBox> cells;
  if (show_tree_.show && simulation_) {
    simulation_->accelerations(state_.params);  // a tree that was never built is built now
    simulation_->tree_boxes(show_tree_.first_level, show_tree_.last_level, show_tree_.limit, cells);
  }
  return cells;
}

std::optional<std::optional<Probe>> SimulationWorker::new_probe() {
  const Clock::time_point start = Clock::now();
  const double due = probe_seconds_ * (1 - kProbeShare) / kProbeShare;
  const bool too_soon = probed_ && state_.running && seconds_between(last_probe_, start) < due;
  if (!probe_changed_ || too_soon) return std::nullopt;
  probe_changed_ = false;
  if (probed_ && state_.recorded) say("A recording has no tree to walk: simulate from here to see one.", false);
  if (!simulation_ || !probed_ || state_.recorded || *probed_ >= simulation_->size()) {
    probed_.reset();
    return std::optional<Probe>();
  }
  Probe found = probe(simulation_->config(), state_.params, simulation_->bodies(), *probed_);
  found.time = simulation_->time();
  found.acceleration = simulation_->accelerations(state_.params)[*probed_];
  last_probe_ = Clock::now();
  probe_seconds_ = seconds_between(start, last_probe_);
  return found;
}

void SimulationWorker::update_diagnostics() {
  const Diagnostics diagnostics = simulation_->diagnostics(state_.params);
  last_diagnostics_ = Clock::now();
  if (!std::exchange(energy_known_, true)) initial_energy_ = diagnostics.energy();
  const double scale = std::abs(initial_energy_);
  state_.diagnostics = diagnostics;
  state_.device_memory = simulation_->device_memory();
  state_.device_name = simulation_->device_name();
  state_.energy_error = scale == 0 ? 0 : (diagnostics.energy() - initial_energy_) / scale;
  if (diagnostics.non_finite > 0 && state_.running) {
    stop(
        std::to_string(diagnostics.non_finite) +
        " bodies have left the numbers (NaN or infinite); paused. Use a smaller dt or a larger softening, then reset.");
  }
}

void SimulationWorker::forget_energy() {
  energy_known_ = false;
  if (simulation_) update_diagnostics();
}

void SimulationWorker::forget_rates() {
  mean_step_seconds_ = mean_period_seconds_ = 0;
  was_stepping_ = false;
}

void SimulationWorker::stop(const std::string& why) {
  state_.running = state_.busy = false;
  single_steps_ = 0;
  say(why, true);
}

const SimulationState& SimulationWorker::state() {
  if (!simulation_) return state_;
  state_.config = config();
  state_.bodies = simulation_->size();
  state_.time = simulation_->time();
  state_.steps = simulation_->steps();
  state_.timings = simulation_->timings();
  state_.steps_per_second = mean_period_seconds_ > 0 ? 1 / mean_period_seconds_ : 0;
  state_.bodies_per_second = mean_step_seconds_ > 0 ? static_cast<double>(simulation_->size()) / mean_step_seconds_ : 0;
  state_.work = simulation_->work();
  state_.note = simulation_->note();
  state_.tree_levels = simulation_->tree_levels();
  return state_;
}

void SimulationWorker::say(const std::string& message, bool error) {
  state_.message = message;
  state_.message_is_error = error;
}

bool SimulationWorker::report_progress(bool busy, double progress) {
  state_.busy = busy;
  state_.progress = progress;
  return report_(state());
}

void SimulationWorker::apply(const Request& wanted) {
  std::visit([&](const auto& what) { apply_to(what); }, wanted);
}

/// What bodies are computed with; while a recording is played, what they would be computed with.
const Config& SimulationWorker::config() const {
  return simulation_ && !state_.recorded ? simulation_->config() : state_.config;
}

void SimulationWorker::apply_to(const request::Play& play) {
  state_.running = play.running;
  // At its end a recording begins again.
  if (!play.running || !state_.recorded || !simulation_->ended(state_.params.dt)) return;
  go_to(state_.params.dt > 0 ? state_.recorded->first : state_.recorded->last);
}

void SimulationWorker::apply_to(const request::SetStepsPerFrame& set) {
  state_.steps_per_frame = std::max(1, set.steps);
}

void SimulationWorker::apply_to(const request::Reset&) {
  if (state_.recorded) return go_to(state_.recorded->first);
  if (source_) return load_source(source_);
  const std::string name = state_.scene;
  if (!name.empty()) load_scene(name, state_.scene_request, state_.config);
}

void SimulationWorker::apply_to(const request::SetParams& set) {
  if (const std::string problem = problem_with(set.params); !problem.empty()) return say(problem, true);
  const Params before = std::exchange(state_.params, set.params);
  const bool other_energy = set.params.softening != before.softening || set.params.gravity != before.gravity;
  const bool other_forces = other_energy || set.params.theta != before.theta;
  if (other_energy) forget_energy();
  tree_changed_ = tree_changed_ || (show_tree_.show && other_forces);
  probe_changed_ = probe_changed_ || probed_;
  const bool shows_forces = state_.scalar == Scalar::acceleration || state_.scalar == Scalar::interactions;
  if (simulation_ && other_forces && shows_forces) {
    update_diagnostics();  // the forces of these parameters
    unpublished_ = true;
  }
}

void SimulationWorker::apply_to(const request::SetConfig& set) {
  if (const std::string problem = problem_with(set.config); !problem.empty()) return say(problem, true);
  if (!simulation_) {
    state_.config = set.config;
  } else if (set.config != config()) {
    rebuild(set.config);
  }
}

void SimulationWorker::apply_to(const request::Simulate&) {
  if (state_.recorded) rebuild(config());
}

void SimulationWorker::rebuild(const Config& config) {
  report_progress(true, 0);
  try {
    replace_simulation(config, simulation_->bodies(), simulation_->time(), simulation_->steps());
    say({}, false);
    if (state_.recorded) leave_recording();
    unpublished_ = true;
    tree_changed_ = true;
    probe_changed_ = probe_changed_ || probed_;
    state_.force_errors.reset();
    forget_rates();
    forget_energy();
  } catch (const std::bad_alloc&) {
    say("There is not enough memory to change over; what ran before goes on.", true);
  } catch (const DeviceMemoryError& error) {
    say("Cannot change over: " + std::string(error.what()) + "; what ran before goes on. Fewer bodies need less.",
        true);
  } catch (const std::invalid_argument& error) {
    say(error.what(), true);
  }
  report_progress(false, 1);
}

/// What follows when bodies are computed where a recording was played.
void SimulationWorker::leave_recording() {
  state_.recorded.reset();
  state_.params = state_.suggested = recorded_params_;
  say("From here on the motion is computed, no longer played. Reset goes back to the recording.", false);
}

/// Puts a new simulation in the place of the one that runs; when it cannot be made, that one stays.
void SimulationWorker::replace_simulation(const Config& config, const Bodies& bodies, double time,
                                          std::uint64_t steps) {
  try {
    simulation_ = Simulation::create(config, bodies, time, steps);
  } catch (const DeviceMemoryError&) {
    if (!simulation_ || simulation_->config().backend != Backend::cuda) throw;
    // The GPU does not hold both at once. The old one can be made again, since it did fit.
    const Config old_config = simulation_->config();
    const Bodies old_bodies = simulation_->bodies();
    const double old_time = simulation_->time();
    const std::uint64_t old_steps = simulation_->steps();
    simulation_.reset();
    try {
      simulation_ = Simulation::create(config, bodies, time, steps);
    } catch (...) {
      simulation_ = Simulation::create(old_config, old_bodies, old_time, old_steps);
      simulation_->show(state_.scalar);
      state_.force_errors.reset();
      throw;
    }
  }
  simulation_->show(state_.scalar);
}

void SimulationWorker::apply_to(const request::ShowTree& show) {
  show_tree_ = show;
  tree_changed_ = true;
}

void SimulationWorker::apply_to(const request::ShowScalar& show) {
  state_.scalar = show.scalar;
  if (simulation_) simulation_->show(show.scalar);
  unpublished_ = true;
}

void SimulationWorker::apply_to(const request::MeasureForceErrors&) {
  if (!simulation_ || simulation_->size() == 0) return;
  if (state_.recorded) return say("A recording has no forces to measure: simulate from here first.", false);
  report_progress(true, 0);
  try {
    const std::vector<Vec3> accelerations = simulation_->accelerations(state_.params);
    const std::vector<Vec3> exact =
        all_exact_accelerations(simulation_->config(), state_.params, simulation_->bodies(),
                                [this](double progress) { return report_progress(true, progress); });
    if (!exact.empty()) set_force_errors(relative_errors(accelerations, exact));
    say(exact.empty() ? "Cancelled; the force errors are as they were." : "", false);
  } catch (const std::bad_alloc&) {
    say("There is not enough memory to measure the force errors.", true);
  } catch (const DeviceMemoryError& error) {
    say("Cannot measure the force errors: " + std::string(error.what()) + ". Fewer bodies need less.", true);
  } catch (const std::invalid_argument& error) {
    say(error.what(), true);
  }
  report_progress(false, 1);
}

void SimulationWorker::set_force_errors(const std::vector<double>& relative) {
  state_.force_errors = distribution(relative);
  state_.force_errors_time = simulation_->time();
  std::vector<float> logarithms(relative.size());
  std::ranges::transform(relative, logarithms.begin(), log_scalar);
  simulation_->set_force_errors(std::move(logarithms));
  unpublished_ = true;
}

void SimulationWorker::apply_to(const request::ShowProbe& show) {
  probed_ = show.body;
  probe_changed_ = true;
  probe_seconds_ = 0;  // who clicks a star need not wait
}

/// Calls load(), which puts a new simulation in the place of the one that runs; when it fails, that one stays.
template <class Load>
void SimulationWorker::load_guarded(const Load& load) {
  report_progress(true, 0);
  try {
    load();
  } catch (const SceneCancelled&) {
    say("Cancelled; the scene before it goes on.", false);
  } catch (const std::bad_alloc&) {
    say("There is not enough memory for so many bodies; what ran before goes on.", true);
  } catch (const DeviceMemoryError& error) {
    say("Cannot make the scene: " + std::string(error.what()) +
            "; what ran before goes on. Fewer bodies need less, and the CPU has memory of its own.",
        true);
  } catch (const std::exception& error) {
    say(error.what(), true);
  }
  report_progress(false, 1);
}

void SimulationWorker::load_scene(const std::string& name, SceneRequest scene_request, const Config& config) {
  const SceneInfo* info = find_scene(name);
  if (!info) return say("There is no scene '" + name + "'.", true);
  if (const std::string problem = problem_with(config); !problem.empty()) return say(problem, true);
  scene_request.dimension = config.dimension;
  scene_request.progress = [this](double progress) { return report_progress(true, progress); };
  load_guarded([&] {
    const Scene scene = info->make(scene_request);
    replace_simulation(config, scene.bodies, 0, 0);
    state_.config = config;
    scene_request.progress = {};
    source_.reset();
    state_.file.clear();
    state_.steps_before = 0;
    state_.recorded.reset();
    take_scene(name, scene_request, scene);
    say({}, false);
  });
}

void SimulationWorker::load_source(std::shared_ptr<const SceneSource> source) {
  load_guarded([&] {
    LoadedScene loaded = source->load([this](double progress) { return report_progress(true, progress); });
    Config config = loaded.config.value_or(state_.config);
    config.backend = state_.config.backend;
    config.device = state_.config.device;
    config.threads = state_.config.threads;
    config = without_foreign_choices(config);  // it may have run on another backend
    if (loaded.recording) {
      simulation_ = std::move(loaded.recording);
      simulation_->show(state_.scalar);
      config.dimension = 3;
      state_.config = config;
      state_.recorded = loaded.recorded;
      recorded_params_ = loaded.scene.params;
      loaded.scene.params.dt = loaded.playback_dt;
    } else {
      replace_simulation(config, loaded.scene.bodies, loaded.time, loaded.steps);
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

/// To another moment of a recording. Only when that takes a while it is shown as work, which can be cancelled.
void SimulationWorker::go_to(double time) {
  if (!simulation_ || !state_.recorded) return;
  const Clock::time_point start = Clock::now();
  const auto progress = [&](double share) {
    return seconds_between(start, Clock::now()) < kSeekUnnoticed || report_progress(true, share);
  };
  unpublished_ = true;
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

SavedRun SimulationWorker::saved_run() const {
  return {.scene = state_.scene,
          .request = state_.scene_request,
          .config = config(),
          .params = params_to_compute(),
          .suggested = state_.recorded ? recorded_params_ : state_.suggested,
          .steps = simulation_->steps(),
          .units = state_.units,
          .view_radius = state_.view_radius,
          .angles = state_.angles,
          .highlight_time = state_.highlight_time,
          .scene_string = {}};
}

void SimulationWorker::apply_to(const request::TakeSnapshot&) {
  if (!simulation_) return;
  snapshot_ = Snapshot{.bodies = simulation_->bodies(),
                       .ids = {},
                       .units = {},
                       .time = simulation_->time(),
                       .softening = state_.params.softening,
                       .format = {},
                       .notes = {},
                       .skipped = 0,
                       .run = saved_run()};
}

/// What follows from a new simulation of a new scene.
void SimulationWorker::take_scene(const std::string& name, const SceneRequest& scene_request, const Scene& scene) {
  // A reset keeps what the user has set; another scene brings its own parameters.
  if (state_.scene != name) state_.params = scene.params;
  state_.scene = name;
  state_.scene_request = scene_request;
  state_.units = scene.units;
  state_.suggested = scene.params;
  state_.view_radius = scene.view_radius;
  state_.angles = scene.angles;
  state_.highlight_time = scene.highlight_time;
  ++state_.scene_serial;
  state_.force_errors.reset();
  unpublished_ = true;
  tree_changed_ = true;
  probe_changed_ = probe_changed_ || probed_;
  steps_since_publish_ = single_steps_ = 0;
  forget_rates();
  forget_energy();
}

}  // namespace pericenter
