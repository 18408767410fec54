#include "sim/core/random.h"

#include <gtest/gtest.h>

#include <cmath>

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

}  // namespace
}  // namespace pericenter
