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
      std::array<float, kTargetPadding> target{}, a{}, b{}, c{};
      pair_kernels<float, 3>(simd).points(
          {{place.data(), zero.data(), zero.data()}, mass.data(), kSourcePadding},
          {{target.data(), target.data(), target.data()}, {a.data(), b.data(), c.data()}, nullptr, kTargetPadding}, 0);
      const double error = static_cast<double>(a[0]) * x * x / 3 - 1;
      worst = std::max(worst, std::abs(error));
      mean += error / kPairs;
    }
    EXPECT_LE(worst, 4e-7) << enum_name(simd);
    EXPECT_LE(std::abs(mean), 6e-8) << enum_name(simd);
  }
}

}  // namespace
}  // namespace pericenter::test
