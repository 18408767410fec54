#include "sim/run/recording.h"

#include <chrono>
#include <exception>
#include <future>
#include <memory>
#include <new>
#include <system_error>
#include <utility>
#include <vector>

#include "sim/core/clock.h"
#include "sim/core/device.h"

namespace pericenter {
namespace {

using Clock = std::chrono::steady_clock;

HistoryMoment moment_of(const Simulation& simulation) {
  return {simulation.steps(), simulation.time()};
}

}  // namespace

Recording::PackedKeyframe Recording::packed(const HistoryMoment& at, const MotionLayout& layout, const Bodies& bodies) {
  return {{at, std::make_shared<const PackedMotion>(layout, bodies)}};
}

void Recording::start(const Simulation& simulation, const Bodies* bodies) {
  if (!history_.start(simulation.config(), simulation.size())) return;
  try {
    history_.begin_segment(moment_of(simulation), simulation.config(), bodies ? *bodies : simulation.bodies());
  } catch (const std::bad_alloc&) {
    history_.note_out_of_memory();
  }
}

void Recording::stop() {
  drop_pending();
  history_.clear();
}

void Recording::begin_segment(const Simulation& simulation, const Bodies& bodies) {
  collect(true);
  history_.begin_segment(moment_of(simulation), simulation.config(), bodies);
}

std::uint64_t Recording::branch_at(const Simulation& simulation) {
  collect(true);
  const HistoryMoment at = moment_of(simulation);
  const std::uint64_t ghost = history_.branch(at);
  history_.add_mark({TimelineMarkKind::branch, static_cast<double>(at.step), "continued from here"});
  return ghost;
}

void Recording::before_step(const Simulation& simulation, const Params& params,
                            const std::optional<Diagnostics>& reference) {
  if (!history_.is_on()) return;
  const std::vector<HistoryParams>& noted = history_.line().params;
  if (simulation.in_step()) {
    pins_next_ = !noted.empty() && noted.back().params != params;
    return;
  }
  // The interpolation needs times that increase or decrease from keyframe to keyframe.
  const bool turns = !noted.empty() && (noted.back().params.dt < 0) != (params.dt < 0);
  if (turns && record_newest(simulation)) history_.pin_newest();
  history_.note_params({moment_of(simulation), params, reference});
}

void Recording::after_step(const Simulation& simulation, double seconds) {
  history_.note_step(moment_of(simulation), seconds);
  history_.note_parts(simulation.step_parts());
  collect(false);
  if (std::exchange(pins_next_, false) && record_newest(simulation)) history_.pin_newest();
}

bool Recording::wants_keyframe() const {
  return history_.wants_keyframe() && !history_.has_newest() && !is_packing();
}

void Recording::record(Simulation& simulation) {
  const Clock::time_point start = Clock::now();
  try {
    if (std::function<Bodies()> later = simulation.async_snapshot()) {
      const double waited = seconds_between(start, Clock::now());
      const auto pack = [waited, fetch = std::move(later), at = moment_of(simulation),
                         layout = history_.layout()]() mutable {
        const Clock::time_point begin = Clock::now();
        PackedKeyframe result = packed(at, layout, std::exchange(fetch, {})());
        result.waited_seconds = waited;
        result.packing_seconds = seconds_between(begin, Clock::now());
        return result;
      };
      pending_ = std::async(std::launch::async, pack);
      return;
    }
    add_newest(simulation);
    history_.note_cost(seconds_between(start, Clock::now()), 0);
  } catch (const std::bad_alloc&) {
    history_.note_out_of_memory();
  } catch (const DeviceMemoryError&) {
    return;  // the next keyframe may have memory
  } catch (const std::system_error&) {
    return;  // no thread could be started
  }
}

std::function<Bodies()> Recording::record_with(std::function<Bodies()> fetch, const Simulation& simulation) {
  if (!fetch) {
    add_newest(simulation);
    return {};
  }
  const auto promise = std::make_shared<std::promise<PackedKeyframe>>();
  pending_ = promise->get_future();
  return [fetch = std::move(fetch), promise, at = moment_of(simulation), layout = history_.layout()] {
    Bodies bodies = fetch();
    try {
      promise->set_value(packed(at, layout, bodies));
    } catch (const std::bad_alloc&) {
      promise->set_exception(std::current_exception());
    }
    return bodies;
  };
}

void Recording::add_newest(const Simulation& simulation) {
  try {
    history_.add({moment_of(simulation), std::make_shared<const PackedMotion>(history_.layout(), simulation)});
  } catch (const std::bad_alloc&) {
    history_.note_out_of_memory();
  }
}

bool Recording::record_newest(const Simulation& simulation) {
  if (!history_.is_on()) return false;
  collect(true);
  if (!history_.has_newest() && !simulation.in_step()) add_newest(simulation);
  return history_.has_newest();
}

void Recording::collect(bool wait) {
  if (!(wait ? pending_.exists() : pending_.is_ready())) return;
  try {
    PackedKeyframe found = pending_.get();
    history_.add(std::move(found.keyframe));
    if (found.packing_seconds > 0) history_.note_cost(found.waited_seconds, found.packing_seconds);
  } catch (const std::bad_alloc&) {
    history_.note_out_of_memory();
  } catch (const std::exception&) {
    return;  // the next step fails for the same reason and reports it
  }
}

}  // namespace pericenter
