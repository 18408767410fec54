// How a Session records its history.
#include <exception>
#include <functional>
#include <future>
#include <new>
#include <system_error>
#include <utility>

#include "sim/core/clock.h"
#include "sim/session/session.h"

namespace pericenter {

/// Starts the history of a scene, from these bodies if they are at hand.
void Session::start_history(const Bodies* bodies) {
  rewound_.reset();
  undo_.clear();
  pending_keyframe_ = {};
  history_.clear();
  if (!options_.records_history || state_.playback) return;
  history_.set_reserved(kept_bytes());
  history_.set_budget(history_budget_.value_or(default_history_budget()));
  if (!history_.start(simulation_->config(), simulation_->size())) return;
  try {
    history_.begin_segment(moment(), simulation_->config(), bodies ? *bodies : simulation_->bodies());
  } catch (const std::bad_alloc&) {
    history_.note_out_of_memory();
  }
}

/// The simulation was replaced by one that continues from these bodies.
void Session::continue_history(const Bodies& bodies) {
  collect_keyframe(true);
  history_.begin_segment(moment(), simulation_->config(), bodies);
}

/// The run continues from this earlier moment. What came after it becomes a ghost; the result names it, 0: none.
std::uint64_t Session::branch_at(const HistoryMoment& at) {
  collect_keyframe(true);
  const std::uint64_t ghost = history_.branch(at);
  history_.add_mark({TimelineMarkKind::branch, static_cast<double>(at.step), "continued from here"});
  return ghost;
}

/// Before a step with these parameters.
void Session::note_step_start(const Params& params) {
  if (!history_.is_on()) return;
  const std::vector<HistoryParams>& noted = history_.line().params;
  if (simulation_->in_step()) {
    pins_next_keyframe_ = !noted.empty() && noted.back().params != params;
    return;
  }
  // The interpolation needs times that increase or decrease from keyframe to keyframe.
  const bool turns = !noted.empty() && (noted.back().params.dt < 0) != (params.dt < 0);
  if (turns && record_newest()) history_.pin_newest();
  history_.note_params({moment(), params, conservation_.reference()});
}

/// After a step: a keyframe and a checkpoint if they are due, from one copy of the bodies where both are.
void Session::store_moments(double step_seconds) {
  if (state_.playback) return;
  history_.note_step(moment(), step_seconds);
  const double now = simulation_->time(), highlight = state_.highlight_time;
  if (highlight > 0 && now >= highlight && now - state_.params.dt < highlight) {
    const std::string text = "key moment of the scene";
    history_.add_mark({TimelineMarkKind::highlight, static_cast<double>(simulation_->steps()), text});
  }
  collect_keyframe(false);
  if (std::exchange(pins_next_keyframe_, false) && record_newest()) history_.pin_newest();
  // On a GPU both share one copy on the device.
  const bool copying = pending_keyframe_.valid();
  bool wanted = history_.wants_keyframe() && !history_.has_newest() && !copying && !checkpoints_.is_copying();
  if (!copying)
    checkpoints_.update(simulation_->size(), [&] { return begin_checkpoint(std::exchange(wanted, false)); });
  if (wanted) record_keyframe();
}

PendingCheckpoint Session::begin_checkpoint(bool with_keyframe) {
  std::function<Bodies()> later = simulation_->async_snapshot();
  Bodies now = later ? Bodies() : simulation_->bodies();
  if (with_keyframe && !later) add_keyframe();
  if (with_keyframe && later) {
    const auto promise = std::make_shared<std::promise<PackedKeyframe>>();
    pending_keyframe_ = promise->get_future();
    later = [fetch = std::move(later), promise, at = moment(), layout = history_.layout()] {
      Bodies bodies = fetch();
      try {
        promise->set_value(packed(at, layout, bodies));
      } catch (const std::bad_alloc&) {
        promise->set_exception(std::current_exception());
      }
      return bodies;
    };
  }
  return {snapshot_with(std::move(now)), std::move(later)};
}

void Session::record_keyframe() {
  const Clock::time_point start = Clock::now();
  try {
    if (std::function<Bodies()> later = simulation_->async_snapshot()) {
      const double waited = seconds_between(start, Clock::now());
      const auto pack = [waited, fetch = std::move(later), at = moment(), layout = history_.layout()]() mutable {
        const Clock::time_point begin = Clock::now();
        PackedKeyframe result = packed(at, layout, std::exchange(fetch, {})());
        result.waited_seconds = waited;
        result.packing_seconds = seconds_between(begin, Clock::now());
        return result;
      };
      pending_keyframe_ = std::async(std::launch::async, pack);
      return;
    }
    add_keyframe();
    history_.note_cost(seconds_between(start, Clock::now()), 0);
  } catch (const std::bad_alloc&) {
    history_.note_out_of_memory();
  } catch (const DeviceMemoryError&) {
    return;  // the next keyframe may have memory
  } catch (const std::system_error&) {
    return;  // no thread could be started
  }
}

/// Of the step that was just taken.
void Session::add_keyframe() {
  try {
    history_.add({moment(), std::make_shared<const PackedMotion>(history_.layout(), *simulation_)});
  } catch (const std::bad_alloc&) {
    history_.note_out_of_memory();
  }
}

/// Makes the newest step a keyframe, so that all steps can be shown; false if it cannot.
bool Session::record_newest() {
  if (!history_.is_on()) return false;
  collect_keyframe(true);
  if (simulation_->in_step()) advance(nullptr, false);
  if (!history_.has_newest()) add_keyframe();
  return history_.has_newest();
}

/// Adds the keyframe that another thread packs, if it is ready or `wait`.
void Session::collect_keyframe(bool wait) {
  if (!pending_keyframe_.valid()) return;
  if (!wait && pending_keyframe_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return;
  try {
    PackedKeyframe found = pending_keyframe_.get();
    history_.add(std::move(found.keyframe));
    if (found.packing_seconds > 0) history_.note_cost(found.waited_seconds, found.packing_seconds);
  } catch (const std::bad_alloc&) {
    history_.note_out_of_memory();
  } catch (const std::exception&) {
    return;  // the next step fails for the same reason and reports it
  }
}

void Session::apply_to(const request::SetHistoryBudget& wanted) {
  history_budget_ = wanted.bytes;
  if (!simulation_ || state_.playback || !options_.records_history) return;
  if (history_.is_on()) {
    history_.set_budget(wanted.bytes);
    if (!history_.is_on()) return_to_newest(true);
    return;
  }
  if (is_in_step()) advance(nullptr, false);
  std::vector<UndoStep> undo = std::exchange(undo_, {});
  start_history(nullptr);  // from here on
  undo_ = std::move(undo);
  forget_branches();
}

}  // namespace pericenter
