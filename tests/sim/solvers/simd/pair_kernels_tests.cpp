#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "sim/solvers/simd/pair_kernels.h"

namespace pericenter::test {
namespace {

TEST(PairKernels, PairForcesAreCorrectlyRounded) {
  for (const Simd simd : supported_simd()) {
    double worst = 0, mean = 0;
    constexpr int kPairs = 4000;
    for (int k = 0; k < kPairs; ++k) {
      const float x = static_cast<float>(std::pow(10, -2 + k * 4.0 / kPairs));
      std::array<float, kSourcePadding> place{}, mass{}, zero{};
      place[0] = x;
      mass[0] = 3;
      float target = 0, a = 0, b = 0, c = 0;
      pair_kernels<float, 3>(simd).points({{place.data(), zero.data(), zero.data()}, mass.data(), kSourcePadding},
                                          {{&target, &target, &target}, {&a, &b, &c}, nullptr, 1}, 0);
      const double error = static_cast<double>(a) * x * x / 3 - 1;
      worst = std::max(worst, std::abs(error));
      mean += error / kPairs;
    }
    EXPECT_LE(worst, 4e-7) << enum_name(simd);
    EXPECT_LE(std::abs(mean), 6e-8) << enum_name(simd);
  }
}

// Blocks of targets are full, but for the last one.
TEST(PairKernels, TakeAnyNumberOfTargets) {
  for (const Simd simd : supported_simd()) {
    std::array<float, kSourcePadding> place{}, mass{}, zero{};
    place[0] = -1;
    mass[0] = 2;
    for (std::size_t count = 1; count < 10; ++count) {
      std::array<float, 10> x{}, rest{}, a{}, b{}, c{};
      for (std::size_t i = 0; i < count; ++i) x[i] = static_cast<float>(i);
      pair_kernels<float, 3>(simd).points(
          {{place.data(), zero.data(), zero.data()}, mass.data(), kSourcePadding},
          {{x.data(), rest.data(), rest.data()}, {a.data(), b.data(), c.data()}, nullptr, count}, 0);
      for (std::size_t i = 0; i < a.size(); ++i) {
        const float distance = x[i] + 1;
        EXPECT_NEAR(a[i], i < count ? -2 / (distance * distance) : 0, 1e-6) << enum_name(simd) << " " << count;
      }
    }
  }
}

}  // namespace
}  // namespace pericenter::test
