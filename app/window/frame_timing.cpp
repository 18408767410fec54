#include "app/window/frame_timing.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>
#include <utility>

#include "app/window/window.h"

namespace pericenter::app {
namespace {

constexpr double kIdleSeconds = 1;  // a longer time between two frames is not measured: the window was idle
constexpr double kSmoothing = 0.05;

constexpr double kMinUsualSteps = 4;    // a stalled step takes this many times its usual time
constexpr double kMaxFrameSeconds = 1;  // a longer time between two updates means that the program was suspended

}  // namespace

double FrameLimiter::delay(double shown, double period) {
  due_ = std::max(due_ + period, shown - period);
  const bool waited = shown - last_ >= 0.9 * period;
  if (waited) due_ = std::min(due_, shown);  // do not delay frames already throttled by vsync
  return waited ? 0 : std::max(0.0, due_ - shown);
}

void FrameLimiter::end_frame(double now) {
  const double seconds = now - std::exchange(last_, now);
  if (seconds > kIdleSeconds) return;
  mean_seconds_ = mean_seconds_ > 0 ? std::lerp(mean_seconds_, seconds, kSmoothing) : seconds;
}

void FrameLimiter::wait(double refresh_rate) {
  if (const double seconds = delay(window_time(), 1 / refresh_rate); seconds > 0) {
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
  }
  end_frame(window_time());
}

void StallDetector::update(double running, double usual, double now) {
  const double passed = std::min(now - std::exchange(now_, now), kMaxFrameSeconds);
  const bool same_step = running > 0 && running >= std::exchange(running_, running);
  observed_ = same_step ? observed_ + passed : 0;
  const double certain = std::min(running, observed_);
  stalled_ = certain > std::max(min_seconds_, kMinUsualSteps * usual) ? certain : 0;
}

}  // namespace pericenter::app
