#include "sim/scenes/model/orbit.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <ostream>
#include <stdexcept>

namespace pericenter {

/// For readable output of GoogleTest.
void PrintTo(const EncounterOrbit& orbit, std::ostream* out);

namespace {

constexpr double kMass = 3;

void expect_near(const Vec3& a, const Vec3& b, double error) {
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(a[k], b[k], error) << "component " << k;
}

class Conics : public testing::TestWithParam<EncounterOrbit> {};

TEST_P(Conics, MatchStateVectors) {
  const EncounterOrbit orbit = GetParam();
  const RelativeState expected = relative_state(orbit, kMass);
  const RelativeState found = state_at(orbit, kMass, -time_to_pericenter(orbit, kMass));
  expect_near(found.position, expected.position, 1e-9 * orbit.separation);
  expect_near(found.velocity, expected.velocity, 1e-9);
  const RelativeState after = state_at(orbit, kMass, time_to_pericenter(orbit, kMass));
  EXPECT_NEAR(after.position[1], -found.position[1], 1e-9 * orbit.separation);
  EXPECT_NEAR(after.velocity[0], -found.velocity[0], 1e-9);
}

// Leapfrog with small steps from the pericentre.
TEST_P(Conics, MatchIntegration) {
  const EncounterOrbit orbit = GetParam();
  auto [x, v] = state_at(orbit, kMass, 0);
  expect_near(x, {orbit.pericenter, 0, 0}, 1e-12);
  EXPECT_NEAR(length(v), std::sqrt(kMass * (1 + orbit.eccentricity) / orbit.pericenter), 1e-10);
  const double end = 3 * std::sqrt(orbit.pericenter * orbit.pericenter * orbit.pericenter / kMass);
  constexpr int kSteps = 20'000;
  const auto kick = [&] { v += x * (-kMass / std::pow(length(x), 3) * end / kSteps / 2); };
  for (int k = 0; k < kSteps; ++k) {
    kick();
    x += v * (end / kSteps);
    kick();
  }
  const RelativeState expected = state_at(orbit, kMass, end);
  expect_near(x, expected.position, 1e-6 * orbit.pericenter);
  expect_near(v, expected.velocity, 1e-6 * length(v));
}

INSTANTIATE_TEST_SUITE_P(OfAllKinds, Conics,
                         testing::Values(EncounterOrbit{2, 0.1, 2.2}, EncounterOrbit{2, 0.6, 8},
                                         EncounterOrbit{0.5, 0.97, 25}, EncounterOrbit{4, 0.9999999, 25},
                                         EncounterOrbit{4, 1, 25}, EncounterOrbit{4, 1.0000001, 25},
                                         EncounterOrbit{1, 1.5, 50}, EncounterOrbit{0.3, 2, 0.3}));

TEST(Conic, CircleMovesUniformly) {
  const EncounterOrbit circle = {1, 0, 1};
  EXPECT_EQ(time_to_pericenter(circle, 1), 0);
  for (const double angle : {-2.0, 0.5, 3.0, 7.0})
    expect_near(state_at(circle, 1, angle).position, {std::cos(angle), std::sin(angle), 0}, 1e-12);
}

TEST(Conic, EndsAtItsApocenter) {
  const EncounterOrbit ellipse = {2, 0.5, 6};
  EXPECT_DOUBLE_EQ(apocenter(ellipse), 6);
  EXPECT_NEAR(time_to_pericenter(ellipse, 1), std::numbers::pi * 8, 1e-9) << "half a turn";
  EXPECT_NEAR(length(state_at(ellipse, 1, 1e3 * std::numbers::pi * 16).position), 2, 1e-9) << "after many";
  EXPECT_TRUE(std::isinf(apocenter({2, 1, 6})));
  EXPECT_THROW(time_to_pericenter({2, 0.5, 6.1}, 1), std::invalid_argument);
  EXPECT_THROW(time_to_pericenter({2, 1.5, 1.9}, 1), std::invalid_argument);
}

// As in relative_state(), for any eccentricity.
TEST(Conic, ZeroPericenterIsRadialParabola) {
  const double parabola = time_to_pericenter({1e-12, 1, 25}, kMass);
  for (const double e : {0.5, 1.0, 2.0}) EXPECT_NEAR(time_to_pericenter({0, e, 25}, kMass), parabola, 1e-9) << e;
}

}  // namespace
}  // namespace pericenter
