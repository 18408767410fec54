// What a RunningScene does when its bodies leave the numbers or its GPU is lost.
#include <exception>
#include <functional>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>

#include "sim/core/nonfinite_bodies.h"
#include "sim/core/time_text.h"
#include "sim/scenes/model/procedural_source.h"
#include "sim/session/run_snapshot.h"
#include "sim/session/running_scene.h"
#include "sim/solvers/registry.h"

namespace pericenter {
void RunningScene::make_checkpoint() {
  if (!state_.recorded)
    good_.keep_when_due(simulation_->size(), [this] { return pending_checkpoint_of(told(), *simulation_); });
}

/// Names the first body that is not finite, and pauses.
void RunningScene::alarm() {
  state_.lost_body.clear();
  if (state_.diagnostics.non_finite == 0) return;
  const std::shared_ptr<const Snapshot> good = good_.latest();
  const std::size_t first = state_.diagnostics.first_non_finite;
  state_.lost_body = good ? body_name(first, good->bodies[first].tag) : body_name(first);
  if (!state_.running) return;
  stop(nonfinite_bodies_message(state_.lost_body, state_.diagnostics.non_finite) + " Paused. " +
       (good ? "Go back with half the step or twice the softening, at the top of the panel (H shows it)."
             : "Take a smaller dt or a larger softening, then reset."));
}

/// Calls change(), which puts a new simulation of the same scene in the place of the one that runs.
bool RunningScene::change_guarded(const std::function<void()>& change) {
  bool changed = false, gave_way = false;
  report_progress(true, 0);
  try {
    change();
    changed = true;
    state_.force_errors.reset();
    rates_.forget();
    forget_energy();
  } catch (const SceneCancelled&) {
    gave_way = note_given_up();
  } catch (const Cancelled&) {
    gave_way = note_given_up();
  } catch (const std::bad_alloc&) {
    say("There is not enough memory to change over; what ran before goes on.", true);
  } catch (const DeviceMemoryError& error) {
    say("Cannot change over: " + std::string(error.what()) + "; what ran before goes on. Fewer bodies need less.",
        true);
  } catch (const DeviceLost& error) {
    stay_on_cpu(error);
  } catch (const std::invalid_argument& error) {
    say(error.what(), true);
  }
  if (!gave_way) put_off_.reset();
  end_work();
  return changed;
}

/// What did not get to the GPU goes on where it is; throws on where that is the GPU too, or nowhere.
void RunningScene::stay_on_cpu(const DeviceLost& error) {
  if (!simulation_ || simulation_->config().backend != Backend::cpu) throw error;
  state_.device_lost = error.what();
  say("The GPU was lost (" + state_.device_lost + "); what ran before goes on, on the CPU.", true);
}

void RunningScene::restore(const Snapshot& good, const Config& config) {
  const SimulationStart start{.time = good.time, .steps = good.run->steps, .cancellation = &cancellation_};
  simulation_ = Simulation::create(config, good.bodies, start);
  simulation_->show(state_.scalar);
}

bool RunningScene::go_back(const std::optional<Params>& params) {
  const std::shared_ptr<const Snapshot> good = good_.rollback_target();
  if (!good) {
    say("No earlier state of this run was kept: reset it instead.", true);
    return false;
  }
  const Params wanted = params.value_or(good->run->params);
  if (const std::string problem = problem_with(wanted); !problem.empty()) {
    say(problem, true);
    return false;
  }
  return change_guarded([&] {
    replace_simulation(config(), good->bodies, {.time = good->time, .steps = good->run->steps}, wanted);
    state_.running = false;
    single_steps_ = 0;
    state_.params = wanted;
    good_.note_gone_back();
    say({}, false);
  });
}

void RunningScene::recover(const DeviceLost& error) {
  const bool again = std::exchange(recovered_, true);
  const Config config = state_.config = on_cpu(this->config());
  put_off_.reset();
  state_.device_lost = error.what();
  state_.busy = false;
  const std::string lost = "The GPU was lost (" + state_.device_lost + "). ";
  good_.finish();
  try {
    if (const std::shared_ptr<const Snapshot> good = good_.latest()) {
      restore(*good, config);
    } else {
      simulation_.reset();
      reload();
    }
    state_.force_errors.reset();
    rates_.forget();
    forget_energy();
  } catch (const std::exception& why) {
    simulation_.reset();  // nothing may touch that GPU again
    return stop(lost + "The run cannot go on from its last copy either: " + why.what());
  }
  if (!simulation_) return stop(lost + "Choose a scene again: the CPU computes it.");
  const std::string where = time_text(simulation_->time(), state_.units) + " on the CPU";
  const std::string words =
      lost + (again ? "The run is paused at " + where + ", and Play goes on." : "The run goes on from " + where + ".") +
      " To compute on the GPU again, save a snapshot and restart the program.";
  if (again) return stop(words);
  say(words, true);
}

}  // namespace pericenter
