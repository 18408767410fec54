#include "sim/run/body_measurements.h"

#include <future>
#include <new>
#include <system_error>
#include <utility>

#include "sim/core/clock.h"

namespace pericenter {

std::shared_ptr<const BodyMeasurements::Meters> BodyMeasurements::meters_for(const Bodies& bodies,
                                                                             bool compares_with_start) {
  std::optional<StartPositions> start;
  if (compares_with_start) start.emplace(bodies);
  return std::make_shared<const Meters>(Meters{StructureMeter(bodies), std::move(start)});
}

BodyMeasurements::Found BodyMeasurements::find(const Meters& meters, const Bodies& bodies, const Moment& moment) {
  Found found{meters.structure.measure(bodies)};
  found.structure.position = moment.at.position;
  found.structure.time = moment.at.time;
  if (meters.start) found.start_distance = meters.start->rms_distance(bodies, moment.dimension);
  return found;
}

void BodyMeasurements::begin(bool compares_with_start) {
  pending_ = {};
  pending_encounter_ = {};
  meters_ = sample_meters_ = nullptr;
  last_snapshot_.reset();
  budget_.reset();
  compares_with_start_ = compares_with_start;
}

void BodyMeasurements::resume() {
  pending_ = {};
  pending_encounter_ = {};
  last_snapshot_.reset();
  budget_.reset();
  compares_with_start_ = false;
}

BodyMeasurements::Found BodyMeasurements::measure(const std::function<Bodies()>& fetch, const Moment& moment) {
  const auto start = MeasurementBudget::Clock::now();
  if (pending_.exists()) finish_pending();
  const bool compares_with_start = std::exchange(compares_with_start_, false);
  const Bodies bodies = fetch();
  // Bodies of a playback may change.
  if (!meters_ || meters_->structure.size() != bodies.size()) meters_ = meters_for(bodies, compares_with_start);
  const Found found = find(*meters_, bodies, moment);
  budget_.note(start);
  return found;
}

void BodyMeasurements::measure_later(const std::shared_ptr<const Snapshot>& snapshot, const Moment& moment,
                                     std::uint64_t course) {
  if (!snapshot || last_snapshot_.lock() == snapshot) return;
  last_snapshot_ = snapshot;
  pending_course_ = course;
  budget_.note(MeasurementBudget::Clock::now());
  const auto task = [snapshot, moment, meters = meters_,
                     compares = std::exchange(compares_with_start_, false)]() -> Later {
    const std::shared_ptr<const Meters> used = meters ? meters : meters_for(snapshot->bodies, compares);
    return {find(*used, snapshot->bodies, moment), used};
  };
  try {
    pending_ = std::async(std::launch::async, task);
  } catch (const std::system_error&) {
    return;  // no thread could be started; the next snapshot tries again
  }
}

std::optional<BodyMeasurements::Found> BodyMeasurements::take(std::uint64_t course) {
  if (!pending_.is_ready()) return std::nullopt;
  const std::optional<Found> found = finish_pending();
  return course == pending_course_ ? found : std::nullopt;
}

BodyMeasurements::Encounter BodyMeasurements::encounter_of(const Meters& meters, const Bodies& bodies,
                                                           const TimelinePoint& at) {
  const auto start = MeasurementBudget::Clock::now();
  Encounter found{meters.structure.measure_encounter(bodies)};
  found.sample.position = at.position;
  found.sample.time = at.time;
  found.seconds = seconds_between(start, MeasurementBudget::Clock::now());
  return found;
}

BodyMeasurements::Encounter BodyMeasurements::measure_encounter(const Bodies& bodies, const TimelinePoint& at) const {
  return encounter_of(*meters_, bodies, at);
}

BodyMeasurements::Encounter BodyMeasurements::measure_encounter_of_sample(const Bodies& sample,
                                                                          const TimelinePoint& at) {
  if (!sample_meters_) sample_meters_ = meters_for(sample, false);
  return encounter_of(*sample_meters_, sample, at);
}

void BodyMeasurements::measure_encounter_later(std::function<Bodies()> fetch, const TimelinePoint& at,
                                               std::uint64_t course) {
  encounter_course_ = course;
  const auto task = [fetch = std::move(fetch), at, meters = meters_] { return encounter_of(*meters, fetch(), at); };
  try {
    pending_encounter_ = std::async(std::launch::async, task);
  } catch (const std::system_error&) {
    return;  // no thread could be started
  }
}

std::optional<BodyMeasurements::Encounter> BodyMeasurements::take_encounter(std::uint64_t course) {
  if (!pending_encounter_.is_ready()) return std::nullopt;
  try {
    const Encounter found = pending_encounter_.get();
    return course == encounter_course_ ? std::optional(found) : std::nullopt;
  } catch (const std::exception&) {
    return std::nullopt;  // out of memory, or the next step fails for the same reason and reports it
  }
}

std::optional<BodyMeasurements::Found> BodyMeasurements::finish_pending() {
  try {
    Later later = pending_.get();
    meters_ = std::move(later.meters);
    return later.found;
  } catch (const std::bad_alloc&) {
    return std::nullopt;
  }
}

}  // namespace pericenter
