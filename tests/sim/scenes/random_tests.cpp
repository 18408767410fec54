#include "sim/core/random.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace pericenter {
namespace {

constexpr int kDraws = 100'000;

// Each body uses its own stream, as in scenes.
TEST(Random, StreamsAreUncorcorrelation) {
  double sum = 0, square = 0, correlation = 0, before = 0;
  for (std::uint64_t stream = 0; stream < kDraws; ++stream) {
    Random random(42, stream);
    const double x = random.uniform() - 0.5, y = random.uniform() - 0.5;
    ASSERT_LT(std::abs(x), 0.5);
    sum += x;
    square += x * x;
    correlation += x * before + x * y;
    before = x;
  }
  EXPECT_NEAR(sum / kDraws, 0, 0.004);
  EXPECT_NEAR(square / kDraws, 1.0 / 12, 0.001);
  EXPECT_NEAR(correlation / kDraws, 0, 0.0015);
}

TEST(Random, NormalHasItsMoments) {
  Random random(7);
  double sum = 0, square = 0, fourth = 0;
  for (int i = 0; i < kDraws; ++i) {
    const double x = random.normal();
    sum += x;
    square += x * x;
    fourth += x * x * x * x;
  }
  EXPECT_NEAR(sum / kDraws, 0, 0.012);
  EXPECT_NEAR(square / kDraws, 1, 0.02);
  EXPECT_NEAR(fourth / kDraws, 3, 0.15);
}

TEST(Random, DirectionsCoverTheSphere) {
  Random random(7);
  Vec3 sum, squares;
  for (int i = 0; i < kDraws; ++i) {
    const Vec3 direction = random.direction();
    ASSERT_NEAR(length(direction), 1, 1e-12);
    sum += direction;
    for (int k = 0; k < 3; ++k) squares[k] += direction[k] * direction[k];
  }
  for (int k = 0; k < 3; ++k) {
    EXPECT_NEAR(sum[k] / kDraws, 0, 0.008);
    EXPECT_NEAR(squares[k] / kDraws, 1.0 / 3, 0.004);
  }
}

/// Variance over the mean of the counts of points in equal squares of the unit square: 1 for random points.
double noise_in_squares(const std::vector<std::vector<double>>& points, int first, int second) {
  constexpr int kSide = 16;
  std::vector<int> counts(kSide * kSide);
  for (const std::vector<double>& point : points) {
    const int column = static_cast<int>(kSide * point[first]), row = static_cast<int>(kSide * point[second]);
    ++counts[kSide * row + column];
  }
  const double mean = static_cast<double>(points.size()) / (kSide * kSide);
  double squares = 0;
  for (const int count : counts) squares += (count - mean) * (count - mean);
  return squares / (kSide * kSide) / mean;
}

TEST(EvenRandom, FillsSquaresWithLittleNoise) {
  constexpr int kNumbers = EvenRandom::kNumbers;
  for (const std::uint64_t seed : {1u, 2u}) {
    std::vector<std::vector<double>> points;
    for (std::uint64_t stream = 0; stream < 5000; ++stream) {
      EvenRandom numbers(seed, stream);
      std::vector<double>& point = points.emplace_back();
      for (int k = 0; k < kNumbers + 2; ++k) {
        point.push_back(numbers.uniform());
        ASSERT_GT(point.back(), 0);
        ASSERT_LT(point.back(), 1);
      }
    }
    for (int first = 0; first < kNumbers; ++first)
      for (int second = 0; second < first; ++second)
        EXPECT_LT(noise_in_squares(points, first, second), first < 9 ? 0.6 : 1) << first << ", " << second;
    EXPECT_NEAR(noise_in_squares(points, kNumbers, kNumbers + 1), 1, 0.3) << "later ones are random";
  }
}

TEST(EvenRandom, StartsElsewhereWithAnotherSeed) {
  EvenRandom one(1, 7), same(1, 7), other(2, 7);
  const double number = one.uniform();
  EXPECT_EQ(number, same.uniform());
  EXPECT_NE(number, other.uniform());
}

}  // namespace
}  // namespace pericenter
