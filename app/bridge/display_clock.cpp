#include "app/bridge/display_clock.h"

#include <algorithm>
#include <cmath>

namespace pericenter::app {
namespace {

constexpr double kFewestFrames = 1.75;   ///< a frame for the way and one for its end
constexpr double kNewest = 0.4;          ///< weight of the last interval
constexpr double kLead = 0.05;           ///< arrive earlier, as a share of the interval, at most half a frame
constexpr double kSettleSeconds = 0.15;  ///< longest way in a pause
constexpr double kLongestFrame = 0.25;   ///< seconds; after a longer one, nothing moved smoothly

}  // namespace

bool DisplayClock::has_same_bodies(const PublishedFrame& next) const {
  return next.scene_serial == last_.scene_serial && next.count == last_.count && next.continuity == last_.continuity;
}

void DisplayClock::publish(const PublishedFrame& frame, double now, double expected) {
  const bool same = has_same_bodies(frame);
  const bool turns = (frame.time - last_.time) * (last_.time - from_) < 0;
  const bool moves = same && frame.steps > last_.steps && !turns;
  const double taken = now - published_at_;
  if (moves && played_)
    interval_ = interval_ > 0 ? interval_ + kNewest * (taken - interval_) : taken;
  else if (!same || interval_ <= 0)
    interval_ = expected;
  from_ = moves ? last_.time : frame.time;
  const bool has_frames = frame.video ? frame.video->first < 1 : interval_ > kFewestFrames * frame_;
  way_ = moves && has_frames ? 0 : 1;
  video_frame_ = 0;
  last_ = frame;
  published_at_ = now;
  played_ = true;
}

void DisplayClock::advance(double now, bool plays) {
  played_ = played_ && plays;
  if (now == advanced_at_) return;
  frame_ = std::clamp(now - advanced_at_, 0.0, kLongestFrame);
  advanced_at_ = now;
  if (way_ >= 1 || frame_ <= 0 || last_.video) return;
  if (!plays) {
    way_ = std::min(1.0, way_ + frame_ / std::min(interval_, kSettleSeconds));
    return;
  }
  const double lead = std::min(kLead * interval_, 0.5 * frame_);
  const double left = published_at_ + interval_ - lead - now;
  const double frames = std::ceil(left / frame_);
  way_ = frames > 1 ? way_ + (1 - way_) / frames : 1;
}

}  // namespace pericenter::app
