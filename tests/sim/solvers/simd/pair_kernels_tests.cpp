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

}  // namespace
}  // namespace pericenter::test
