#include "render/adaptive_quality.h"

#include <gtest/gtest.h>

#include <cstddef>

namespace pericenter::render {
namespace {

/// Final decimation on a GPU that draws 13 stars per nanosecond.
unsigned every_of(std::size_t count, int frames = 200, StarDecimation policy = {}) {
  for (int k = 0; k < frames; ++k) {
    policy.add(static_cast<float>(count / policy.every()) / 13e6f, count);
  }
  return policy.every();
}

TEST(StarDecimation, DrawsAllStarsWithinTheBudget) {
  EXPECT_EQ(every_of(10'000), 1u);
  EXPECT_EQ(every_of(100'000'000), 1u);
}

TEST(StarDecimation, DecimatesToKeepTheFrameRate) {
  EXPECT_EQ(every_of(500'000'000), 8u);
  EXPECT_EQ(every_of(500'000'000, 2000), 8u) << "it oscillates";
}

TEST(StarDecimation, NeverDecimatesFewStars) {
  StarDecimation policy;
  for (int k = 0; k < 200; ++k) policy.add(50, 1'000'000);
  EXPECT_EQ(policy.every(), 1u);
}

TEST(StarDecimation, RecoversWhenThereAreFewerStars) {
  StarDecimation policy;
  for (int k = 0; k < 200; ++k) policy.add(38.0f / static_cast<float>(policy.every()), 500'000'000);
  ASSERT_GT(policy.every(), 1u);
  EXPECT_EQ(every_of(50'000'000, 200, policy), 1u);
  policy.add(1, 1000);
  EXPECT_EQ(policy.every(), 1u);
}

}  // namespace
}  // namespace pericenter::render
