#include "render/adaptive_resolution.h"

#include <algorithm>
#include <utility>

namespace pericenter::render {
namespace {

constexpr float kTooSlowMs = 30;  // a frame has 33 ms; the panel needs the rest
constexpr float kFastMs = 20;
constexpr int kStale = 8;  // frames after a change whose timings may still be from before it
constexpr float kWeight = 0.2f;
constexpr int kMaxPatience = 3600;

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
  if (!halved_ && mean_ms_ > kTooSlowMs) {
    if (frames_ < patience_) patience_ = std::min(2 * patience_, kMaxPatience);
    change();
  } else if (halved_ && frames_ > patience_ && mean_full_ms_ < kFastMs) {
    change();
  }
}

}  // namespace pericenter::render
