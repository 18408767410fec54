#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "sim/scenes/solar_system.h"
#include "tests/support/measure.h"

namespace pericenter {
namespace {

using std::numbers::pi;
constexpr std::size_t kSmall = 100'000, kLarge = 9;

/// Osculating elements about the Sun; AU and degrees.
struct Osculating {
  double a = 0, e = 0, inclination = 0, longitude = 0, mass = 0;
  Vec3 place;
  double perihelion() const { return a * (1 - e); }
  double aphelion() const { return a * (1 + e); }
};

const std::vector<Osculating>& small_bodies() {
  static const std::vector<Osculating> kAll = [] {
    const Scene scene = test::make_scene("small-bodies", {.bodies = kLarge + kSmall});
    std::vector<Osculating> all;
    for (std::size_t i = kLarge; i < scene.bodies.size(); ++i) {
      const Vec3 x = scene.bodies[i].position - scene.bodies[0].position;
      const Vec3 v = scene.bodies[i].velocity - scene.bodies[0].velocity;
      const Vec3 spin = cross(x, v);
      const double a = 1 / (2 / length(x) - dot(v, v));
      all.push_back({a, std::sqrt(std::max(0.0, 1 - dot(spin, spin) / a)), std::acos(spin[2] / length(spin)) * 180 / pi,
                     std::atan2(x[1], x[0]) * 180 / pi, scene.bodies[i].mass, x});
    }
    return all;
  }();
  return kAll;
}

template <class Is>
double thousands(const Is& is) {
  return 1e3 * static_cast<double>(std::ranges::count_if(small_bodies(), is)) / kSmall;
}

// In 2021 JPL's database had 1.04 million asteroids: per thousand 20 inside 2 AU beyond Mars, 28 outside 3.2 AU, 20
// that cross the orbit of Mars, 24 near the Earth, 10 Trojans, 3.5 beyond Neptune.
TEST(SmallBodies, OrbitClassesHaveTheNumbersOfTheDatabase) {
  EXPECT_NEAR(thousands([](const Osculating& b) { return b.a < 2 && b.perihelion() > 1.666; }), 20, 4);
  EXPECT_NEAR(thousands([](const Osculating& b) { return b.perihelion() < 1.666 && b.perihelion() > 1.3; }), 20, 4);
  EXPECT_NEAR(thousands([](const Osculating& b) { return b.perihelion() < 1.3; }), 24, 4);
  EXPECT_NEAR(thousands([](const Osculating& b) { return b.a > 3.2 && b.a < 4.6; }), 28, 12);
  EXPECT_NEAR(thousands([](const Osculating& b) { return b.a > 4.9 && b.a < 5.5; }), 10, 2);
  EXPECT_NEAR(thousands([](const Osculating& b) { return b.a > 30.1; }), 3.6, 1);
}

TEST(SmallBodies, ResonancesWithJupiterAreGaps) {
  const auto within = [](double a, double width) {
    return thousands([=](const Osculating& b) { return std::abs(b.a - a) < width && b.perihelion() > 1.666; });
  };
  for (const double resonance : {2.501, 2.824, 2.957, 3.277}) {
    const double neighbours = within(resonance - 0.05, 0.006) + within(resonance + 0.05, 0.006);
    EXPECT_LT(within(resonance, 0.006), 0.25 * neighbours) << resonance;
  }
}

TEST(SmallBodies, MainBeltHasItsEccentricitiesAndInclinations) {
  double count = 0, e = 0, inclination = 0;
  for (const Osculating& body : small_bodies()) {
    if (body.a < 2.1 || body.a > 3.3 || body.perihelion() < 1.666) continue;
    ++count;
    e += body.e;
    inclination += body.inclination;
    ASSERT_LT(body.e, 0.41);
  }
  EXPECT_NEAR(e / count, 0.14, 0.01);
  EXPECT_NEAR(inclination / count, 8.1, 0.5);
}

// A resonant angle keeps both families away from Jupiter.
TEST(SmallBodies, TrojansAndHildasAvoidJupiter) {
  const Body jupiter = sun_and_planets(kJ2000)[5];
  const double longitude = std::atan2(jupiter.position[1], jupiter.position[0]) * 180 / pi;
  double ahead = 0, behind = 0, close = 0;
  for (const Osculating& body : small_bodies()) {
    const double apart = std::remainder(body.longitude - longitude, 360);
    if (body.a > 4.9 && body.a < 5.5) {
      EXPECT_GT(std::abs(apart), 5);
      (apart > 0 ? ahead : behind) += std::abs(apart) < 120;
    }
    const bool hilda = body.a > 3.9 && body.a < 4.05;
    if (hilda && length(body.place - jupiter.position) < 0.9) ++close;
  }
  EXPECT_NEAR(ahead / (ahead + behind), 0.65, 0.06);
  EXPECT_LE(close, 2);
}

// The belt has 2.4e21 kg, of which Ceres has four tenths: 1.2e-9 solar masses.
TEST(SmallBodies, MassesComeFromTheMagnitudes) {
  double most = 0;
  for (const Osculating& body : small_bodies()) {
    ASSERT_GT(body.mass, 0);
    most = std::max(most, body.mass);
  }
  EXPECT_LT(most, 1e-9);
  const Scene scene = test::make_scene("small-bodies", {.bodies = kLarge + kSmall});
  Vec3 momentum;
  for (const Body& body : scene.bodies) momentum += body.velocity * body.mass;
  EXPECT_LT(length(momentum), 1e-15);
}

}  // namespace
}  // namespace pericenter
