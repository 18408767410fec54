#include "app/ui/divergence.h"

#include <gtest/gtest.h>

#include <limits>

namespace pericenter::app {
namespace {

using render::Half;

/// A hundred stars on a line, moved along it by `shift`; the last one by `shift` and `outlier`.
render::StarSample line_of_stars(double time, float shift = 0, float outlier = 0) {
  render::StarSample sample{.time = time, .stars = {}, .chosen = {}};
  for (int k = 0; k < 100; ++k) sample.stars.push_back({.position = {static_cast<float>(k) + shift, 1, 2}});
  sample.stars.back().position.x += outlier;
  return sample;
}

TEST(Divergence, IsExactlyZeroForEqualPositions) {
  DivergenceMeter meter;
  meter.add(Half::left, line_of_stars(1));
  meter.add(Half::right, line_of_stars(1));
  ASSERT_TRUE(meter.latest());
  EXPECT_EQ(meter.latest()->time, 1);
  EXPECT_EQ(meter.latest()->median, 0);
  EXPECT_EQ(meter.latest()->p99, 0);
}

TEST(Divergence, SeparatesTheMedianFromOutliers) {
  DivergenceMeter meter;
  meter.add(Half::left, line_of_stars(1));
  meter.add(Half::right, line_of_stars(1, 0.5f, 30));
  EXPECT_DOUBLE_EQ(meter.latest()->median, 0.5);
  EXPECT_DOUBLE_EQ(meter.latest()->p99, 0.5);  // one of a hundred is above
  render::StarSample far = line_of_stars(2, 0.5f, 30);
  for (int k = 0; k < 3; ++k) far.stars[static_cast<std::size_t>(k)].position.y = 21;
  meter.add(Half::left, line_of_stars(2));
  meter.add(Half::right, far);
  EXPECT_DOUBLE_EQ(meter.latest()->median, 0.5);
  EXPECT_GT(meter.latest()->p99, 20);
}

TEST(Divergence, ComparesOnlyAtTheSameTime) {
  DivergenceMeter meter;
  meter.add(Half::left, line_of_stars(1));
  meter.add(Half::right, line_of_stars(2));
  EXPECT_FALSE(meter.latest());
  meter.add(Half::left, line_of_stars(2));  // arrives a frame later
  ASSERT_TRUE(meter.latest());
  EXPECT_EQ(meter.latest()->time, 2);
}

TEST(Divergence, InterpolatesBetweenTimesOfDifferentSteps) {
  DivergenceMeter meter;  // both move by 1 per unit of time
  meter.add(Half::left, line_of_stars(0, 0));
  meter.add(Half::right, line_of_stars(0, 0));
  meter.add(Half::left, line_of_stars(3, 3));
  meter.add(Half::right, line_of_stars(2, 2));
  meter.add(Half::right, line_of_stars(4, 4));
  ASSERT_EQ(meter.history().size(), 3u);
  EXPECT_EQ(meter.history()[1].time, 2);
  EXPECT_EQ(meter.history()[2].time, 3);
  for (const Divergence& one : meter.history()) EXPECT_NEAR(one.p99, 0, 1e-5);
}

TEST(Divergence, LeavesOutBodiesThatAreNotFinite) {
  render::StarSample broken = line_of_stars(1, 0.25f);
  broken.stars[0].position.x = std::numeric_limits<float>::quiet_NaN();
  DivergenceMeter meter;
  meter.add(Half::left, line_of_stars(1));
  meter.add(Half::right, broken);
  EXPECT_DOUBLE_EQ(meter.latest()->median, 0.25);
}

TEST(Divergence, KeepsALongHistory) {
  DivergenceMeter meter;
  for (int k = 0; k < 5000; ++k) {
    meter.add(Half::left, line_of_stars(k));
    meter.add(Half::right, line_of_stars(k, static_cast<float>(k)));
  }
  EXPECT_LE(meter.history().size(), DivergenceMeter::kMaxPoints);
  EXPECT_GT(meter.history().size(), DivergenceMeter::kMaxPoints / 3);
  EXPECT_EQ(meter.history().front().time, 0);
  EXPECT_EQ(meter.latest()->time, 4999);
}

}  // namespace
}  // namespace pericenter::app
