#include "render/adaptive_resolution.h"

#include <algorithm>

namespace pericenter::render {
namespace {

constexpr float kTooSlowMs = 30;  // of the 33 that a picture may take, the panel needs some
constexpr float kQuickMs = 20;
constexpr int kStale = 8;  // pictures after a change whose times may still be those from before
constexpr float kWeight = 0.2f;
constexpr int kMostPatience = 3600;

constexpr float kTooSlowStarsMs = 8;                        // half of what a picture may take at 60 a second
constexpr float kQuickStarsMs = 5;                          // foretold for twice as many stars
constexpr std::size_t kFewestStars = std::size_t{1} << 22;  // fewer would be seen as grains

}  // namespace

void AdaptiveResolution::change() {
  halved_ = !halved_;
  pictures_ = 0;
}

void AdaptiveResolution::add(const RenderTimings& times) {
  // Without half its sides a picture has four times the pixels, and as many stars.
  const float full_ms = halved_ ? times.stars + 4 * (times.total - times.stars) : times.total;
  if (++pictures_ <= kStale) {
    mean_ms_ = times.total;
    mean_full_ms_ = full_ms;
    return;
  }
  mean_ms_ += kWeight * (times.total - mean_ms_);
  mean_full_ms_ += kWeight * (full_ms - mean_full_ms_);
  if (!halved_ && mean_ms_ > kTooSlowMs) {
    if (pictures_ < patience_) patience_ = std::min(2 * patience_, kMostPatience);
    change();
  } else if (halved_ && pictures_ > patience_ && mean_full_ms_ < kQuickMs) {
    change();
  }
}

void StarDecimation::add(float stars_ms, std::size_t count) {
  while (every_ > 1 && count / every_ < kFewestStars / 2) every_ /= 2;
  if (++pictures_ <= kStale) {
    mean_ms_ = stars_ms;
    return;
  }
  mean_ms_ += kWeight * (stars_ms - mean_ms_);
  const bool more = mean_ms_ > kTooSlowStarsMs && count / every_ > kFewestStars;
  const bool fewer = every_ > 1 && 2 * mean_ms_ < kQuickStarsMs;
  if (!more && !fewer) return;
  every_ = more ? 2 * every_ : every_ / 2;
  pictures_ = 0;
}

}  // namespace pericenter::render
