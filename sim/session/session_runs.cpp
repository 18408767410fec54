// How a Session replaces its run, or the simulation of its run.
#include <exception>
#include <memory>
#include <new>
#include <stdexcept>
#include <utility>

#include "sim/core/display_units.h"
#include "sim/scenes/model/procedural_source.h"
#include "sim/session/session.h"
#include "sim/solvers/registry.h"

namespace pericenter {

using NewCheckpoint = Run::NewCheckpoint;

namespace {

constexpr const char* kUseGpuAgain = "To use the GPU again, save a snapshot and restart the program.";

std::string what_continues(const Simulation* current) {
  return current ? "Keeping the current simulation." : "No simulation is running: choose a scene.";
}

}  // namespace

/// Runs `work`, which replaces the simulation, and turns its errors into messages. `task` completes "Cannot ...".
void Session::replace(const std::string& task, const std::function<void()>& work) {
  // Another request supersedes the work, or the user has cancelled it, which a message confirms.
  bool superseded = false;
  const auto on_cancelled = [&] {
    superseded = cancellation_.why() == CancellationToken::Why::superseded;
    if (!superseded) set_message("Cancelled. " + what_continues(simulation()), false);
  };
  loader_.report(true, 0);
  try {
    work();
  } catch (const SceneCancelled&) {
    on_cancelled();
  } catch (const Cancelled&) {
    on_cancelled();
  } catch (const std::bad_alloc&) {
    set_message("Cannot " + task + ": out of memory. " + what_continues(simulation()) + " Use fewer bodies.", true);
  } catch (const DeviceMemoryError& error) {
    set_message(
        "Cannot " + task + ": " + error.what() + ". " + what_continues(simulation()) + " Use fewer bodies or the CPU.",
        true);
  } catch (const DeviceLost& error) {
    // The GPU was lost while a new simulation was created there: the current one continues if it is on the CPU.
    if (!simulation() || simulation()->config().backend != Backend::cpu) throw;
    state_.device_lost = error.what();
    set_message(
        "The GPU was lost (" + state_.device_lost + "). The current simulation continues on the CPU. " + kUseGpuAgain,
        true);
  } catch (const std::exception& error) {
    set_message(error.what(), true);
  }
  if (!superseded) loader_.forget_deferred();
  if (loader_.end_preview()) on_change();  // shows the current scene again
  loader_.finish();
}

// ---- scenes

void Session::handle(const request::LoadScene& wanted) {
  if (const std::string problem = loader_.problem_with(wanted); !problem.empty()) return set_message(problem, true);
  return_to_newest(false);
  replace("create the scene", [&] { begin(loader_.create(wanted, [this] { leave(); })); });
}

void Session::handle(const request::LoadSource& wanted) {
  leave();
  replace("load the file", [&] { begin(loader_.load(wanted.source)); });
}

void Session::load(const request::LoadScene& wanted) {
  if (const std::string problem = loader_.problem_with(wanted); !problem.empty()) throw std::invalid_argument(problem);
  loader_.report(true, 0);
  begin(loader_.create(wanted, [this] { leave(); }));
  loader_.finish();
}

void Session::load(std::shared_ptr<const SceneSource> source) {
  loader_.report(true, 0);
  begin(loader_.load(source));
  loader_.finish();
}

void Session::handle(const request::Reset&) {
  if (run_.is_playback()) return seek_playback(run_.state().playback->first);
  reload();
}

/// Creates or loads the scene of the run again.
void Session::reload() {
  const RunState& now = run_.state();
  if (const auto source = run_.course().source) {
    handle(request::LoadSource{source});
  } else if (!now.scene.empty()) {
    handle(request::LoadScene{now.scene, now.scene_request});
  }
}

/// Call before another scene replaces the run: completes its recording, from whose end it can continue.
void Session::leave() {
  return_to_newest(false);
  leaves_ = store_.is_parked(run_) ? Leaves::parked : Leaves::nothing;
  if (leaves_ == Leaves::parked || !options_.records_history || !simulation()) return;
  state();
  if (run_.complete_recording()) {
    leaves_ = Leaves::recorded;
  } else {
    store_.set_why_lost("The previous run is not in memory. " + run_.history().off_because());
  }
}

/// A new run in place of the current one, which is kept if it can be.
void Session::begin(NewRun made) {
  made.course.state.scene_serial = loader_.take_serial();
  const Leaves leaves = std::exchange(leaves_, Leaves::nothing);
  if (leaves == Leaves::recorded) store_.keep_previous(std::move(run_.course()), made.course.state);
  if (leaves == Leaves::nothing) store_.forget_previous();
  pacing_.pending_steps = 0;
  pacing_.on_jump();
  run_.start(std::move(made.simulation), std::move(made.course), made.energy, store_.memory());
  stop_if_not_finite();
  set_message(start_message(made.message), false);
  show_field();
  if (follows_series()) follow(true);
}

/// What its loader says about a run, and what is missing.
std::string Session::start_message(const std::string& of_loader) const {
  if (!run_.checkpoints().missing()) return of_loader;
  return of_loader + (of_loader.empty() ? "" : " ") + Checkpoints::meaning_of_missing(simulation()->size());
}

/// The run continues from another moment of its course, or another run from its end.
void Session::continue_at_other_moment(std::unique_ptr<Simulation> simulation, NewCheckpoint checkpoint,
                                       const Bodies* bodies) {
  pacing_.pending_steps = 0;
  pacing_.on_jump();
  run_.continue_with(std::move(simulation), checkpoint, bodies);
  set_message({}, false);
  stop_if_not_finite();
}

// ---- configurations

void Session::handle(const request::SetConfig& wanted) {
  const Config& config = wanted.config;
  std::string problem = problem_with(config);
  if (problem.empty() && config.backend == Backend::cuda) problem = cuda_status().problem_with(config.device);
  if (!problem.empty()) return set_message(problem, true);
  if (!simulation()) {
    run_.state().config = config;
    return;
  }
  if (run_.is_rewound() && (config == run_.shown_config() || !continue_from_here())) return;
  const Config& now = run_.config();
  // Setting an option of a solver selects this solver.
  if (config.solver != now.solver || config.solver_options != now.solver_options || config.multipole != now.multipole)
    run_.state().automatic_solver = false;
  // Another backend may have changed it.
  if (config.integrator != now.integrator && config.backend == now.backend) run_.state().automatic_integrator = false;
  if (config.backend != now.backend) run_.state().automatic_backend = false;
  loader_.forget_deferred();
  if (config == now) return;
  loader_.defer(config);  // until it is applied or refused
  rebuild(config);
}

void Session::handle(const request::ChooseSolver& wanted) {
  RunState& now = run_.state();
  now.automatic_solver = wanted.automatically;
  now.automatic_integrator = wanted.integrator.value_or(now.automatic_integrator);
  now.automatic_backend = wanted.backend.value_or(now.automatic_backend);
  const bool chooses = wanted.automatically || wanted.integrator.value_or(false);
  if (!simulation() || !chooses || !continue_from_here()) return;
  Config config = run_.config();
  if (wanted.automatically) config.solver_options = {};
  const double softening = now.params.softening;
  if (loader_.with_suitable_choices(config, simulation()->bodies(), softening) != run_.config()) rebuild(config);
}

/// Continues from the same bodies with this configuration.
void Session::rebuild(const Config& config) {
  replace("change the configuration", [&] {
    const Bodies bodies = bodies_between_steps();
    run_.update_energy_error_before_change();
    const bool was_playback = run_.is_playback();
    const Params params = was_playback ? run_.initial_params(run_.course().simulation_params) : run_.state().params;
    const SimulationStart start{.time = simulation()->time(), .steps = simulation()->steps()};
    const Config suitable = loader_.with_suitable_choices(config, bodies, params.softening);
    std::unique_ptr<Simulation> made = loader_.made([&] { return loader_.make(suitable, bodies, start, params); });
    if (was_playback) {
      run_.leave_playback(std::move(made), bodies, store_.memory());
    } else {
      run_.continue_with(std::move(made), NewCheckpoint::another, &bodies);
    }
    pacing_.on_change();
    set_message(was_playback ? "From here on the motion is computed. Reset returns to the playback." : "", false);
    stop_if_not_finite();
  });
}

/// Bodies after a whole number of steps. A step that was cancelled is discarded if there is a checkpoint of its start,
/// or else completed. Throws Cancelled.
Bodies Session::bodies_between_steps() {
  if (run_.is_in_step()) {
    const std::shared_ptr<const Snapshot> latest = run_.checkpoints().latest();
    if (latest && latest->run->steps == simulation()->steps()) return latest->bodies;
    advance(nullptr, false);
  }
  return simulation()->bodies();
}

Snapshot Session::snapshot() {
  if (!run_.is_rewound()) return run_.snapshot_of(bodies_between_steps());
  const HistoryLine& line = run_.history().line();
  const auto step = static_cast<std::uint64_t>(run_.shown_position());
  const HistoryKeyframe& before = line.keyframe_before(step);
  HistoryMoment at = before.at;
  Bodies bodies;
  if (at.step == step) {
    bodies = bodies_of(*before.motion, *line.segment_at(step).constants);
  } else {
    try {
      const std::unique_ptr<Simulation> there = loader_.repeated(line, step, false);
      bodies = there->bodies();
      at = {there->steps(), there->time()};
    } catch (const SceneCancelled&) {
      throw Cancelled{};
    }
  }
  Snapshot snapshot = run_.snapshot_of(std::move(bodies));
  snapshot.time = at.time;
  snapshot.run->start = line.params_at(step).reference;
  return snapshot;
}

// ---- branches and undo

/// The run continues from the recorded moment that is shown. False if that fails or is cancelled; then that moment is
/// still shown.
bool Session::continue_from_here() {
  if (!run_.is_rewound()) return true;
  replace("continue from here", [&] {
    const HistoryLine& line = run_.history().line();
    const auto step = static_cast<std::uint64_t>(run_.shown_position());
    std::unique_ptr<Simulation> made = loader_.made([&] { return loader_.repeated(line, step); });
    Course& course = run_.course();
    UndoStep undo{.what = "continuing from an earlier moment", .params = run_.newest_params()};
    undo.record = std::make_shared<const RunRecord>(course.record);
    run_.state().params = line.params_at(step).params;
    undo.ghost = course.recording.branch_at(*made);
    course.undo.push_back(std::move(undo));
    ++jumps_;
    continue_at_other_moment(std::move(made), NewCheckpoint::only);
    if (!find_solver(run_.config().solver)->reproducible)
      set_message("This solver adds forces in a varying order, so the new course differs by rounding errors.", false);
  });
  return !run_.is_rewound();
}

void Session::handle(const request::Undo&) {
  std::vector<UndoStep>& undo = run_.course().undo;
  if (undo.empty() && !store_.previous())
    return set_message(store_.why_lost().empty() ? "There is nothing to undo." : store_.why_lost(), false);
  return_to_newest(true);
  if (undo.empty()) return restore("bring back the previous run", store_.previous());
  const UndoStep step = undo.back();
  if (step.ghost != 0) return undo_branch(step);
  undo.pop_back();
  set_params(without_change(run_.state().params, step.params, step.next));
}

/// Continues from the end of the course that the run had before the branch.
void Session::undo_branch(const UndoStep& step) {
  Course& course = run_.course();
  course.recording.collect(true);
  if (!run_.history().has_ghost(step.ghost)) {
    course.undo.pop_back();
    return set_message("The earlier course of the run is no longer in memory.", false);
  }
  replace("undo", [&] {
    History restored = run_.history();
    restored.restore_ghost(step.ghost);
    const HistoryLine& line = restored.line();
    std::unique_ptr<Simulation> made = loader_.made([&] { return loader_.repeated(line, line.last.step); });
    course.recording.history() = std::move(restored);
    course.undo.pop_back();
    if (step.record) course.record = *step.record;
    run_.state().params = step.params;
    ++jumps_;
    continue_at_other_moment(std::move(made), NewCheckpoint::only);
  });
}

/// Continues a run that was kept in place of the current one; it stays where it is if that fails.
void Session::restore(const std::string& task, std::unique_ptr<Course>& kept) {
  replace(task, [&] {
    std::unique_ptr<Course> run = std::move(kept);
    try {
      if (run->state.playback) {
        begin(loader_.load(run->source));
        run_.state().params = run->state.params;
        seek_playback(run->state.time);
        return set_message({}, false);
      }
      const HistoryLine& line = run->recording.history().line();
      std::unique_ptr<Simulation> made = loader_.made([&] { return loader_.repeated(line, line.last.step); });
      run->state.scene_serial = loader_.take_serial();
      run_.set_course(std::move(*run), store_.memory());
      continue_at_other_moment(std::move(made), NewCheckpoint::only);
    } catch (...) {
      kept = std::move(run);
      throw;
    }
  });
}

void Session::handle(const request::ParkRun& wanted) {
  if (!simulation() || !options_.records_history) return;
  const std::optional<double> shown = run_.is_rewound() ? std::optional(run_.shown_position()) : std::nullopt;
  return_to_newest(false);
  state();
  if (run_.complete_recording()) {
    store_.park(wanted.key, run_.course());
    state_.parked = store_.keys();
  }
  if (shown) run_.show(*shown);
}

void Session::handle(const request::RestoreRun& wanted) {
  std::unique_ptr<Course>* const parked = store_.find(wanted.key);
  if (!parked) return;
  return_to_newest(false);
  leaves_ = Leaves::parked;  // Undo keeps what it returns to
  restore("bring back the run", *parked);
  if (*parked) return;
  store_.forget(wanted.key);
  state_.parked = store_.keys();
  if (wanted.position) seek(*wanted.position);
}

// ---- copies

void Session::handle(const request::TakeCopy&) {
  if (!simulation() || run_.is_playback() || run_.is_rewound()) return;
  Bodies bodies = bodies_between_steps();
  run_.update_energy_error_before_change();
  const Course& now = run_.course();
  auto copy = std::make_shared<RunCopy>();
  copy->bodies = std::move(bodies);
  copy->state = state();
  copy->course.source = now.source;
  copy->course.origin = now.origin;
  copy->course.record.accuracy = now.record.accuracy;
  run_copy_ = std::move(copy);
}

void Session::handle(const request::ContinueCopy& wanted) {
  replace("copy the run", [&] {
    const RunCopy& copy = *wanted.run;
    const RunState& from = copy.state;
    NewRun made;
    made.simulation = loader_.made([&] {
      return loader_.make(wanted.config, copy.bodies, {.time = from.time, .steps = from.steps}, wanted.params);
    });
    loader_.raise_serial(from.scene_serial);
    leaves_ = Leaves::parked;  // Undo keeps what it returns to
    made.course = copy.course;
    RunState& next = made.course.state = from;
    next.playback.reset();
    next.automatic_solver = next.automatic_integrator = false;
    next.config = wanted.config;
    next.params = wanted.params;
    begin(std::move(made));
  });
}

// ---- rollback and recovery

void Session::handle(const request::Rollback& wanted) {
  const std::shared_ptr<const Snapshot> target = run_.checkpoints().rollback_target();
  if (!target) return set_message("There is no checkpoint of this run. Reset the scene instead.", true);
  const Params params = wanted.params.value_or(target->run->params);
  if (const std::string problem = problem_with(params); !problem.empty()) return set_message(problem, true);
  return_to_newest(false);
  replace("roll back", [&] {
    const SimulationStart start{.time = target->time, .steps = target->run->steps};
    std::unique_ptr<Simulation> made =
        loader_.made([&] { return loader_.make(run_.config(), target->bodies, start, params); });
    state_.running = false;
    run_.state().params = params;
    run_.checkpoints().note_rollback();
    ++jumps_;
    run_.branch_at_checkpoint(*made);
    continue_at_other_moment(std::move(made), NewCheckpoint::none, &target->bodies);
  });
}

bool Session::can_resume() {
  run_.checkpoints().finish();
  return run_.checkpoints().latest() && !recovered_;
}

void Session::recover(const DeviceLost& error) {
  const bool again = std::exchange(recovered_, true);
  const Config config = run_.state().config = on_cpu(run_.config());
  loader_.forget_deferred();
  loader_.end_preview();
  state_.device_lost = error.what();
  state_.busy = false;
  return_to_newest(false);
  run_.course().recording.drop_pending();
  run_.checkpoints().finish();
  ++jumps_;
  on_change();
  const std::uint64_t pending_steps = pacing_.pending_steps;
  const std::string lost = "The GPU was lost (" + state_.device_lost + "). ";
  try {
    if (const std::shared_ptr<const Snapshot> latest = run_.checkpoints().latest()) {
      std::unique_ptr<Simulation> made = Simulation::create(
          config, latest->bodies, {.time = latest->time, .steps = latest->run->steps, .cancellation = &cancellation_});
      made->show(state_.scalar);
      run_.branch_at_checkpoint(*made);
      continue_at_other_moment(std::move(made), NewCheckpoint::none, &latest->bodies);
      pacing_.pending_steps = pending_steps;
    } else {
      run_.release_simulation();
      reload();
    }
  } catch (const std::exception& failure) {
    run_.release_simulation();  // nothing may use that GPU again
    return stop(lost + "The run cannot continue from its last checkpoint: " + failure.what());
  }
  if (!simulation()) return stop(lost + "Choose a scene again: it runs on the CPU.");
  const std::string where = time_text(simulation()->time(), run_.state().units) + " on the CPU. ";
  const std::string message =
      lost + (again ? "The run is paused at " + where + "Play continues it. " : "The run continues from " + where) +
      kUseGpuAgain;
  if (again) return stop(message);
  set_message(message, true);
}

}  // namespace pericenter
