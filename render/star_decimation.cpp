#include "render/star_decimation.h"

namespace pericenter::render {
namespace {

constexpr float kTooSlowMs = 8;                          // half of a frame at 60 fps
constexpr float kFastMs = 5;                             // predicted for twice as many stars
constexpr std::size_t kMinStars = std::size_t{1} << 22;  // fewer would look grainy
constexpr int kStale = 8;  // frames after a change whose timings may still be from before it
constexpr float kWeight = 0.2f;

}  // namespace

void StarDecimation::add(float stars_ms, std::size_t count) {
  while (every_ > 1 && count / every_ < kMinStars / 2) every_ /= 2;
  if (++frames_ <= kStale) {
    mean_ms_ = stars_ms;
    return;
  }
  mean_ms_ += kWeight * (stars_ms - mean_ms_);
  const bool more = mean_ms_ > kTooSlowMs && count / every_ > kMinStars;
  const bool fewer = every_ > 1 && 2 * mean_ms_ < kFastMs;
  if (!more && !fewer) return;
  every_ = more ? 2 * every_ : every_ / 2;
  frames_ = 0;
}

}  // namespace pericenter::render
