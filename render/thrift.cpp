#include "render/thrift.h"

#include <algorithm>

namespace pericenter::render {
namespace {

constexpr float kTooSlowMs = 30;  // of the 33 that a picture may take, the panel needs some
constexpr float kQuickMs = 20;
constexpr int kStale = 8;  // pictures after a change whose times may still be those from before
constexpr float kWeight = 0.2f;
constexpr int kMostPatience = 3600;

}  // namespace

void Thrift::change() {
  halved_ = !halved_;
  pictures_ = 0;
}

void Thrift::add(const RenderTimings& times) {
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

}  // namespace pericenter::render
