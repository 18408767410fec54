// How spiral arms wind up, grow, and are made by a passing galaxy.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <numbers>

#include "sim/core/simulation.h"
#include "sim/scenes/model/encounter.h"
#include "tests/support/measure.h"

namespace pericenter {
namespace {

struct Ring {
  double inner = 0, outer = 0;
};

/// Mean of exp(i number (angle + cotangent ln R)) over the bodies of a ring: large if they are on that many arms with
/// this cotangent of the pitch angle. With 0: the amplitude of a Fourier component in the azimuth.
double arm_strength(const Bodies& bodies, const Ring& ring, int number, double cotangent = 0) {
  std::complex<double> sum = 0;
  std::size_t count = 0;
  for (const Body& body : bodies) {
    const double x = body.position[0], y = body.position[1], r = std::hypot(x, y);
    if (r < ring.inner || r > ring.outer) continue;
    sum += std::polar(1.0, number * (std::atan2(y, x) + cotangent * std::log(r)));
    ++count;
  }
  return std::abs(sum) / static_cast<double>(count);
}

/// Cotangent of the pitch angle that fits `number` arms best; positive: trailing.
double cotangent_of(const Bodies& bodies, const Ring& ring, int number) {
  double best = 0, strongest = 0;
  for (double cotangent = -20; cotangent <= 20; cotangent += 0.1) {
    const double strength = arm_strength(bodies, ring, number, cotangent);
    if (strength <= strongest) continue;
    strongest = strength;
    best = cotangent;
  }
  return best;
}

/// Strength of all components of two to six arms.
double all_arms(const Bodies& bodies, const Ring& ring) {
  double sum = 0;
  for (int number = 2; number <= 6; ++number) sum += std::pow(arm_strength(bodies, ring, number), 2);
  return std::sqrt(sum);
}

/// The first galaxy's disc about the middle of its bulge.
Bodies centered_disc(const Bodies& bodies) {
  Bodies disc = test::part_of(bodies, {0, Component::disc});
  shift(disc, -test::mean_position(test::part_of(bodies, {0, Component::bulge})), {});
  return disc;
}

Bodies evolved(const Scene& scene, double dt, double end) {
  Params params = scene.params;
  params.dt = dt;
  const auto simulation = Simulation::create({}, scene.bodies);
  while (simulation->time() < end) simulation->step(params);
  return simulation->bodies();
}

// Arms that move with the stars: the cotangent of their pitch angle grows by the shear -R dOmega/dR times the time.
TEST(ArmGrowth, RotationWindsMaterialArms) {
  const Scene scene = test::make_scene("winding-arms", {.bodies = 20'000});
  constexpr Ring kRing = {1.5, 3};
  constexpr double kTime = 8;
  const auto young = [](const Bodies& bodies) {
    Bodies stars, disc = test::part_of(bodies, {0, Component::disc});
    shift(disc, -test::mean_position(disc), {});
    for (const Body& body : disc)
      if (is_young(body.tag)) stars.push_back(body);
    return stars;
  };
  const auto omega = [&](double r) {
    const Vec3 pull = test::acceleration_at({r, 0, 0}, scene.bodies, scene.params.softening);
    return std::sqrt(length(pull) / r);
  };
  const double shear = (omega(kRing.inner) - omega(kRing.outer)) / std::log(kRing.outer / kRing.inner);
  const double before = 1 / std::tan(35 * std::numbers::pi / 180), after = before + shear * kTime;
  EXPECT_NEAR(cotangent_of(young(scene.bodies), kRing, 2), before, 0.4);
  EXPECT_NEAR(cotangent_of(young(evolved(scene, 0.08, kTime)), kRing, 2), after, 0.15 * after);
  EXPECT_GT(after, 2 * before);
}

// With few bodies and any seed. When the disc was thinner and had more dark mass, these were 0.06 to 0.22, in many
// short arms.
TEST(ArmGrowth, SpiralGrowsArms) {
  constexpr Ring kRing = {1.6, 2.6};
  for (const std::uint64_t seed : {1u, 2u, 3u}) {
    const Scene scene = test::make_scene("spiral", {.bodies = 20'000, .seed = seed});
    EXPECT_LT(all_arms(centered_disc(scene.bodies), kRing), 0.08) << seed;
    const Bodies disc = centered_disc(evolved(scene, 0.06, scene.highlight_time));
    EXPECT_GT(arm_strength(disc, kRing, 2), 0.15) << seed;
    EXPECT_GT(cotangent_of(disc, kRing, 2), 0.3) << "they trail";
  }
}

TEST(ArmGrowth, PassageMakesTwoArms) {
  const Scene scene = test::make_scene("grand-design", {.bodies = 20'000});
  constexpr Ring kRing = {2, 4};
  const Bodies disc = centered_disc(evolved(scene, 0.08, scene.highlight_time));
  const double two = arm_strength(disc, kRing, 2);
  EXPECT_GT(two, 0.25);
  EXPECT_LT(arm_strength(centered_disc(scene.bodies), kRing, 2), 0.06);
  for (const int number : {1, 3, 5}) EXPECT_GT(two, 1.5 * arm_strength(disc, kRing, number)) << number;
  EXPECT_GT(cotangent_of(disc, kRing, 2), 0.3) << "they trail";
}

}  // namespace
}  // namespace pericenter
