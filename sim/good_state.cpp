#include "sim/good_state.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <new>
#include <utility>

#include "sim/clock.h"
#include "sim/cuda/device.h"
#include "sim/parallel.h"

namespace pericenter {
namespace {

constexpr double kShortestPeriod = 1;  ///< seconds
constexpr double kMostOfTime = 0.05;   ///< that copies may take
constexpr double kMostOfMemory = 1.0 / 16;

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

void GoodState::keep_when_due(std::size_t bodies, const std::function<Snapshot()>& make) {
  if (seconds_between(kept_, Clock::now()) >= std::max(period_, kShortestPeriod)) keep(bodies, make);
}

void GoodState::keep(std::size_t bodies, const std::function<Snapshot()>& make) {
  const Clock::time_point start = kept_ = Clock::now();
  period_ = 0;
  if (static_cast<double>(bodies * sizeof(Body)) > kMostOfMemory * bytes_of_memory()) return;
  try {
    auto copy = std::make_shared<const Snapshot>(make());
    if (all_finite(copy->bodies)) {
      std::swap(latest_, copy);
      if (goes_back_) before_ = std::move(copy);
      gone_back_ = false;
    }
    kept_ = Clock::now();
    period_ = std::max(kShortestPeriod, seconds_between(start, kept_) / kMostOfTime);
  } catch (const std::bad_alloc&) {
    forget();  // the run itself may need the memory
  } catch (const DeviceMemoryError&) {
    return;  // what was kept before stays
  }
}

void GoodState::note_gone_back() {
  latest_ = way_back();
  before_ = gone_back_ ? nullptr : before_;
  gone_back_ = true;
}

}  // namespace pericenter
