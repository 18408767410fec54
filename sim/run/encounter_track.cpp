#include "sim/run/encounter_track.h"

#include <algorithm>
#include <functional>

namespace pericenter {
namespace {

constexpr std::size_t kMaxTracked = 4096;
constexpr std::ptrdiff_t kKept = 2;  ///< samples on each side of an event

}  // namespace

void EncounterTrack::append(const StructureSample& sample) {
  const auto later = std::ranges::lower_bound(samples_, sample.position, std::less{}, &StructureSample::position);
  samples_.erase(later, samples_.end());
  samples_.push_back(sample);
  events_ = encounter_events(samples_);
  thin();
}

void EncounterTrack::insert(const StructureSample& sample, double resolution) {
  const auto position = &StructureSample::position;
  const auto low = std::ranges::lower_bound(samples_, sample.position - resolution, std::less{}, position);
  const auto high = std::ranges::upper_bound(samples_, sample.position + resolution, std::less{}, position);
  samples_.insert(samples_.erase(low, high), sample);
  events_ = encounter_events(samples_);
  thin();
}

void EncounterTrack::truncate(double position) {
  const auto later = std::ranges::upper_bound(samples_, position, std::less{}, &StructureSample::position);
  samples_.erase(later, samples_.end());
  events_ = encounter_events(samples_);
}

void EncounterTrack::thin() {
  if (samples_.size() < kMaxTracked) return;
  std::vector<char> is_kept(samples_.size());
  for (std::size_t k = 0; k < is_kept.size(); ++k) is_kept[k] = k % 2 == 0 || k + 1 == is_kept.size();
  for (const EncounterEvent& event : events_) {
    const auto at = std::ranges::lower_bound(samples_, event.position, std::less{}, &StructureSample::position);
    const std::ptrdiff_t last = std::ssize(samples_) - 1, middle = at - samples_.begin();
    for (std::ptrdiff_t k = std::max(middle - kKept, std::ptrdiff_t{0}); k <= std::min(middle + kKept, last); ++k)
      is_kept[static_cast<std::size_t>(k)] = true;
  }
  std::size_t next = 0;
  std::erase_if(samples_, [&](const StructureSample&) { return !is_kept[next++]; });
}

}  // namespace pericenter
