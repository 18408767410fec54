#include <gtest/gtest.h>

#include <vector>

#include "render/adaptive_quality.h"

namespace pericenter::render {
namespace {

constexpr KeptMeasures::View kView{.size = {640, 360}, .bodies = 80'000, .dust = true, .spread = true};

TEST(KeptMeasures, AreMeasuredAgainAfterThreeFrames) {
  KeptMeasures measures;
  std::vector<bool> kept;
  for (int k = 0; k < 9; ++k) kept.push_back(measures.allow(kView, true));
  EXPECT_EQ(kept, (std::vector<bool>{false, true, true, true, false, true, true, true, false}));
}

TEST(KeptMeasures, AreMeasuredForEveryOtherView) {
  std::vector<KeptMeasures::View> others(5, kView);
  others[0].clip_from_world[3][0] = 1e-6f;
  others[1].size = {1280, 720};
  others[2].bodies = 80'001;
  others[3].dust = false;
  others[4].spread = false;
  for (const KeptMeasures::View& other : others) {
    KeptMeasures measures;
    measures.allow(kView, true);
    EXPECT_FALSE(measures.allow(other, true));
    EXPECT_TRUE(measures.allow(other, true));
  }
}

// A saved image or a picture at rest shows the bodies as they are.
TEST(KeptMeasures, AreMeasuredForFramesThatMayNotKeepThem) {
  KeptMeasures measures;
  for (int k = 0; k < 3; ++k) EXPECT_FALSE(measures.allow(kView, false));
  EXPECT_TRUE(measures.allow(kView, true));
  EXPECT_FALSE(measures.allow(kView, false));
}

}  // namespace
}  // namespace pericenter::render
