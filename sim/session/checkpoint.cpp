#include "sim/session/checkpoint.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <new>
#include <system_error>
#include <utility>

#include "sim/core/clock.h"
#include "sim/core/device.h"
#include "sim/core/parallel.h"

namespace pericenter {
namespace {

constexpr double kShortestPeriod = 1;         ///< seconds
constexpr double kMaxTimeShare = 0.05;        ///< that the run may wait for copies
constexpr double kMaxBackgroundShare = 0.25;  ///< of the time, that another thread may make them
constexpr double kMaxMemoryShare = 1.0 / 16;

double bytes_of_memory() {
  return static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

bool finite(const Vec3& vector) {
  return std::isfinite(vector[0]) && std::isfinite(vector[1]) && std::isfinite(vector[2]);
}

}  // namespace

bool all_finite(const Bodies& bodies) {
  std::atomic<bool> all{true};
  parallel_chunks(0, bodies.size(), [&](std::size_t first, std::size_t last) {
    const auto good = [](const Body& body) { return finite(body.position) && finite(body.velocity); };
    if (!std::all_of(bodies.data() + first, bodies.data() + last, good)) all = false;
  });
  return all;
}

void Checkpoint::keep_when_due(std::size_t bodies, const std::function<PendingCheckpoint()>& begin) {
  using namespace std::chrono_literals;
  if (pending_.valid() && pending_.wait_for(0s) != std::future_status::ready) return;
  finish();
  if (seconds_between(kept_, Clock::now()) >= std::max(period_, kShortestPeriod)) make(bodies, begin);
}

void Checkpoint::keep(std::size_t bodies, const std::function<Snapshot()>& make_all) {
  finish();
  make(bodies, [&] { return PendingCheckpoint{make_all()}; });
}

void Checkpoint::make(std::size_t bodies, const std::function<PendingCheckpoint()>& begin) {
  const Clock::time_point start = kept_ = Clock::now();
  period_ = 0;
  if (static_cast<double>(bodies * sizeof(Body)) > kMaxMemoryShare * bytes_of_memory()) return;
  try {
    PendingCheckpoint begun = begin();
    if (begun.bodies) {
      pending_ = std::async(std::launch::async, finish_copy, std::move(begun));
    } else {
      take(finite_copy(std::move(begun.snapshot)));
      kept_ = Clock::now();
    }
    period_ = std::max(kShortestPeriod, seconds_between(start, Clock::now()) / kMaxTimeShare);
  } catch (const std::bad_alloc&) {
    forget();  // the run itself may need the memory
  } catch (const DeviceMemoryError&) {
    return;  // what was kept before stays
  } catch (const std::system_error&) {
    return;  // there is no thread
  }
}

Checkpoint::Finished Checkpoint::finish_copy(PendingCheckpoint begun) {
  const Clock::time_point start = Clock::now();
  begun.snapshot.bodies = std::exchange(begun.bodies, {})();
  std::shared_ptr<const Snapshot> copy = finite_copy(std::move(begun.snapshot));
  return {std::move(copy), seconds_between(start, Clock::now())};
}

/// Null when it is not finite.
std::shared_ptr<const Snapshot> Checkpoint::finite_copy(Snapshot snapshot) {
  return all_finite(snapshot.bodies) ? std::make_shared<const Snapshot>(std::move(snapshot)) : nullptr;
}

void Checkpoint::take(std::shared_ptr<const Snapshot> copy) {
  if (!copy) return;
  std::swap(latest_, copy);
  if (goes_back_) before_ = std::move(copy);
  gone_back_ = false;
}

void Checkpoint::finish() {
  if (!pending_.valid()) return;
  try {
    Finished finished = pending_.get();
    take(std::move(finished.copy));
    period_ = std::max(period_, finished.seconds / kMaxBackgroundShare);
  } catch (const std::bad_alloc&) {
    forget();
  } catch (const std::exception&) {
    return;  // the next step meets what the copy has met
  }
}

void Checkpoint::forget() {
  pending_ = {};
  latest_ = before_ = nullptr;
}

void Checkpoint::note_gone_back() {
  pending_ = {};  // it was begun on the way that led to no good
  latest_ = rollback_target();
  before_ = gone_back_ ? nullptr : before_;
  gone_back_ = true;
}

}  // namespace pericenter
