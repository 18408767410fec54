#include "sim/run/star_watch.h"

#include <algorithm>
#include <memory>
#include <new>

#include "sim/core/clock.h"
#include "sim/core/device.h"

namespace pericenter {
namespace {

constexpr std::size_t kMostSampled = 16'384;  ///< bodies that determine the nuclei
constexpr double kMaxShare = 0.05;            ///< largest share of a running simulation's time
constexpr double kFramePeriod = 1.0 / 60;     ///< seconds

}  // namespace

void StarWatch::begin(const RunView&) {
  meter_.reset();
  on_change();
}

void StarWatch::track(const TrackedStars& wanted) {
  wanted_ = wanted;
  changed_ = true;
  seconds_ = 0;  // a newly selected star is shown immediately
  last_ = {};
}

void StarWatch::update(const RunView& run, const Shown& shown) {
  if (wanted_ == TrackedStars()) {
    run.state.stars = nullptr;
    return;
  }
  const Clock::time_point start = Clock::now();
  const double period = std::max(kFramePeriod, seconds_ / kMaxShare);
  const bool is_new = changed_ || !run.state.stars || run.state.stars->time != shown.time;
  if (!is_new || run.simulation.in_step() || (run.running && seconds_between(last_, start) < period)) return;
  changed_ = false;
  StarReport report;
  report.time = shown.time;
  report.has_velocities = run.simulation.has_velocities();
  for (const std::uint32_t index : wanted_.bodies)
    if (index < run.simulation.size()) report.stars.push_back({index, shown.body(index)});
  if (wanted_.nuclei) report.nuclei = nuclei(run, shown);
  run.state.stars = std::make_shared<const StarReport>(std::move(report));
  last_ = Clock::now();
  seconds_ = seconds_between(start, last_);
}

std::vector<Nucleus> StarWatch::nuclei(const RunView& run, const Shown& shown) {
  try {
    const Bodies sample = shown.sample(BodySample::of(run.simulation.size(), kMostSampled));
    const bool is_same = meter_ && meter_->size() == sample.size() && !run.state.playback;
    if (!is_same) meter_.emplace(sample);  // bodies of a playback may change
    return meter_->moving_nuclei(sample);
  } catch (const std::bad_alloc&) {
    return {};  // the run itself may need the memory
  } catch (const DeviceMemoryError&) {
    return {};
  }
}

}  // namespace pericenter
