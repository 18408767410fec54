#include "app/window/frame_timing.h"

#include <gtest/gtest.h>

#include <vector>

namespace pericenter::app {
namespace {

constexpr double kPeriod = 1.0 / 60;

/// Total time of frames that take `seconds` each to draw, with the delays.
double run(FrameLimiter& limiter, const std::vector<double>& seconds, double start) {
  double now = start;
  for (const double drawing : seconds) {
    now += drawing;
    now += limiter.delay(now, kPeriod);
    limiter.end_frame(now);
  }
  return now - start;
}

TEST(FrameLimiter, MakesUpForALateFrame) {
  FrameLimiter limiter;
  const double start = 10 + run(limiter, {0.01, 0.01, 0.01, 0.01}, 10);
  std::vector<double> frames(60, 0.01);
  for (const int slow : {5, 20, 40}) frames[slow] = 0.025;
  EXPECT_NEAR(run(limiter, frames, start), 1, 1e-9);
  EXPECT_NEAR(limiter.frames_per_second(), 60, 2);
}

TEST(FrameLimiter, MakesUpForAtMostOnePeriod) {
  FrameLimiter limiter;
  const double start = 10 + run(limiter, {0.01, 0.01, 0.01, 0.01}, 10);
  EXPECT_GT(run(limiter, {0.5, 0.001, 0.001, 0.001, 0.001}, start), 0.5 + 2.9 * kPeriod);
}

TEST(FrameLimiter, DoesNotDelayFramesThrottledByVsync) {
  for (const double interval : {0.99 * kPeriod, kPeriod, 1.01 * kPeriod}) {
    FrameLimiter limiter;
    limiter.end_frame(10);
    double now = 10;
    for (int k = 0; k < 10'000; ++k) {
      now += interval;
      ASSERT_EQ(limiter.delay(now, kPeriod), 0) << k;
      limiter.end_frame(now);
    }
    EXPECT_NEAR(limiter.frames_per_second(), 1 / interval, 0.01);
  }
}

TEST(WindowRest, BeginsASecondAfterTheLastChange) {
  WindowRest rest;
  rest.note_change(10);
  for (double now = 10; now < 11; now += kPeriod) {
    EXPECT_FALSE(rest.idle(now)) << now;
    rest.note_frame();
  }
  EXPECT_TRUE(rest.idle(11.01));
  rest.note_change(20);
  EXPECT_FALSE(rest.idle(20));
}

// Regression: where a frame took a second, the one that shows what it had changed was never drawn.
TEST(WindowRest, FollowsTheFramesThatShowASlowChange) {
  WindowRest rest;
  rest.note_change(10);
  for (int frame = 1; frame <= 3; ++frame) {
    EXPECT_FALSE(rest.idle(10 + 2 * frame)) << frame;
    rest.note_frame();
  }
  EXPECT_TRUE(rest.idle(17));
}

TEST(FrameLimiter, DoesNotCountIdleTime) {
  FrameLimiter limiter;
  run(limiter, std::vector<double>(200, 0.01), 10);
  limiter.delay(1000, kPeriod);
  limiter.end_frame(1000);
  EXPECT_NEAR(limiter.frames_per_second(), 60, 0.1);
}

}  // namespace
}  // namespace pericenter::app
