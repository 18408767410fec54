// Checkpoints of a Session, and what it does when bodies become non-finite or the GPU is lost.
#include <exception>
#include <functional>
#include <string>
#include <utility>

#include "sim/core/bodies.h"
#include "sim/core/display_units.h"
#include "sim/scenes/model/procedural_source.h"
#include "sim/session/session.h"
#include "sim/solvers/registry.h"

namespace pericenter {

Snapshot Session::snapshot() {
  if (rewound_) return recorded_snapshot();
  return snapshot_with(bodies_between_steps());
}

Snapshot Session::snapshot_with(Bodies bodies) {
  const SessionState& now = state();
  const bool is_playback = now.playback.has_value();
  return {.bodies = std::move(bodies),
          .ids = {},
          .types = {},
          .units = {},
          .time = now.time,
          .softening = now.params.softening,
          .format = {},
          .notes = {},
          .skipped = 0,
          .run = SavedRun{.scene = now.scene,
                          .request = now.scene_request,
                          .config = now.config,
                          .params = is_playback ? initial_params(simulation_params_) : now.params,
                          .suggested = is_playback ? simulation_params_ : now.suggested,
                          .steps = now.steps,
                          .units = now.units,
                          .view_radius = now.view_radius,
                          .angles = now.angles,
                          .highlight_time = now.highlight_time,
                          .scene_string = {},
                          .start = is_playback ? std::nullopt : conservation_.reference(),
                          .origin = is_playback ? shown_origin() : origin_}};
}

/// With the ids and particle types of the bodies that a playback shows.
std::shared_ptr<const FileOrigin> Session::shown_origin() const {
  BodyLabels labels = simulation_->labels();
  if (!origin_ || (labels.ids.empty() && labels.types.empty())) return origin_;
  FileOrigin shown = *origin_;
  shown.ids = std::move(labels.ids);
  shown.types = std::move(labels.types);
  return std::make_shared<const FileOrigin>(std::move(shown));
}

/// Names the first body that is not finite, and pauses.
void Session::check_finite() {
  state_.first_nonfinite.clear();
  if (state_.diagnostics.non_finite == 0) return;
  const std::shared_ptr<const Snapshot> checkpoint = checkpoints_.latest();
  const std::size_t first = state_.diagnostics.first_non_finite;
  state_.first_nonfinite = checkpoint ? body_name(first, checkpoint->bodies[first].tag) : body_name(first);
  if (!state_.running) return;
  stop(nonfinite_bodies_message(state_.first_nonfinite, state_.diagnostics.non_finite) + " Paused. " +
       (checkpoint ? "Roll back with half the time step or twice the softening: see the top of the panel (H shows it)."
                   : "Use a smaller dt or a larger softening, then reset the scene."));
}

void Session::apply_to(const request::Rollback& wanted) {
  const std::shared_ptr<const Snapshot> target = checkpoints_.rollback_target();
  if (!target) return set_message("There is no checkpoint of this run. Reset the scene instead.", true);
  const Params params = wanted.params.value_or(target->run->params);
  if (const std::string problem = problem_with(params); !problem.empty()) return set_message(problem, true);
  return_to_newest(false);
  replace("roll back", [&] {
    replace_simulation(config(), target->bodies, {.time = target->time, .steps = target->run->steps}, params);
    state_.running = false;
    pending_steps_ = 0;
    state_.params = params;
    checkpoints_.note_rollback();
    set_message({}, false);
    ++jumps_;
    steps_since_publish_ = 0;
    branch_at(moment());
    forget_branches();
    continue_history(target->bodies);
    note_new_simulation();
  });
}

/// The GPU was lost while a new simulation was created there: the current one continues if it is on the CPU.
void Session::keep_on_cpu(const DeviceLost& error) {
  if (!simulation_ || simulation_->config().backend != Backend::cpu) throw error;
  state_.device_lost = error.what();
  set_message("The GPU was lost (" + state_.device_lost + "). The current simulation continues on the CPU.", true);
}

void Session::restore(const Snapshot& checkpoint, const Config& config) {
  const SimulationStart start{.time = checkpoint.time, .steps = checkpoint.run->steps, .cancellation = &cancellation_};
  simulation_ = Simulation::create(config, checkpoint.bodies, start);
  simulation_->show(state_.scalar);
}

bool Session::can_resume() {
  checkpoints_.finish();
  return checkpoints_.latest() && !recovered_;
}

void Session::recover(const DeviceLost& error) {
  const bool again = std::exchange(recovered_, true);
  const Config config = state_.config = on_cpu(this->config());
  deferred_config_.reset();
  state_.device_lost = error.what();
  state_.busy = false;
  previewed_.reset();
  return_to_newest(false);
  pending_keyframe_ = {};
  ++jumps_;
  steps_since_publish_ = 0;
  mark_changed();
  const std::string lost = "The GPU was lost (" + state_.device_lost + "). ";
  checkpoints_.finish();
  try {
    if (const std::shared_ptr<const Snapshot> checkpoint = checkpoints_.latest()) {
      restore(*checkpoint, config);
      branch_at(moment());
      forget_branches();
      continue_history(checkpoint->bodies);
    } else {
      simulation_.reset();
      reload();
    }
    note_new_simulation();
  } catch (const std::exception& failure) {
    simulation_.reset();  // nothing may use that GPU again
    return stop(lost + "The run cannot continue from its last checkpoint: " + failure.what());
  }
  if (!simulation_) return stop(lost + "Choose a scene again: it runs on the CPU.");
  const std::string where = time_text(simulation_->time(), state_.units) + " on the CPU. ";
  const std::string message =
      lost + (again ? "The run is paused at " + where + "Play continues it. " : "The run continues from " + where) +
      "To use the GPU again, save a snapshot and restart the program.";
  if (again) return stop(message);
  set_message(message, true);
}

}  // namespace pericenter
