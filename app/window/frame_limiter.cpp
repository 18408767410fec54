#include "app/window/frame_limiter.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>
#include <utility>

#include "app/window/window.h"

namespace pericenter::app {
namespace {

constexpr double kLongest = 1;  // seconds; a longer time between two pictures was a rest
constexpr double kSmoothing = 0.05;

}  // namespace

double FramePace::rest(double shown, double period) {
  due_ = std::max(due_ + period, shown - period);
  const bool waited = shown - last_ >= 0.9 * period;
  if (waited) due_ = std::min(due_, shown);  // a swap that does wait is never made to miss its turn
  return waited ? 0 : std::max(0.0, due_ - shown);
}

void FramePace::note(double now) {
  const double seconds = now - std::exchange(last_, now);
  if (seconds > kLongest) return;
  mean_seconds_ = mean_seconds_ > 0 ? std::lerp(mean_seconds_, seconds, kSmoothing) : seconds;
}

void FramePace::wait(double refresh_rate) {
  if (const double seconds = rest(window_time(), 1 / refresh_rate); seconds > 0) {
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
  }
  note(window_time());
}

}  // namespace pericenter::app
