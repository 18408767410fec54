#include "app/window/frame_limiter.h"

#include <gtest/gtest.h>

#include <vector>

namespace pericenter::app {
namespace {

constexpr double kPeriod = 1.0 / 60;

/// Seconds that the pictures take which need so many each, drawn and waited for.
double run(FramePace& pace, const std::vector<double>& seconds, double start) {
  double now = start;
  for (const double drawing : seconds) {
    now += drawing;
    now += pace.rest(now, kPeriod);
    pace.note(now);
  }
  return now - start;
}

TEST(FramePace, KeepsTheBeatWhereAPictureIsLate) {
  FramePace pace;
  const double start = 10 + run(pace, {0.01, 0.01, 0.01, 0.01}, 10);
  std::vector<double> pictures(60, 0.01);
  for (const int slow : {5, 20, 40}) pictures[slow] = 0.025;
  EXPECT_NEAR(run(pace, pictures, start), 1, 1e-9);
  EXPECT_NEAR(pace.frames_per_second(), 60, 2);
}

TEST(FramePace, MakesGoodNoMoreThanAPeriod) {
  FramePace pace;
  const double start = 10 + run(pace, {0.01, 0.01, 0.01, 0.01}, 10);
  EXPECT_GT(run(pace, {0.5, 0.001, 0.001, 0.001, 0.001}, start), 0.5 + 2.9 * kPeriod);
}

TEST(FramePace, NeverWaitsWhereTheMonitorDoes) {
  for (const double of_monitor : {0.99 * kPeriod, kPeriod, 1.01 * kPeriod}) {
    FramePace pace;
    pace.note(10);
    double now = 10;
    for (int k = 0; k < 10'000; ++k) {
      now += of_monitor;
      ASSERT_EQ(pace.rest(now, kPeriod), 0) << k;
      pace.note(now);
    }
    EXPECT_NEAR(pace.frames_per_second(), 1 / of_monitor, 0.01);
  }
}

TEST(FramePace, ARestIsNoPicture) {
  FramePace pace;
  run(pace, std::vector<double>(200, 0.01), 10);
  pace.rest(1000, kPeriod);
  pace.note(1000);
  EXPECT_NEAR(pace.frames_per_second(), 60, 0.1);
}

}  // namespace
}  // namespace pericenter::app
