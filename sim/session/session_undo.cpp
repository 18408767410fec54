// What a Session takes back: changes of parameters, branches, resets and changes of scene.
#include <cstdint>
#include <utility>

#include "sim/core/clock.h"
#include "sim/session/session.h"

namespace pericenter {
namespace {

constexpr std::size_t kMaxUndoSteps = 200;
constexpr std::size_t kPreviousShare = 4;  ///< the previous run may use this part of the memory of the history

}  // namespace

std::string Session::undo_text() const {
  if (!undo_.empty()) return undo_.back().what;
  return previous_ ? previous_->what : std::string();
}

/// Call before a change of the parameters.
void Session::remember_params(const Params& next) {
  if (next == state_.params) return;
  UndoStep step{.what = "change of " + changed_names(state_.params, next), .params = state_.params};
  step.last = Clock::now();
  const bool continues = !undo_.empty() && undo_.back().what == step.what &&
                         seconds_between(undo_.back().last, step.last) < History::kDragSeconds;
  if (continues) {
    undo_.back().last = step.last;
    return;
  }
  undo_.push_back(std::move(step));
  if (undo_.size() > kMaxUndoSteps) undo_.erase(undo_.begin());
}

void Session::apply_to(const request::Undo&) {
  if (undo_.empty() && !previous_)
    return set_message(previous_is_lost_.empty() ? "There is nothing to undo." : previous_is_lost_, false);
  return_to_newest(true);
  if (undo_.empty()) return restore_previous_run();
  const UndoStep step = undo_.back();
  if (step.ghost != 0) return undo_branch(step);
  undo_.pop_back();
  set_params(step.params);
}

/// Continues from the end of the course that the run had before the branch.
void Session::undo_branch(const UndoStep& step) {
  collect_keyframe(true);
  if (!history_.has_ghost(step.ghost)) {
    undo_.pop_back();
    return set_message("The earlier course of the run is no longer in memory.", false);
  }
  replace("undo", [&] {
    History restored = history_;
    restored.restore_ghost(step.ghost);
    const HistoryLine& line = restored.line();
    replace_simulation([&] { return repeated(line, line.last.step); });
    history_ = std::move(restored);
    state_.params = step.params;
    undo_.pop_back();
    pending_steps_ = 0;
    ++jumps_;
    if (step.record) restore(*step.record);
    continue_with_simulation();
    set_message({}, false);
  });
}

void Session::restore(RunRecord record) {
  recorder_ = std::move(record.recorder);
  conservation_ = std::move(record.conservation);
  health_ = std::move(record.health);
}

/// After a return to a checkpoint, which may be before the start of a branch.
void Session::forget_branches() {
  std::erase_if(undo_, [](const UndoStep& step) { return step.ghost != 0; });
}

// ---- the previous run

/// Call before the scene changes: completes the history, from whose end the run can continue.
void Session::prepare_to_leave() {
  leaving_.reset();
  return_to_newest(false);
  leaves_parked_ = is_parked();
  if (options_.records_history && simulation_ && !leaves_parked_) leaving_ = run_to_keep();
}

/// The run without its history, which ends with its newest step; null if that is not recorded.
std::unique_ptr<PreviousRun> Session::run_to_keep() {
  // A step that was cancelled is not completed: it may take minutes. Steps since the last keyframe can be repeated.
  const bool recorded = is_in_step() ? history_.is_on() : record_newest();
  if (!state_.playback && !recorded) {
    previous_is_lost_ = "The previous run is not in memory. " + history_.off_because();
    return nullptr;
  }
  history_.pin_newest();
  // Those of the first step, if none was taken.
  if (history_.line().params.empty()) history_.note_params({moment(), state_.params, conservation_.reference()});
  return std::make_unique<PreviousRun>(PreviousRun{.what = {},
                                                   .state = state(),
                                                   .history = {},
                                                   .undo = undo_,
                                                   .source = source_,
                                                   .origin = origin_,
                                                   .simulation_params = simulation_params_,
                                                   .record = run_record(),
                                                   .meters = body_measurements_.meters(),
                                                   .settings_of_steps = settings_of_steps_,
                                                   .settings_changed = settings_changed_});
}

/// Another scene has started: keeps the run that it replaced, with a smaller history.
void Session::keep_previous_run() {
  if (!leaving_) {
    if (!std::exchange(leaves_parked_, false)) previous_.reset();
    return;
  }
  const SessionState &before = leaving_->state, &now = state_;
  const bool reset = before.scene == now.scene && before.file == now.file &&
                     before.scene_request.bodies == now.scene_request.bodies &&
                     before.scene_request.seed == now.scene_request.seed;
  const bool has_steps =
      !history_.line().keyframes.empty() && history_.line().last.step > history_.line().keyframes.front().at.step;
  if (reset && !has_steps) return leaving_.reset();  // nothing is lost; the run before it stays
  leaving_->what = reset ? "Reset" : "change of scene";
  leaving_->history = std::move(history_);
  leaving_->history.shrink_to(leaving_->history.budget() / kPreviousShare);
  previous_ = std::move(leaving_);
  previous_is_lost_.clear();
}

void Session::restore_previous_run() {
  replace("bring back the previous run", [&] {
    restore_run(previous_);
    set_message({}, false);
  });
}

/// Continues the run, which is then moved from; it stays if that throws.
void Session::restore_run(std::unique_ptr<PreviousRun>& run) {
  if (run->state.playback) return restore_playback(run);
  const HistoryLine& line = run->history.line();
  replace_simulation([&] { return repeated(line, line.last.step); });
  continue_run(std::move(*std::exchange(run, nullptr)));
}

void Session::restore_playback(std::unique_ptr<PreviousRun>& kept) {
  std::unique_ptr<PreviousRun> run = std::move(kept);
  try {
    create_from(run->source);
  } catch (...) {
    kept = std::move(run);
    throw;
  }
  state_.params = run->state.params;
  seek(run->state.time);
}

void Session::continue_run(PreviousRun run) {
  SessionState now = std::move(run.state);
  keep_settings(now);
  now.scene_serial = next_serial_++;
  state_ = std::move(now);
  source_ = std::move(run.source);
  origin_ = std::move(run.origin);
  simulation_params_ = run.simulation_params;
  pending_steps_ = 0;
  pending_keyframe_ = {};
  history_ = std::move(run.history);
  history_.set_reserved(kept_bytes());
  history_.set_budget(history_budget_.value_or(history_.budget()));
  undo_ = std::move(run.undo);
  restore(std::move(run.record));
  body_measurements_.resume(std::move(run.meters));
  settings_of_steps_ = std::move(run.settings_of_steps);
  settings_changed_ = run.settings_changed;
  returning_ = false;
  continue_with_simulation();
}

}  // namespace pericenter
