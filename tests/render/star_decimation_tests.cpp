#include "render/adaptive_quality.h"

#include <gtest/gtest.h>

#include <cstddef>

namespace pericenter::render {
namespace {

/// A frame with `stars` milliseconds for stars and `rest` for all else.
RenderTimings frame_of(float stars, float rest) {
  return {.stars = stars, .total = stars + rest};
}

/// Final decimation on a GPU that draws 13 stars per nanosecond, and needs `rest` milliseconds for all else.
unsigned every_of(std::size_t count, int frames = 200, StarDecimation policy = {}, float rest = 2.4f) {
  for (int k = 0; k < frames; ++k) {
    policy.begin(count);
    policy.add(frame_of(static_cast<float>(count / policy.every()) / 13e6f, rest));
  }
  return policy.every();
}

TEST(StarDecimation, DrawsAllStarsWithinTheBudget) {
  EXPECT_EQ(every_of(10'000), 1u);
  EXPECT_EQ(every_of(90'000'000), 1u);
}

TEST(StarDecimation, DecimatesToKeepTheFrameRate) {
  EXPECT_EQ(every_of(500'000'000), 8u);
  EXPECT_EQ(every_of(500'000'000, 2000), 8u) << "it oscillates";
}

// A billion stars in host memory, which the GPU reads at 26 GB/s: after 20 frames, of which each could take half a
// second.
TEST(StarDecimation, IsNearlyRightAtOnce) {
  StarDecimation policy;
  policy.begin(1'000'000'000);
  EXPECT_EQ(policy.every(), 8u);
  for (int k = 0; k < 20; ++k) policy.add(frame_of(600.0f / static_cast<float>(policy.every()), 2));
  EXPECT_GE(policy.every(), 32u);
}

// Or a step on the same GPU, with which the frame takes turns.
TEST(StarDecimation, AllowsForWhatElseAFrameNeeds) {
  EXPECT_EQ(every_of(100'000'000, 200, {}, 6), 2u);
  EXPECT_EQ(every_of(100'000'000, 2000, {}, 6), 2u) << "it oscillates";
  EXPECT_EQ(every_of(20'000'000, 200, {}, 20), 1u) << "fewer stars would not help";
}

TEST(StarDecimation, NeverDecimatesFewStars) {
  StarDecimation policy;
  policy.begin(1'000'000);
  for (int k = 0; k < 200; ++k) policy.add(frame_of(50, 2));
  EXPECT_EQ(policy.every(), 1u);
}

TEST(StarDecimation, RecoversWhenThereAreFewerStars) {
  StarDecimation policy;
  policy.begin(500'000'000);
  for (int k = 0; k < 200; ++k) policy.add(frame_of(38.0f / static_cast<float>(policy.every()), 2));
  ASSERT_GT(policy.every(), 1u);
  EXPECT_EQ(every_of(50'000'000, 200, policy), 1u);
  policy.begin(1000);
  EXPECT_EQ(policy.every(), 1u);
}

}  // namespace
}  // namespace pericenter::render
