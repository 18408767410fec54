#include "sim/analysis/osculating_orbit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "sim/scenes/model/kepler.h"
#include "sim/scenes/solar_system.h"

namespace pericenter {
namespace {

/// A heavy body with one on this orbit, moved and set in motion together.
Bodies on_orbit(const KeplerOrbit& orbit, double mass) {
  const Vec3 at{3, -2, 1}, moves{0.1, 0.4, -0.2};
  const RelativeState state = kepler_state(orbit, 1 + mass);
  return {{at, moves, 1, 0}, {at + state.position, moves + state.velocity, mass, 0}};
}

/// Distance of the ellipse from a place relative to the heavy body, at the best of many points.
double distance_from(const OsculatingOrbit& orbit, const Vec3& place) {
  constexpr int kPoints = 20'000;
  double nearest = 1e9;
  for (int k = 0; k < kPoints; ++k) {
    const double anomaly = 2 * 3.14159265358979 * k / kPoints;
    const Vec3 point = orbit.center + orbit.major * std::cos(anomaly) + orbit.minor * std::sin(anomaly);
    nearest = std::min(nearest, length(point - place));
  }
  return nearest;
}

// Halley's comet: the body stays on the ellipse that one moment gives.
TEST(OsculatingOrbits, PassThroughAllPlacesOfAnOrbit) {
  KeplerOrbit comet{.pericenter = 0.575, .eccentricity = 0.9679, .inclination = 2.83, .node = 1.03, .time = 40};
  comet.pericenter_argument = 1.96;
  const auto orbits = osculating_orbits(on_orbit(comet, 0), 2, 1);
  ASSERT_EQ(orbits.size(), 1u);
  EXPECT_EQ(orbits[0].body, 1u);
  EXPECT_EQ(orbits[0].around, 0u);
  EXPECT_NEAR(length(orbits[0].major), 0.575 / (1 - 0.9679), 1e-6);
  for (const double time : {-200.0, -1.0, 0.0, 0.3, 10.0, 235.0}) {
    comet.time = time;
    EXPECT_LT(distance_from(orbits[0], kepler_state(comet, 1).position), 0.01) << time;
  }
}

TEST(OsculatingOrbits, AreThoseOfBoundBodiesAroundADominantMass) {
  const KeplerOrbit circle{.pericenter = 2};
  EXPECT_EQ(osculating_orbits(on_orbit(circle, 0.01), 2, 1).size(), 1u);
  EXPECT_TRUE(osculating_orbits(on_orbit(circle, 0.9), 2, 1).empty()) << "two stars of like mass";
  EXPECT_TRUE(osculating_orbits(on_orbit({.pericenter = 2, .eccentricity = 1.2}, 0), 2, 1).empty()) << "not bound";
  EXPECT_TRUE(osculating_orbits(on_orbit(circle, 1e-9), 20'000, 1).empty()) << "one asteroid of many";
  EXPECT_TRUE(osculating_orbits({}, 0, 1).empty());
  EXPECT_TRUE(osculating_orbits({{{}, {}, 1, 0}, {{1, 0, 0}, {-0.5, 0, 0}, 0, 0}}, 2, 1).empty()) << "falls straight";
  EXPECT_EQ(osculating_orbits(sun_and_planets(kJ2000), 20'000, 1).size(), 8u);
}

TEST(OsculatingOrbits, OfACircularOrbitAreCircles) {
  const auto orbits = osculating_orbits({{{}, {}, 1, 0}, {{2, 0, 0}, {0, std::sqrt(0.5), 0}, 0, 0}}, 2, 1);
  ASSERT_EQ(orbits.size(), 1u);
  EXPECT_NEAR(length(orbits[0].major), 2, 1e-9);
  EXPECT_NEAR(length(orbits[0].minor), 2, 1e-9);
  EXPECT_LT(length(orbits[0].center), 1e-6);
}

}  // namespace
}  // namespace pericenter
