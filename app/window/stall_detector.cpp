#include "app/window/stall_detector.h"

#include <algorithm>
#include <utility>

namespace pericenter::app {
namespace {

constexpr double kMinStall = 5;         // seconds
constexpr double kMinUsualSteps = 4;    // a stalled step takes this many times its usual time
constexpr double kMaxFrameSeconds = 1;  // a longer time between two updates means that the program was suspended

}  // namespace

void StallDetector::update(double running, double usual, double now) {
  const double passed = std::min(now - std::exchange(now_, now), kMaxFrameSeconds);
  const bool same_step = running > 0 && running >= std::exchange(running_, running);
  observed_ = same_step ? observed_ + passed : 0;
  const double certain = std::min(running, observed_);
  stalled_ = certain > std::max(kMinStall, kMinUsualSteps * usual) ? certain : 0;
}

}  // namespace pericenter::app
