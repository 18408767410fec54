#include "render/adaptive_quality.h"

#include <gtest/gtest.h>

namespace pericenter::render {
namespace {

/// Timings of a machine that needs `stars` ms for the stars and `pixels` ms for full resolution.
RenderTimings frame_of(const AdaptiveResolution& policy, float stars, float pixels) {
  const float rest = policy.halved() ? pixels / 4 : pixels;
  return {.stars = stars, .tone_map = rest, .total = stars + rest};
}

int changes_in(AdaptiveResolution& policy, int frames, float stars, float pixels) {
  int changes = 0;
  for (int k = 0; k < frames; ++k) {
    const bool before = policy.halved();
    policy.add(frame_of(policy, stars, pixels));
    changes += policy.halved() != before ? 1 : 0;
  }
  return changes;
}

TEST(AdaptiveResolution, OnlyTheFirstFrameIsHalved) {
  AdaptiveResolution policy;
  EXPECT_TRUE(policy.halved());
  policy.add({.stars = 20, .total = 120});  // with the compilation of the shaders
  EXPECT_FALSE(policy.halved());
  EXPECT_EQ(changes_in(policy, 500, 5, 20), 0);
}

TEST(AdaptiveResolution, FastMachineKeepsFullResolution) {
  AdaptiveResolution policy;
  EXPECT_EQ(changes_in(policy, 500, 5, 20), 1) << "the first frame";
  EXPECT_FALSE(policy.halved());
}

TEST(AdaptiveResolution, SlowMachineHalvesAndStays) {
  AdaptiveResolution policy;
  changes_in(policy, 20, 8, 40);
  EXPECT_TRUE(policy.halved());
  EXPECT_EQ(changes_in(policy, 1000, 8, 40), 0);
}

TEST(AdaptiveResolution, IgnoresASingleSlowFrame) {
  AdaptiveResolution policy;
  changes_in(policy, 50, 5, 10);
  policy.add({.stars = 10, .total = 60});
  changes_in(policy, 50, 5, 10);
  EXPECT_FALSE(policy.halved());
}

TEST(AdaptiveResolution, RestoresFullResolution) {
  AdaptiveResolution policy;
  changes_in(policy, 20, 8, 40);
  ASSERT_TRUE(policy.halved());
  changes_in(policy, 200, 3, 8);
  EXPECT_FALSE(policy.halved());
}

TEST(AdaptiveResolution, DoesNotOscillate) {
  // The star stage scales with the pixels here, so the predicted full-resolution time is too low.
  AdaptiveResolution policy;
  int changes = 0;
  for (int k = 0; k < 4000; ++k) {
    const bool before = policy.halved();
    policy.add(policy.halved() ? RenderTimings{.stars = 10, .total = 12} : RenderTimings{.stars = 36, .total = 44});
    changes += policy.halved() != before ? 1 : 0;
  }
  EXPECT_LT(changes, 16);
}

}  // namespace
}  // namespace pericenter::render
