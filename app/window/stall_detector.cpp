#include "app/window/stall_detector.h"

#include <algorithm>
#include <utility>

namespace pericenter::app {
namespace {

constexpr double kPatience = 5;        // seconds
constexpr double kUsualSteps = 4;      // that a step may take as long as
constexpr double kLongestPicture = 1;  // seconds between two looks; beyond it nobody was there to look

}  // namespace

void StallDetector::see(double running, double usual, double now) {
  const double passed = std::min(now - std::exchange(now_, now), kLongestPicture);
  const bool same_step = running > 0 && running >= std::exchange(running_, running);
  seen_ = same_step ? seen_ + passed : 0;
  const double sure = std::min(running, seen_);
  hanging_ = sure > std::max(kPatience, kUsualSteps * usual) ? sure : 0;
}

}  // namespace pericenter::app
