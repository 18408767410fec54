#include "render/adaptive_resolution.h"

#include <gtest/gtest.h>

namespace pericenter::render {
namespace {

/// A machine that needs so many milliseconds for the stars, and for the pixels of a full picture.
RenderTimings picture_of(const AdaptiveResolution& thrift, float stars, float pixels) {
  const float rest = thrift.halved() ? pixels / 4 : pixels;
  return {.stars = stars, .tone_map = rest, .total = stars + rest};
}

int changes_in(AdaptiveResolution& thrift, int pictures, float stars, float pixels) {
  int changes = 0;
  for (int k = 0; k < pictures; ++k) {
    const bool before = thrift.halved();
    thrift.add(picture_of(thrift, stars, pixels));
    changes += thrift.halved() != before ? 1 : 0;
  }
  return changes;
}

TEST(AdaptiveResolution, AQuickMachineDrawsEveryPixel) {
  AdaptiveResolution thrift;
  EXPECT_EQ(changes_in(thrift, 500, 5, 20), 0);
  EXPECT_FALSE(thrift.halved());
}

TEST(AdaptiveResolution, ASlowOneHalvesSoonAndStaysThere) {
  AdaptiveResolution thrift;
  changes_in(thrift, 20, 8, 40);
  EXPECT_TRUE(thrift.halved());
  EXPECT_EQ(changes_in(thrift, 1000, 8, 40), 0);
}

TEST(AdaptiveResolution, OneSlowPictureIsForgiven) {
  AdaptiveResolution thrift;
  changes_in(thrift, 50, 5, 10);
  thrift.add({.stars = 10, .total = 60});
  changes_in(thrift, 50, 5, 10);
  EXPECT_FALSE(thrift.halved());
}

TEST(AdaptiveResolution, ItGoesBackWhenThereIsTime) {
  AdaptiveResolution thrift;
  changes_in(thrift, 20, 8, 40);
  ASSERT_TRUE(thrift.halved());
  changes_in(thrift, 200, 3, 8);
  EXPECT_FALSE(thrift.halved());
}

TEST(AdaptiveResolution, ItDoesNotFlickerWhereAFullPictureIsNotWhatItSeemed) {
  // Stars whose cost falls with the pixels: what a full picture takes is foretold too low.
  AdaptiveResolution thrift;
  int changes = 0;
  for (int k = 0; k < 4000; ++k) {
    const bool before = thrift.halved();
    thrift.add(thrift.halved() ? RenderTimings{.stars = 10, .total = 12} : RenderTimings{.stars = 36, .total = 44});
    changes += thrift.halved() != before ? 1 : 0;
  }
  EXPECT_LT(changes, 16);
}

/// A GPU that draws 13 stars a nanosecond, and what it shows in the end.
unsigned every_of(std::size_t count, int pictures = 200, StarDecimation thrift = {}) {
  for (int k = 0; k < pictures; ++k) {
    thrift.add(static_cast<float>(count / thrift.every()) / 13e6f, count);
  }
  return thrift.every();
}

TEST(StarDecimation, DrawsAllStarsThatThereIsTimeFor) {
  EXPECT_EQ(every_of(10'000), 1u);
  EXPECT_EQ(every_of(100'000'000), 1u);
}

TEST(StarDecimation, DrawsSoManyOfTooManyThatPicturesKeepUp) {
  EXPECT_EQ(every_of(500'000'000), 8u);
  EXPECT_EQ(every_of(500'000'000, 2000), 8u) << "it goes to and fro";
}

TEST(StarDecimation, OfFewStarsItDrawsAllHoweverSlowTheyAre) {
  StarDecimation thrift;
  for (int k = 0; k < 200; ++k) thrift.add(50, 1'000'000);
  EXPECT_EQ(thrift.every(), 1u);
}

TEST(StarDecimation, ItGoesBackWhenThereAreFewer) {
  StarDecimation thrift;
  for (int k = 0; k < 200; ++k) thrift.add(38.0f / static_cast<float>(thrift.every()), 500'000'000);
  ASSERT_GT(thrift.every(), 1u);
  EXPECT_EQ(every_of(50'000'000, 200, thrift), 1u);
  thrift.add(1, 1000);
  EXPECT_EQ(thrift.every(), 1u);
}

}  // namespace
}  // namespace pericenter::render
