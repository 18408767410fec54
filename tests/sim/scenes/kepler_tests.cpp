#include "sim/scenes/model/kepler.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "sim/core/random.h"

namespace pericenter {
namespace {

constexpr double kPi = std::numbers::pi;

// Time since pericentre from the anomaly of each type of conic, in long doubles.
long double time_by_anomaly(const RelativeState& state, const KeplerOrbit& orbit, double mu) {
  const long double e = orbit.eccentricity, q = orbit.pericenter;
  const long double r = length(state.position), out = dot(state.position, state.velocity);
  if (e == 1) {
    const long double d = out / std::sqrt(2 * q * static_cast<long double>(mu));  // tan of half the true anomaly
    return std::sqrt(2 * q * q * q / mu) * (d + d * d * d / 3);
  }
  const long double a = q / (1 - e), n = std::sqrt(mu / std::abs(a * a * a));
  const long double e_sin = out / std::sqrt(mu * std::abs(a));  // e sin E or e sinh H
  if (e > 1) return (e_sin - std::asinh(e_sin / e)) / n;
  return (std::atan2(e_sin, 1 - r / a) - e_sin) / n;
}

void expect_identities(const KeplerOrbit& orbit, double mu) {
  const RelativeState state = kepler_state(orbit, mu);
  const Vec3 &x = state.position, &v = state.velocity;
  const double q = orbit.pericenter, e = orbit.eccentricity, r = length(x);
  const Vec3 spin = cross(x, v), towards = cross(v, spin) * (1 / mu) - x * (1 / r);
  SCOPED_TRACE(testing::Message() << "e " << e << ", q " << q << ", time " << orbit.time);
  const double scale = mu / r;
  EXPECT_NEAR(0.5 * dot(v, v) - mu / r, mu * (e - 1) / (2 * q), 1e-12 * scale) << "energy";
  EXPECT_NEAR(length(spin), std::sqrt(mu * q * (1 + e)), 1e-12 * std::sqrt(mu * q * (1 + e))) << "angular momentum";
  const double i = orbit.inclination, node = orbit.node, w = orbit.pericenter_argument;
  const Vec3 normal{std::sin(i) * std::sin(node), -std::sin(i) * std::cos(node), std::cos(i)};
  EXPECT_LT(length(spin * (1 / length(spin)) - normal), 1e-12) << "plane";
  const Vec3 ascending{std::cos(node), std::sin(node), 0},
      pericenter = ascending * std::cos(w) + cross(normal, ascending) * std::sin(w);
  EXPECT_LT(length(towards - pericenter * e), 1e-12 * std::max(1.0, length(v) * length(spin) / mu)) << "pericentre";
}

TEST(Kepler, ConservesConstantsOfMotion) {
  for (const double e :
       {0.0, 1e-9, 0.1, 0.5, 0.9, 0.99, 1 - 1e-6, 1 - 1e-12, 1.0, 1 + 1e-12, 1 + 1e-6, 1.01, 1.5, 3.0}) {
    for (const double time : {0.0, 1e-6, -0.3, 1.0, -5.0, 30.0, 1000.0})
      expect_identities({0.7, e, 0.4, 1.1, 2.5, time}, 1.3);
  }
  Random random(3);
  for (int k = 0; k < 2000; ++k) {
    const double q = std::exp(3 * random.normal());
    expect_identities({q, 3 * random.uniform(), kPi * random.uniform(), 2 * kPi * random.uniform(),
                       2 * kPi * random.uniform(), 3 * random.normal() * std::pow(q, 1.5)},
                      1);
  }
}

TEST(Kepler, TimeMatchesPosition) {
  Random random(4);
  std::vector<double> eccentricities = {0.05, 0.3, 0.7, 0.95, 1.0, 1.05, 1.5, 2.0, 3.0};
  for (const double e : eccentricities) {
    for (int k = 0; k < 100; ++k) {
      const double half = e < 1 ? kPi * std::pow(0.8 / (1 - e), 1.5) : 40;
      const KeplerOrbit orbit = {0.8, e, 0, 0, 0, half * (2 * random.uniform() - 1)};
      const double time = static_cast<double>(time_by_anomaly(kepler_state(orbit, 1), orbit, 1));
      // For near-circular orbits the time follows less accurately from the position.
      ASSERT_NEAR(time, orbit.time, 3e-13 * half) << e;
    }
  }
}

TEST(Kepler, IsContinuousAtTheParabola) {
  for (const double time : {0.5, 3.0, 20.0}) {
    const RelativeState parabola = kepler_state({.pericenter = 1, .eccentricity = 1, .time = time}, 1);
    for (const double off : {-1e-10, 1e-10, -1e-14, 1e-14}) {
      const RelativeState near = kepler_state({.pericenter = 1, .eccentricity = 1 + off, .time = time}, 1);
      EXPECT_LT(length(near.position - parabola.position), 100 * std::abs(off) + 1e-14) << time;
    }
  }
}

// Fourth-order Runge-Kutta.
RelativeState integrated(RelativeState state, double time, int steps) {
  const auto pull = [](const Vec3& x) { return x * (-1 / std::pow(dot(x, x), 1.5)); };
  const double h = time / steps;
  for (int step = 0; step < steps; ++step) {
    const Vec3 x = state.position, v = state.velocity;
    const Vec3 a1 = pull(x), v2 = v + a1 * (h / 2), a2 = pull(x + v * (h / 2)), v3 = v + a2 * (h / 2);
    const Vec3 a3 = pull(x + v2 * (h / 2)), v4 = v + a3 * h, a4 = pull(x + v3 * h);
    state.position += (v + v2 * 2 + v3 * 2 + v4) * (h / 6);
    state.velocity += (a1 + a2 * 2 + a3 * 2 + a4) * (h / 6);
  }
  return state;
}

TEST(Kepler, MatchesIntegration) {
  for (const double e : {0.0, 0.6, 1.0, 2.5}) {
    const KeplerOrbit start = {1, e, 0.3, 0.4, 0.5, -2}, end = {1, e, 0.3, 0.4, 0.5, 2};
    const RelativeState got = integrated(kepler_state(start, 1), 4, 8000), wanted = kepler_state(end, 1);
    EXPECT_LT(length(got.position - wanted.position), 1e-11) << e;
    EXPECT_LT(length(got.velocity - wanted.velocity), 1e-11) << e;
  }
}

TEST(Kepler, ReturnsAfterAPeriod) {
  const double period = 2 * kPi * std::pow(1 / (1 - 0.4), 1.5);
  const Vec3 first = kepler_state({.eccentricity = 0.4, .time = 0.3}, 1).position;
  EXPECT_LT(length(kepler_state({.eccentricity = 0.4, .time = 0.3 + 7 * period}, 1).position - first), 1e-13);
  EXPECT_NEAR(time_of_mean_anomaly(kPi, 1, 0.4, 1), period / 2, 1e-13);
}

// From the eccentric or hyperbolic anomaly to the mean anomaly, the time, the state, and back to the anomaly.
TEST(Kepler, MeanAnomalyRoundTripsOnBothSidesOfThePericentre) {
  const double q = 0.7, mu = 1.3;
  for (const double e : {0.0, 0.2, 0.9, 1.05, 1.5, 3.0, 20.0}) {
    for (const double anomaly : {-2.0, -0.5, 0.0, 0.5, 2.0}) {
      const bool bound = e < 1;
      const double a = q / std::abs(1 - e);
      const double mean = bound ? anomaly - e * std::sin(anomaly) : e * std::sinh(anomaly) - anomaly;
      const double time = time_of_mean_anomaly(mean, q, e, mu);
      const RelativeState state = kepler_state({.pericenter = q, .eccentricity = e, .time = time}, mu);
      // x / a + e is cos E, or e - x / a is cosh H; y has the sign of the anomaly.
      const double width = a * std::sqrt(std::abs(1 - e * e));
      const double x = bound ? a * (std::cos(anomaly) - e) : a * (e - std::cosh(anomaly));
      const double y = width * (bound ? std::sin(anomaly) : std::sinh(anomaly));
      EXPECT_LT(length(state.position - Vec3{x, y, 0}), 1e-11 * (std::abs(x) + std::abs(y) + q)) << e << ' ' << anomaly;
    }
  }
}

TEST(SmallBodyMass, UsesDiameterThenMagnitude) {
  // Ceres: 939 km, H 3.34, albedo 0.09; its mass is 9.38e20 kg, and the density of its type gives half of that.
  const double ceres = *estimated_mass_kg({.diameter_km = 939.4, .absolute_magnitude = {}, .albedo = 0.09});
  EXPECT_NEAR(ceres, 1380 * kPi / 6 * std::pow(939.4e3, 3), 1e12);
  EXPECT_NEAR(*estimated_mass_kg({.diameter_km = {}, .absolute_magnitude = 3.34, .albedo = 0.09}) / ceres, 1, 0.1);
  // H = 22 with the default albedo corresponds to 140 m, the limit of potentially hazardous asteroids.
  const double hazardous = *estimated_mass_kg({.diameter_km = {}, .absolute_magnitude = 22, .albedo = {}});
  EXPECT_NEAR(std::cbrt(hazardous / 2710 * 6 / kPi), 141, 1);
  EXPECT_EQ(estimated_mass_kg({.diameter_km = {}, .absolute_magnitude = {}, .albedo = 0.2}), std::nullopt);
}

}  // namespace
}  // namespace pericenter
