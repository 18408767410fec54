#include "app/view/tree_levels.h"

#include <gtest/gtest.h>

#include <cmath>

namespace pericenter::app {
namespace {

TEST(TreeDescent, ShowsALevelPerSecond) {
  TreeDescent descent;
  EXPECT_TRUE(std::isinf(descent.revealed())) << "all levels are shown";
  descent.start(1, 4, 100);
  EXPECT_TRUE(descent.running());
  EXPECT_EQ(descent.revealed(), 1) << "none yet";
  for (int level = 1; level <= 4; ++level) {
    descent.advance(99.9 + level, false);
    EXPECT_FLOAT_EQ(descent.revealed(), static_cast<float>(level + 1)) << "it has faded in";
    EXPECT_EQ(descent.level(), level);
  }
  descent.advance(104, false);
  EXPECT_FALSE(descent.running());
  EXPECT_TRUE(std::isinf(descent.revealed()));
}

TEST(TreeDescent, FadesInSmoothlyOrInSteps) {
  TreeDescent fades, steps;
  fades.start(0, 2, 0);
  steps.start(0, 2, 0);
  float before = 0;
  for (double now = 0.01; now < 3; now += 0.01) {
    fades.advance(now, false);
    steps.advance(now, true);
    EXPECT_GE(fades.revealed(), before) << now;
    EXPECT_LT(fades.revealed() - before, 0.06f) << now;
    before = fades.revealed();
    EXPECT_EQ(steps.revealed(), std::floor(steps.revealed())) << now;
    EXPECT_EQ(steps.level(), static_cast<int>(now)) << now;
  }
  EXPECT_EQ(before, 3);
}

TEST(TreeDescent, FollowsTheVideo) {
  for (const double seconds_per_frame : {0.001, 0.3, 20.0}) {
    TreeDescent plain, recorded;
    plain.start(1, 3, 0);
    double now = 1000;
    recorded.advance(now, false, 5.0);  // the video began before
    recorded.start(1, 3, now);
    for (int frame = 0; frame < 90; ++frame, now += seconds_per_frame) {
      plain.advance(frame / 30.0, false);
      recorded.advance(now, false, 5 + frame / 30.0);
      ASSERT_TRUE(recorded.running()) << frame;
      EXPECT_NEAR(recorded.revealed(), plain.revealed(), 1e-5) << frame;
    }
    recorded.advance(now, false, 8.01);
    EXPECT_FALSE(recorded.running());
  }
}

TEST(TreeDescent, ContinuesWithTheClockAfterAVideo) {
  TreeDescent descent;
  descent.start(0, 9, 100);
  descent.advance(100, true, 7.0);
  descent.advance(150, true, 7.5);
  EXPECT_EQ(descent.level(), 0);
  descent.advance(151, true);
  EXPECT_EQ(descent.level(), 1) << "1.5 s";
  descent.advance(152, true, 0.0);
  descent.advance(152.5, true, 0.1);
  EXPECT_EQ(descent.level(), 2) << "2.6 s";
  descent.advance(160, true, 0.0);
  EXPECT_EQ(descent.level(), 2) << "another video";
}

TEST(TreeDescent, StopsAndStartsAgain) {
  TreeDescent descent;
  descent.start(0, 9, 0);
  descent.advance(2.5, false);
  descent.stop();
  EXPECT_TRUE(std::isinf(descent.revealed()));
  descent.advance(3, false);
  EXPECT_FALSE(descent.running());
  descent.start(0, 9, 3);
  EXPECT_EQ(descent.revealed(), 0);
  descent.advance(1, false);  // a clock that goes back shows the first level
  EXPECT_EQ(descent.level(), 0);
  descent.start(3, 2, 0);
  EXPECT_FALSE(descent.running()) << "there is no level";
}

}  // namespace
}  // namespace pericenter::app
