#include "sim/cuda/fmm/lane_split.h"

#include <gtest/gtest.h>

namespace pericenter::test {
namespace {

constexpr std::uint32_t kMost = 128;
constexpr unsigned kPart = 112, kStep = 2;

LaneSplit split_of(std::uint32_t bodies) {
  return lane_split(bodies, kPart, kStep);
}

TEST(LaneSplits, HoldAllBodiesInEachSet) {
  for (std::uint32_t bodies = 1; bodies <= kMost; ++bodies) {
    const LaneSplit split = split_of(bodies);
    EXPECT_GE(split.targets * split.width, bodies);
    EXPECT_LE(split.width * split.sets, 32) << bodies;
    EXPECT_GE(split.sets, 1) << bodies;
    EXPECT_LE(split.sets, kMaxSets) << bodies;
    EXPECT_LE(split.targets, kMaxLaneTargets) << bodies;
  }
}

TEST(LaneSplits, TakeTheFewestInstructions) {
  for (std::uint32_t bodies = 1; bodies <= kMost; ++bodies) {
    const LaneSplit best = split_of(bodies);
    const double least = double(instructions_per_source(best.targets)) / best.sets;
    for (unsigned targets = kMinLaneTargets; targets <= kMaxLaneTargets; ++targets) {
      for (unsigned sets = 1; sets <= kMaxSets; ++sets) {
        if (targets * (32 / sets) < bodies) continue;
        EXPECT_LE(least, double(instructions_per_source(targets)) / sets) << bodies << ": " << targets << ", " << sets;
      }
    }
  }
}

// With powers of two, sets of 8 and 4 lanes would leave 8 of 32 lanes without bodies of their own.
TEST(LaneSplits, NeedNoPowersOfTwo) {
  const LaneSplit of_18 = split_of(18), of_15 = split_of(15);
  EXPECT_EQ(of_18.targets, 3);
  EXPECT_EQ(of_18.width, 6);
  EXPECT_EQ(of_18.sets, 5);
  EXPECT_EQ(of_15.targets, 5);
  EXPECT_EQ(of_15.width, 3);
  EXPECT_EQ(of_15.sets, 10);
}

TEST(LaneSplits, DivideAPartEqually) {
  for (std::uint32_t bodies = 1; bodies <= kMost; ++bodies) {
    const LaneSplit split = split_of(bodies);
    EXPECT_EQ(split.part % (kStep * split.sets), 0) << bodies;
    EXPECT_GT(split.part + kStep * split.sets, kPart) << bodies;
    EXPECT_LE(split.part, kPart) << bodies;
    EXPECT_GT(lane_split(bodies, kPart / 2, kStep).part, 0) << bodies;
  }
}

TEST(LaneSplits, NumberSetsLaneByLane) {
  for (std::uint32_t bodies = 1; bodies <= kMost; ++bodies) {
    const LaneSplit split = split_of(bodies);
    for (unsigned lane = 0; lane < 32; ++lane) EXPECT_EQ(split.set_of(lane), lane / split.width) << bodies;
  }
}

TEST(LaneSplits, AreATable) {
  constexpr auto splits = lane_splits<kMost>(kPart, kStep);
  static_assert(splits.size() == kMost + 1);
  for (std::uint32_t bodies = 1; bodies <= kMost; ++bodies) {
    EXPECT_EQ(splits[bodies].width, split_of(bodies).width);
    EXPECT_EQ(splits[bodies].targets, split_of(bodies).targets);
  }
}

}  // namespace
}  // namespace pericenter::test
