#include "sim/analysis/encounter_events.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>

namespace pericenter {
namespace {

constexpr double kSwing = 0.1;        ///< change of the separation that confirms an extreme, see the header
constexpr double kMergedSize = 0.25;  ///< separation of merged nuclei, in sizes of a nucleus
constexpr double kMergedShare = 0.5;  ///< share of the time since the previous event
constexpr double kMergedSwing = 0.1;  ///< distance to which merged nuclei swing apart, in greatest distances
constexpr std::size_t kMergedSamples = 3;
constexpr double kTailFraction = 0.03;
constexpr double kRingPassage = 0.2;  ///< separation, in radii of the disc, below which a passage makes a ring

using Samples = std::span<const StructureSample>;

/// Mean radius of a tenth of the mass in the first sample that has it; 0 if none has.
double nucleus_size(Samples samples) {
  for (const StructureSample& sample : samples)
    if (const double size = (sample.galaxies[0].r10 + sample.galaxies[1].r10) / 2; std::isfinite(size)) return size;
  return 0;
}

/// The extreme near the sample `k`, which has neighbours, from the parabola through the squared separations.
EncounterEvent extreme_at(Samples samples, std::size_t k, EncounterEventKind kind) {
  const StructureSample &before = samples[k - 1], &at = samples[k], &after = samples[k + 1];
  const auto square = [](const StructureSample& sample) { return sample.separation * sample.separation; };
  EncounterEvent event{kind, at.position, at.time, at.separation};
  const double left = before.time - at.time, right = after.time - at.time;
  const double left_slope = (square(before) - square(at)) / left, right_slope = (square(after) - square(at)) / right;
  const double curvature = (right_slope - left_slope) / (right - left), slope = left_slope - curvature * left;
  if (curvature == 0 || !std::isfinite(curvature)) return event;
  const double shift = -slope / (2 * curvature);
  const auto [low, high] = std::minmax(left, right);
  if (!(shift > low && shift < high)) return event;
  event.time += shift;
  event.separation = std::sqrt(std::max(square(at) + slope * shift / 2, 0.0));
  const bool is_before = (shift < 0) == (left < 0);
  event.position +=
      is_before ? (before.position - at.position) * shift / left : (after.position - at.position) * shift / right;
  return event;
}

/// Finds the events of samples between which the time runs in one direction.
class EventFinder {
 public:
  EventFinder(Samples samples, double size, std::vector<EncounterEvent>& events)
      : samples_(samples),
        size_(size),
        events_(events),
        previous_time_(samples[0].time),
        time_before_entry_(samples[0].time) {}

  void run() {
    for (std::size_t i = 1; i < samples_.size(); ++i) {
      if (!merged_) find_merger(i);
      if (!merged_) find_extreme(i);
      find_tails(i);
    }
  }

 private:
  enum class Trend { unknown, rising, falling };

  void find_merger(std::size_t i) {
    const double limit = kMergedSize * size_, separation = samples_[i].separation;
    if (separation >= limit) return inside_.reset();
    if (!inside_ && samples_[i - 1].separation >= limit) inside_ = i;
    if (!inside_ || i + 1 - *inside_ < kMergedSamples) return;
    const StructureSample& entry = samples_[*inside_];
    const double needed = kMergedShare * std::abs(entry.time - time_before_entry_);
    if (std::abs(samples_[i].time - entry.time) < needed) return;
    events_.push_back({EncounterEventKind::merger, entry.position, entry.time, limit});
    merged_ = true;
  }

  void find_extreme(std::size_t i) {
    if (!inside_) time_before_entry_ = previous_time_;
    const double now = samples_[i].separation;
    if (now < samples_[low_].separation) low_ = i;
    if (now > samples_[high_].separation) high_ = i;
    const double low = samples_[low_].separation, high = samples_[high_].separation;
    if (trend_ != Trend::rising && now > low + kSwing * std::max(low, size_)) {
      add(low_, EncounterEventKind::pericenter);
      trend_ = Trend::rising;
      high_ = i;
    } else if (trend_ != Trend::falling && now < high - kSwing * std::max(high, size_)) {
      add(high_, EncounterEventKind::apocenter);
      trend_ = Trend::falling;
      low_ = i;
    }
  }

  /// A pericentre is found some samples after it, and tails may have formed by then.
  void find_tails(std::size_t i) {
    if (has_tails_ || !tails_from_) return;
    for (std::size_t k = *tails_from_; k <= i; ++k) {
      const StructureSample &before = samples_[k - 1], &now = samples_[k];
      if (!(before.tail_fraction <= kTailFraction && now.tail_fraction > kTailFraction)) continue;
      const double share = (kTailFraction - before.tail_fraction) / (now.tail_fraction - before.tail_fraction);
      events_.push_back({EncounterEventKind::tails, std::lerp(before.position, now.position, share),
                         std::lerp(before.time, now.time, share), std::lerp(before.separation, now.separation, share)});
      has_tails_ = true;
      return;
    }
    tails_from_ = i + 1;
  }

  /// Before the first swing, what looks like an extreme is the first sample or noise.
  void add(std::size_t k, EncounterEventKind kind) {
    if (trend_ == Trend::unknown) return;
    EncounterEvent event = extreme_at(samples_, k, kind);
    if (kind == EncounterEventKind::apocenter) {
      merged_ = event.separation < kMergedSwing * greatest_;
      if (merged_) event.kind = EncounterEventKind::merger;
      greatest_ = std::max(greatest_, event.separation);
    }
    events_.push_back(event);
    previous_time_ = event.time;
    if (kind == EncounterEventKind::pericenter && events_.back().separation > kRingPassage * samples_[k].disc_radius)
      tails_from_ = tails_from_.value_or(k + 1);
  }

  Samples samples_;
  double size_;  ///< size of a nucleus
  std::vector<EncounterEvent>& events_;
  std::size_t low_ = 0, high_ = 0;
  Trend trend_ = Trend::unknown;
  std::optional<std::size_t> inside_;  ///< sample at which the separation fell below the limit
  bool merged_ = false;
  std::optional<std::size_t> tails_from_;  ///< sample from which tails are expected
  bool has_tails_ = false;
  double greatest_ = 0;       ///< separation at an apocentre
  double previous_time_;      ///< time of the latest extreme
  double time_before_entry_;  ///< the same when the separation fell below the limit
};

}  // namespace

std::vector<EncounterEvent> encounter_events(std::span<const StructureSample> samples) {
  std::vector<StructureSample> known;
  for (const StructureSample& sample : samples)
    if (std::isfinite(sample.separation) && (known.empty() || sample.time != known.back().time))
      known.push_back(sample);
  const double size = nucleus_size(known);
  std::vector<EncounterEvent> events;
  for (std::size_t first = 0; first + 1 < known.size();) {
    const bool forwards = known[first + 1].time > known[first].time;
    std::size_t last = first + 1;
    while (last + 1 < known.size() && (known[last + 1].time > known[last].time) == forwards) ++last;
    EventFinder(Samples(known).subspan(first, last + 1 - first), size, events).run();
    first = last;
  }
  std::ranges::sort(events, {}, &EncounterEvent::position);
  return events;
}

}  // namespace pericenter
