#include "sim/run/lab_recorder.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "sim/core/clock.h"

namespace pericenter {
namespace {

constexpr double kMinCopyPeriod = 0.1;   ///< seconds
constexpr double kMaxCopyShare = 0.005;  ///< share of the time

}  // namespace

void LabRecorder::begin(double resolution) {
  const std::uint64_t courses = courses_;
  *this = LabRecorder();
  courses_ = courses + 1;
  resolution_ = resolution;
  changed_ = true;
}

void LabRecorder::clear_for_playback(double duration) {
  begin(duration / kMaxSamples);
}

void LabRecorder::extend_playback(double duration, double valid_until) {
  resolution_ = std::max(resolution_, duration / kMaxSamples);
  if (std::isfinite(valid_until)) truncate(valid_until);
}

void LabRecorder::truncate(double position) {
  samples_.truncate(position);
  structure_.truncate(position);
  track_.truncate(position);
  if (last_distance_position_ > position) last_distance_ = kNotMeasured;
  ++courses_;
  changed_ = true;
}

void LabRecorder::add(const LabSample& measured) {
  LabSample sample = measured;
  if (sample.position == last_distance_position_) sample.start_distance = last_distance_;
  if (resolution_ > 0) {
    samples_.insert(sample, resolution_);
  } else {
    if (!samples_.samples().empty() && sample.position < samples_.samples().back().position) truncate(sample.position);
    samples_.append(sample);
  }
  changed_ = true;
}

void LabRecorder::add(const StructureSample& sample, double start_distance) {
  if (resolution_ > 0) {
    structure_.insert(sample, resolution_);
  } else {
    structure_.append(sample);
  }
  track_.insert(sample, resolution_);
  note_start_distance(sample.position, start_distance);
  changed_ = true;
}

void LabRecorder::add_newest(const StructureSample& sample) {
  track_.append(sample);
  changed_ = true;
}

void LabRecorder::add_earlier(const StructureSample& sample) {
  track_.insert(sample, 0);
  changed_ = true;
}

/// Also of the samples since the last distance, linearly between both.
void LabRecorder::note_start_distance(double position, double distance) {
  std::vector<LabSample>& samples = samples_.samples();
  const double from = last_distance_position_, span = position - from;
  const bool continues = std::isfinite(last_distance_) && span > 0;
  const auto first = std::ranges::lower_bound(samples, continues ? from : position, std::less{}, &LabSample::position);
  for (auto sample = first; sample != samples.end() && sample->position <= position; ++sample)
    sample->start_distance =
        continues ? std::lerp(last_distance_, distance, (sample->position - from) / span) : distance;
  last_distance_ = distance;
  last_distance_position_ = position;
}

void LabRecorder::set_rotation(RotationCurve curve) {
  rotation_ = std::move(curve);
  changed_ = true;
}

std::shared_ptr<const LabRecord> LabRecorder::record(bool running, Clock::time_point now) {
  const double period = std::max(kMinCopyPeriod, copy_seconds_ / kMaxCopyShare);
  if (!changed_ || (running && seconds_between(last_copy_, now) < period)) return copy_;
  const Clock::time_point start = Clock::now();
  copy_ = std::make_shared<const LabRecord>(
      LabRecord{samples_.samples(), structure_.samples(), rotation_, track_.events()});
  copy_seconds_ = seconds_between(start, Clock::now());
  last_copy_ = now;
  changed_ = false;
  return copy_;
}

}  // namespace pericenter
