#include "sim/run/checkpoint.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <new>
#include <system_error>
#include <utility>

#include "sim/core/clock.h"
#include "sim/core/device.h"
#include "sim/core/display_units.h"
#include "sim/core/fault_injection.h"
#include "sim/core/host_memory.h"
#include "sim/core/parallel.h"

namespace pericenter {
namespace {

constexpr double kMinPeriod = 1;        ///< seconds
constexpr double kMaxTimeShare = 0.05;  ///< maximum share of the run's time spent waiting for checkpoints
constexpr double kMaxBackgroundShare = 0.25;
constexpr double kMaxMemoryShare = 1.0 / 16;

/// Checkpoints must not take the memory that the run needs later.
bool is_too_large(std::size_t bodies) {
  const double bytes = static_cast<double>(bodies) * sizeof(Body);
  const double total = total_memory(), available = available_memory();
  return (total > 0 && bytes > kMaxMemoryShare * total) || (available > 0 && bytes > available / 2);
}

bool finite(const Vec3& vector) {
  return std::isfinite(vector[0]) && std::isfinite(vector[1]) && std::isfinite(vector[2]);
}

}  // namespace

bool all_finite(const Bodies& bodies) {
  std::atomic<bool> all{true};
  parallel_chunks(0, bodies.size(), [&](std::size_t first, std::size_t last) {
    const auto is_finite = [](const Body& body) { return finite(body.position) && finite(body.velocity); };
    if (!std::all_of(bodies.data() + first, bodies.data() + last, is_finite)) all = false;
  });
  return all;
}

std::string Checkpoints::meaning_of_missing(std::size_t bodies) {
  constexpr double kGigabyte = 1e9;
  return "Without checkpoints: a copy of these bodies takes " +
         decimal_text(static_cast<double>(bodies) * sizeof(Body) / kGigabyte, 1) +
         " GB of memory. A failure of the GPU, a body that becomes infinite or a crash loses this run.";
}

bool Checkpoints::is_copying() const {
  return pending_.valid() && pending_.wait_for(std::chrono::seconds(0)) != std::future_status::ready;
}

void Checkpoints::update(std::size_t bodies, const std::function<PendingCheckpoint()>& start) {
  if (is_copying()) return;
  finish();
  if (seconds_between(last_, Clock::now()) >= std::max(period_, kMinPeriod)) make(bodies, start);
}

void Checkpoints::add(std::size_t bodies, const std::function<Snapshot()>& make_snapshot) {
  finish();
  make(bodies, [&] { return PendingCheckpoint{make_snapshot()}; });
}

void Checkpoints::make(std::size_t bodies, const std::function<PendingCheckpoint()>& start) {
  const Clock::time_point begin = last_ = Clock::now();
  period_ = 0;
  missing_ = is_too_large(bodies) || should_fail(Fault::snapshot_memory);
  if (missing_) return;
  try {
    PendingCheckpoint pending = start();
    if (pending.bodies) {
      pending_ = std::async(std::launch::async, finish_pending, std::move(pending));
    } else {
      store(if_finite(std::move(pending.snapshot)));
      last_ = Clock::now();
    }
    period_ = std::max(kMinPeriod, seconds_between(begin, Clock::now()) / kMaxTimeShare);
  } catch (const std::bad_alloc&) {
    clear();  // the run itself may need the memory
    missing_ = true;
  } catch (const DeviceMemoryError&) {
    return;  // the previous checkpoints stay
  } catch (const std::system_error&) {
    return;  // no thread could be started
  }
}

Checkpoints::Finished Checkpoints::finish_pending(PendingCheckpoint pending) {
  const Clock::time_point start = Clock::now();
  pending.snapshot.bodies = std::exchange(pending.bodies, {})();
  std::shared_ptr<const Snapshot> checkpoint = if_finite(std::move(pending.snapshot));
  return {std::move(checkpoint), seconds_between(start, Clock::now())};
}

/// Null when the bodies are not finite.
std::shared_ptr<const Snapshot> Checkpoints::if_finite(Snapshot snapshot) {
  return all_finite(snapshot.bodies) ? std::make_shared<const Snapshot>(std::move(snapshot)) : nullptr;
}

void Checkpoints::store(std::shared_ptr<const Snapshot> checkpoint) {
  if (!checkpoint) return;
  std::swap(latest_, checkpoint);
  if (allows_rollback_) previous_ = std::move(checkpoint);
  rolled_back_ = false;
}

void Checkpoints::finish() {
  if (!pending_.valid()) return;
  try {
    Finished finished = pending_.get();
    store(std::move(finished.checkpoint));
    period_ = std::max(period_, finished.seconds / kMaxBackgroundShare);
  } catch (const std::bad_alloc&) {
    clear();
  } catch (const std::exception&) {
    return;  // the next step fails for the same reason and reports it
  }
}

void Checkpoints::clear() {
  pending_ = {};
  latest_ = previous_ = nullptr;
  missing_ = false;
}

void Checkpoints::note_rollback() {
  pending_ = {};  // it belongs to the steps that were rolled back
  latest_ = rollback_target();
  previous_ = rolled_back_ ? nullptr : previous_;
  rolled_back_ = true;
}

}  // namespace pericenter
