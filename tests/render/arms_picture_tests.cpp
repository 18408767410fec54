// Spiral arms of discs in the picture, seen from above.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstddef>
#include <numbers>

#include "render/gl_info.h"
#include "tests/render/test_scene.h"

namespace pericenter::render {
namespace {

// Pixels per scale length in an image of 720 rows, if the camera fits a radius of 7: it looks from above under 0.7
// radians.
const double kScale = 360 * std::cos(0.35) / (1.04 * 7);

/// Amplitude of two trailing arms of the usual pitch angle in the blue channel between 2 and 4 scale lengths.
double two_arms(const Image& image) {
  constexpr int kRings = 30, kAngles = 240, kBlue = 2;
  const double cotangent = 1 / std::tan(20 * std::numbers::pi / 180);
  std::complex<double> wave = 0;
  double sum = 0;
  for (int ring = 0; ring < kRings; ++ring) {
    const double logarithm = std::lerp(std::log(2.0), std::log(4.0), (ring + 0.5) / kRings);
    for (int k = 0; k < kAngles; ++k) {
      const double angle = 2 * std::numbers::pi * k / kAngles, radius = kScale * std::exp(logarithm);
      const auto x = static_cast<int>(image.width / 2.0 + radius * std::cos(angle));
      const auto y = static_cast<int>(image.height / 2.0 - radius * std::sin(angle));
      const double here = image.rgb[static_cast<std::size_t>(3 * (y * image.width + x) + kBlue)];
      wave += std::polar(here, 2 * (angle + cotangent * logarithm));
      sum += here;
    }
  }
  return 2 * std::abs(wave) / sum;
}

Image from_above(Renderer& renderer, std::size_t bodies, std::uint64_t seed) {
  Scene scene = start_of("galaxy", bodies, seed);
  scene.camera.look_down();
  return draw(renderer, scene);
}

// On the screen, whose tone curve leaves a quarter to a third of the contrast of the light: 0.09 to 0.11. With twice
// the light between the arms, and kernels as wide for young stars as for old ones, these were 0.04 to 0.06.
TEST(ArmsInThePicture, AreSeenWithFewAndManyBodies) {
  HeadlessContext context;
  install_gl_debug(true);
  Renderer renderer;
  for (const std::size_t bodies : {20'000u, 80'000u})
    for (const std::uint64_t seed : {1u, 2u, 3u})
      EXPECT_GT(two_arms(from_above(renderer, bodies, seed)), 0.08) << bodies << " bodies, seed " << seed;
}

}  // namespace
}  // namespace pericenter::render
