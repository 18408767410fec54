#include "app/bridge/display_clock.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace pericenter::app {
namespace {

constexpr double kFrame = 1.0 / 60;

/// A clock whose steps arrive one after another, as in a run that plays.
class Clock : public ::testing::Test {
 protected:
  void publish() {
    frame_.time += dt_;
    ++frame_.steps;
    clock_.publish(frame_, now_, 0);
  }
  /// Shows frames until another step has taken `seconds`; the moments that they show.
  std::vector<double> play(double seconds, bool plays = true) {
    std::vector<double> shown;
    const double end = now_ + seconds;
    for (; now_ < end - 1e-9; now_ += kFrame) {
      clock_.advance(now_, plays);
      shown.push_back(clock_.time());
      EXPECT_LE(std::abs(clock_.time()), std::abs(frame_.time) + 1e-12) << "never later than known";
    }
    return shown;
  }
  std::vector<double> step(double seconds) {
    publish();
    return play(seconds);
  }

  DisplayClock clock_;
  PublishedFrame frame_{.count = 10, .scene_serial = 1};
  double dt_ = 1, now_ = 100;
};

TEST_F(Clock, ShowsTheWayOfASlowStepInEvenFrames) {
  for (int k = 0; k < 5; ++k) step(0.2);
  double before = clock_.time();
  EXPECT_EQ(before, 5) << "it has arrived when the next step is there";
  for (int k = 0; k < 3; ++k) {
    for (const double time : step(0.2)) {
      EXPECT_NEAR(time - before, 1.0 / 12, 0.02);
      before = time;
    }
    EXPECT_FALSE(clock_.is_between());
  }
}

TEST_F(Clock, ShowsWholeStepsWhenTheyAreFast) {
  for (int k = 0; k < 30; ++k) {
    step(kFrame);
    EXPECT_FALSE(clock_.is_between());
    EXPECT_EQ(clock_.time(), frame_.time);
  }
}

TEST_F(Clock, WaitsForALateStepAndLosesNoTime) {
  for (int k = 0; k < 5; ++k) step(0.2);
  const std::vector<double> late = step(0.5);
  EXPECT_EQ(late.back(), 6);
  const std::vector<double> next = step(0.2);
  EXPECT_GT(next.front(), 6);
  EXPECT_GT(next.back(), 6.6) << "slower than before, without another stop";
}

TEST_F(Clock, KeepsItsPaceOverAPauseAndEndsItAtAStep) {
  for (int k = 0; k < 5; ++k) step(0.2);
  publish();
  play(0.05);
  ASSERT_TRUE(clock_.is_between());
  play(0.2, false);
  EXPECT_FALSE(clock_.is_between());
  clock_.publish(frame_, now_, 0);  // the same step with its own scalars
  play(10, false);
  const std::vector<double> after = step(0.2);
  EXPECT_LT(after.front(), 6.2);
  EXPECT_EQ(after.back(), 7);
}

TEST_F(Clock, MovesBackwardsWithTheTimeStep) {
  dt_ = -1;
  for (int k = 0; k < 5; ++k) step(0.2);
  const std::vector<double> shown = step(0.2);
  EXPECT_LT(shown[5], -5.2);
  EXPECT_GT(shown[5], -5.8);
  EXPECT_TRUE(std::ranges::is_sorted(shown, std::greater()));
}

TEST_F(Clock, JumpsToBodiesThatNoPathLeadsTo) {
  const auto jumps = [&](const auto& change) {
    for (int k = 0; k < 5; ++k) step(0.2);
    change();
    publish();
    EXPECT_FALSE(clock_.is_between());
    EXPECT_EQ(clock_.time(), frame_.time);
  };
  jumps([&] { ++frame_.scene_serial; });
  jumps([&] { ++frame_.count; });
  jumps([&] { ++frame_.continuity.discontinuities; });
  jumps([&] { ++frame_.continuity.permutations; });
  jumps([&] { frame_.time -= 3; });   // the time turns
  jumps([&] { frame_.steps -= 3; });  // a recorded moment
  step(0.2);
  clock_.reset();
  EXPECT_EQ(clock_.time(), 0);
}

TEST_F(Clock, FirstStepsTakeAsLongAsExpected) {
  clock_.publish(frame_, now_, 0);
  play(0.5, false);
  frame_ = {.count = 10, .time = 1, .steps = 1, .scene_serial = 1};
  clock_.publish(frame_, now_, 0.2);
  EXPECT_NEAR(play(0.2)[5], 0.5, 0.1);
  EXPECT_EQ(clock_.time(), 1);
}

}  // namespace
}  // namespace pericenter::app
