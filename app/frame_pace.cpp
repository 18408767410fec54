#include "app/frame_pace.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>
#include <utility>

#include "app/window.h"

namespace pericenter::app {
namespace {

constexpr double kLongest = 1;  // seconds; a longer time between two pictures was a rest
constexpr double kSmoothing = 0.05;

}  // namespace

void FramePace::wait(double refresh_rate) {
  const double period = 1 / refresh_rate, shown = window_time();
  // What one picture is late the next ones make good, up to a period.
  due_ = std::max(due_ + period, shown - period);
  if (shown - last_ >= 0.9 * period) {
    due_ = std::min(due_, shown);  // a swap that does wait is never made to miss its turn
  } else if (shown < due_) {
    std::this_thread::sleep_for(std::chrono::duration<double>(due_ - shown));
  }
  const double now = window_time(), seconds = now - std::exchange(last_, now);
  if (seconds > kLongest) return;
  mean_seconds_ = mean_seconds_ > 0 ? std::lerp(mean_seconds_, seconds, kSmoothing) : seconds;
}

}  // namespace pericenter::app
