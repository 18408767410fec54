#include "render/adaptive_quality.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace pericenter::render {
namespace {

constexpr int kStale = 8;         // frames after a change whose timings may still be from before it
constexpr float kWeight = 0.2f;   // weight of a frame in the mean time
constexpr float kSlowFrame = 30;  // milliseconds: a frame has 33 ms; the panel needs the rest
constexpr float kFastFrame = 20;
constexpr int kMaxPatience = 3600;
constexpr float kSlowLiveFrame = 10;                       // milliseconds: a frame at 60 fps has 16.7
constexpr float kFastLiveFrame = 6.5f;                     // predicted for twice as many stars
constexpr float kCheapStars = 2;                           // milliseconds, of which half would save little
constexpr std::size_t kFirstStars = std::size_t{1} << 27;  // at most, until their time is known
constexpr std::size_t kMinStars = std::size_t{1} << 21;    // fewer would look grainy

constexpr int kMeasuredEvery = 4;  // frames

}  // namespace

void AdaptiveResolution::change() {
  halved_ = !halved_;
  frames_ = 0;
}

void AdaptiveResolution::add(const RenderTimings& times) {
  if (std::exchange(first_, false)) return change();  // its time includes the compilation of the shaders
  // Full resolution has four times the pixels and the same number of stars.
  const float per_star = times.dust + times.stars;
  const float full_ms = halved_ ? per_star + 4 * (times.total - per_star) : times.total;
  if (++frames_ <= kStale) {
    mean_ms_ = times.total;
    mean_full_ms_ = full_ms;
    return;
  }
  mean_ms_ += kWeight * (times.total - mean_ms_);
  mean_full_ms_ += kWeight * (full_ms - mean_full_ms_);
  if (!halved_ && mean_ms_ > kSlowFrame) {
    if (frames_ < patience_) patience_ = std::min(2 * patience_, kMaxPatience);
    change();
  } else if (halved_ && frames_ > patience_ && mean_full_ms_ < kFastFrame) {
    change();
  }
}

void StarDecimation::begin(std::size_t count) {
  if (count > count_) {
    const auto most = static_cast<unsigned>((count + kFirstStars - 1) / kFirstStars);
    every_ = std::max(every_, std::bit_ceil(most));
  }
  count_ = count;
  while (every_ > 1 && count / every_ < kMinStars / 2) every_ /= 2;
}

void StarDecimation::add(const RenderTimings& times) {
  if (++frames_ <= kStale) {
    mean_ms_ = times.total;
    mean_stars_ms_ = times.stars;
    return;
  }
  mean_ms_ += kWeight * (times.total - mean_ms_);
  mean_stars_ms_ += kWeight * (times.stars - mean_stars_ms_);
  const std::size_t drawn = count_ / every_;
  const bool more = mean_ms_ > kSlowLiveFrame && mean_stars_ms_ > kCheapStars && drawn > kMinStars;
  const bool fewer = every_ > 1 && mean_ms_ + mean_stars_ms_ < kFastLiveFrame;
  if (!more && !fewer) return;
  // Stars in host memory can take half a second per frame: not one power of two after the other.
  const float wanted = std::min(mean_stars_ms_ / kSlowLiveFrame, static_cast<float>(drawn / kMinStars));
  every_ = more ? every_ * std::max(2u, std::bit_floor(static_cast<unsigned>(wanted))) : every_ / 2;
  frames_ = 0;
}

bool KeptMeasures::allow(const View& view, bool may) {
  const bool kept = may && last_ == view && age_ + 1 < kMeasuredEvery;
  age_ = kept ? age_ + 1 : 0;
  last_ = view;
  return kept;
}

}  // namespace pericenter::render
