#include "app/view/tree_descent.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace pericenter::app {
namespace {

constexpr double kLevelSeconds = 1, kFadeSeconds = 0.6;

}  // namespace

void TreeDescent::start(int first, int last, double now) {
  running_ = last >= first;
  first_ = first;
  last_ = last;
  started_ = now_ = now;
  depth_ = 0;
}

void TreeDescent::advance(double now, bool steps, std::optional<double> video) {
  // A video begins at 0 again.
  if (video && video_) started_ += now - now_ - std::max(*video - *video_, 0.0);
  now_ = now;
  video_ = video;
  if (!running_) return;
  const double seconds = std::max(now - started_, 0.0), level = std::floor(seconds / kLevelSeconds);
  if (level > last_ - first_) return stop();
  const double share = steps ? 1 : std::min((seconds - level * kLevelSeconds) / kFadeSeconds, 1.0);
  depth_ = static_cast<float>(level + share * share * (3 - 2 * share));
}

int TreeDescent::level() const {
  return first_ + std::max(0, static_cast<int>(std::ceil(depth_)) - 1);
}

float TreeDescent::revealed() const {
  return running_ ? static_cast<float>(first_) + depth_ : std::numeric_limits<float>::infinity();
}

}  // namespace pericenter::app
