#include "app/frame_pace.h"

#include <chrono>
#include <thread>
#include <utility>

#include "app/window.h"

namespace pericenter::app {
namespace {

constexpr double kLongest = 1;  // seconds; a longer time between two pictures was a rest
constexpr float kSmoothing = 0.05f;

}  // namespace

void FramePace::wait(double refresh_rate) {
  const double shortest = 1 / refresh_rate;
  const double elapsed = window_time() - last_;
  // A little less than a full period, so that a swap that does wait is never made to miss its turn.
  if (elapsed < 0.9 * shortest) std::this_thread::sleep_for(std::chrono::duration<double>(shortest - elapsed));
  const double now = window_time(), seconds = now - std::exchange(last_, now);
  if (seconds > kLongest) return;
  const float rate = static_cast<float>(1 / seconds);
  frames_per_second_ = frames_per_second_ > 0 ? frames_per_second_ + kSmoothing * (rate - frames_per_second_) : rate;
}

}  // namespace pericenter::app
