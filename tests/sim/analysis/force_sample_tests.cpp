#include "sim/analysis/force_sample.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "tests/support/reference.h"

namespace pericenter::test {
namespace {

TEST(RandomSample, HasDifferentNumbersInOrder) {
  for (const std::size_t count : {0, 1, 7, 99, 100}) {
    const std::vector<std::size_t> sample = random_sample(100, count, 3);
    EXPECT_EQ(sample.size(), count);
    EXPECT_EQ(std::set(sample.begin(), sample.end()).size(), count);
    EXPECT_TRUE(std::ranges::is_sorted(sample));
    EXPECT_TRUE(sample.empty() || sample.back() < 100);
  }
  EXPECT_EQ(random_sample(1000, 10, 5), random_sample(1000, 10, 5));
  EXPECT_NE(random_sample(1000, 10, 5), random_sample(1000, 10, 6));
}

TEST(RandomSample, IsUniform) {
  std::vector<int> counts(20);
  for (std::uint64_t seed = 0; seed < 4000; ++seed)
    for (const std::size_t number : random_sample(20, 5, seed)) ++counts[number];
  // 1,000 expected; a standard deviation is 27.
  for (const int count : counts) EXPECT_NEAR(count, 1000, 5 * 27);
}

TEST(PooledForceError, OneSmallSampleIsNoVerdict) {
  PooledForceError pooled;
  const auto add = [&](double mean, std::size_t bodies) {
    ForceErrors errors;
    errors.mean = mean;
    pooled.add(errors, bodies);
  };
  add(9e-3, 64);
  EXPECT_TRUE(std::isnan(pooled.mean(100'000)));
  EXPECT_EQ(pooled.mean(64), 9e-3) << "these are all bodies";
  for (int k = 0; k < 3; ++k) add(1e-3, 64);
  EXPECT_NEAR(pooled.mean(100'000), 3e-3, 1e-12) << "the mean over 256 bodies";
  for (int k = 0; k < 100; ++k) add(1e-3, 64);
  EXPECT_NEAR(pooled.mean(100'000), 1e-3, 3e-5) << "the last 1,024 count";
  for (int k = 0; k < 16; ++k) add(2e-2, 64);
  EXPECT_GT(pooled.mean(100'000), 1e-2) << "a lasting error is noticed";
}

TEST(SampleErrors, OfValuesThatAreNotFiniteAreUnknown) {
  EXPECT_FALSE(errors_of({}));
  EXPECT_TRUE(errors_of({.solver = {{1, 0, 0}}, .exact = {{1, 0, 0}}}));
  EXPECT_FALSE(errors_of({.solver = {{1, 0, 0}}, .exact = {{std::nan(""), 0, 0}}}));
  EXPECT_FALSE(errors_of({.solver = {{1, INFINITY, 0}}, .exact = {{1, 0, 0}}}));
  EXPECT_NEAR(errors_of({.solver = {{1, 0, 0}}, .exact = {{2, 0, 0}}})->mean, 0.5, 1e-15);
}

// ---- which bodies, how often

/// A simulation whose steps follow each other, and exact sums of a given speed.
class ScheduleTest : public ::testing::Test {
 protected:
  /// Runs for `seconds`; returns the number of measurements.
  int run(double seconds, double busy = 1) {
    int measured = 0;
    for (const double end = now_ + seconds; now_ < end;) {
      now_ += step_seconds_;
      schedule_.add_step(busy * step_seconds_);
      const std::size_t count = schedule_.due(bodies_, now_);
      if (count == 0) continue;
      const double taken = static_cast<double>(count) * static_cast<double>(bodies_) / speed_;
      now_ += taken;
      spent_ += taken;
      longest_ = std::max(longest_, taken);
      least_ = std::min(least_, count);
      largest_ = std::max(largest_, count);
      schedule_.note_speed(count, bodies_, taken);
      schedule_.note(taken, now_);
      ++measured;
    }
    return measured;
  }

  std::size_t bodies_ = 20'000;
  double speed_ = 6e8, step_seconds_ = 0.02;
  SampleSchedule schedule_;
  double now_ = 100, spent_ = 0, longest_ = 0;
  std::size_t least_ = 1'000'000, largest_ = 0;
};

TEST_F(ScheduleTest, MeasuresOncePerSecondWhereThatIsCheap) {
  EXPECT_NEAR(run(20), 20, 2);
  EXPECT_GE(least_, SampleSchedule::kUsual);
  EXPECT_LE(largest_, SampleSchedule::kMost);
  EXPECT_LT(spent_, 0.05 * 20);
  EXPECT_LT(schedule_.share(), 0.05);
  EXPECT_GT(schedule_.share(), 0.01);
}

TEST_F(ScheduleTest, LimitsDelayAndShareOfManyBodies) {
  bodies_ = 1'000'000;
  step_seconds_ = 1.5;
  EXPECT_GE(run(200), 10);
  EXPECT_GE(least_, SampleSchedule::kLeast);
  EXPECT_LT(spent_, 0.05 * 200);
  EXPECT_LE(longest_, std::max(SampleSchedule::kMaxSeconds, schedule_.least_seconds(bodies_)) * 1.01);
  bodies_ = 100'000'000;
  step_seconds_ = 150;
  spent_ = 0;
  EXPECT_GE(run(6000), 10) << "rarely, but not never";
  EXPECT_LT(spent_, 0.05 * 6000);
}

// On a busy machine some measurements take five times as long as expected.
TEST_F(ScheduleTest, SavesWhatWasTooExpensive) {
  for (int k = 0; k < 20; ++k) {
    speed_ = k % 2 == 0 ? 6e8 : 1.2e8;
    run(5);
  }
  EXPECT_LT(spent_, 0.05 * 100);
}

TEST_F(ScheduleTest, WaitsForComputingTime) {
  step_seconds_ = 1.0 / 60;
  const int often = run(30, 1), rarely = run(30, 0.05);
  EXPECT_LT(rarely, often / 2);
  EXPECT_GE(rarely, 2) << "at least every ten seconds";
}

TEST_F(ScheduleTest, TakesAllOfFewBodies) {
  bodies_ = 2;
  speed_ = 1e5;
  EXPECT_GE(run(10), 8);
  EXPECT_EQ(least_, 2u);
  EXPECT_EQ(largest_, 2u);
  EXPECT_EQ(schedule_.due(0, now_ + 100), 0u);
}

}  // namespace
}  // namespace pericenter::test
