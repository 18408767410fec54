#include "sim/scenes/model/encounter.h"

#include <gtest/gtest.h>

#include <cmath>
#include <ostream>
#include <stdexcept>

#include "tests/support/measure.h"

namespace pericenter {

/// For readable output of GoogleTest.
void PrintTo(const EncounterOrbit& orbit, std::ostream* out) {
  *out << "pericentre " << orbit.pericenter << ", eccentricity " << orbit.eccentricity << ", separation "
       << orbit.separation;
}

namespace {

class RelativeOrbit : public testing::TestWithParam<EncounterOrbit> {};

// Orbital elements from the state vector.
TEST_P(RelativeOrbit, HasItsElements) {
  const EncounterOrbit orbit = GetParam();
  constexpr double kMass = 3;
  const auto [x, v] = relative_state(orbit, kMass);
  const Vec3 spin = cross(x, v);
  const Vec3 toward_pericenter = cross(v, spin) * (1 / kMass) - x * (1 / length(x));
  const double e = length(toward_pericenter);
  EXPECT_NEAR(length(x), orbit.separation, 1e-12 * orbit.separation);
  EXPECT_NEAR(e, orbit.eccentricity, 1e-12);
  EXPECT_NEAR(dot(spin, spin) / kMass / (1 + e), orbit.pericenter, 1e-12 * orbit.separation);
  EXPECT_NEAR(toward_pericenter[0], e, 1e-12) << "pericentre on +x";
  EXPECT_GT(spin[2], 0) << "counter-clockwise";
  EXPECT_LE(dot(x, v), 1e-12) << "inbound";
}

INSTANTIATE_TEST_SUITE_P(Orbits, RelativeOrbit,
                         testing::Values(EncounterOrbit{4, 1, 30}, EncounterOrbit{0.5, 0.5, 1.5},
                                         EncounterOrbit{2, 0.6, 3}, EncounterOrbit{1, 1.5, 50},
                                         EncounterOrbit{4, 1, 4}));

TEST(RelativeOrbit, ZeroPericenterIsRadial) {
  const auto [x, v] = relative_state({.pericenter = 0, .eccentricity = 1, .separation = 8}, 4);
  EXPECT_EQ(x, (Vec3{-8, 0, 0}));
  EXPECT_EQ(v, (Vec3{1, 0, 0}));
}

TEST(RelativeOrbit, RefusesImpossibleSeparation) {
  EXPECT_THROW(relative_state({.pericenter = 4, .eccentricity = 1, .separation = 3}, 1), std::invalid_argument);
  EXPECT_THROW(relative_state({.pericenter = 1, .eccentricity = 0.5, .separation = 3.1}, 1), std::invalid_argument);
}

void expect_near(const Vec3& a, const Vec3& b) {
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(a[k], b[k], 1e-12) << "component " << k;
}

TEST(SpinAxis, FollowsToomre) {
  expect_near(spin_axis({0, 77}, false), {0, 0, 1});
  expect_near(spin_axis({180, 30}, false), {0, 0, -1});
  expect_near(spin_axis({90, 0}, false), {0, 1, 0});
  expect_near(spin_axis({90, 90}, false), {1, 0, 0});
  expect_near(spin_axis({60, -30}, false), {-std::sqrt(3.0) / 4, 0.75, 0.5});
  expect_near(spin_axis({60, -30}, true), {std::sqrt(3.0) / 4, -0.75, 0.5});
}

TEST(SpinAxis, AReversedDiscHasTheSamePlane) {
  for (const bool second : {false, true})
    for (const DiscOrientation& disc : {DiscOrientation{0, 0}, {71, 30}, {60, -30}, {180, 20}, {15, -90}})
      expect_near(spin_axis(reversed(disc), second), spin_axis(disc, second) * -1);
  EXPECT_EQ(find_scene("retrograde")->encounter->second, (DiscOrientation{109, -150}));
}

TEST(Rotation, TurnsTheSpinAndPreservesShapes) {
  for (const Vec3& spin : {spin_axis({71, 30}, true), Vec3{0, 0, -1}, Vec3{1, 0, 0}}) {
    Bodies bodies = test::make_scene("galaxy", {.bodies = 1000}).bodies;
    const double before = dot(bodies[0].position, bodies[7].velocity);
    const auto spin_of_disc = [&] {
      Vec3 sum;
      for (const Body& body : test::part_of(bodies, {})) sum += cross(body.position, body.velocity) * body.mass;
      return sum;
    };
    const Vec3 old = spin_of_disc();
    place(bodies, rotation_to(spin));
    EXPECT_NEAR(dot(bodies[0].position, bodies[7].velocity), before, 1e-12);
    // The spin of the disc is along z, apart from the noise of random motions.
    EXPECT_NEAR(dot(spin_of_disc(), spin), old[2], 1e-12);
    EXPECT_GT(dot(spin_of_disc(), spin), 0.98 * length(old));
  }
}

TEST(MutualEnergy, OfPointsAndOfOverlappingHalos) {
  const Bodies point = {{{0, 0, 0}, {}, 2, 0}}, other = {{{1, 0, 0}, {}, 3, 0}};
  EXPECT_NEAR(mutual_energy(PointGalaxy(point), PointGalaxy(other), {2, 0, 0}, 4), -6.0 / 5, 1e-12);
  EXPECT_EQ(mutual_energy(PointGalaxy(point), PointGalaxy(Bodies()), {2, 0, 0}, 4), 0);

  const Bodies a = test::make_scene("galaxy", {.bodies = 20'000, .seed = 1}).bodies;
  const Bodies b = test::make_scene("galaxy", {.bodies = 20'000, .seed = 2}).bodies;
  double mass = 0;
  for (const Body& body : a) mass += body.mass;
  // Points would give 1.
  EXPECT_NEAR(-mutual_energy(PointGalaxy(a), PointGalaxy(b), {30, 0, 0}, 0.1) / (mass * mass / 30), 0.82, 0.015);
}

TEST(Arrange, DiscsStayInThePlaneIn2D) {
  for (const double inclination : {71.0, 120.0}) {
    Bodies first = test::make_scene("galaxy", {.bodies = 2000, .dimension = 2}).bodies, second = first;
    arrange(first, second, {{}, {}, {inclination, 30}, 1}, {0.1, 2});
    Vec3 spin;
    const Vec3 middle = test::mean_position(test::part_of(second, {}));
    for (const Body& body : test::part_of(second, {})) {
      ASSERT_EQ(body.position[2], 0);
      spin += cross(body.position - middle, body.velocity);
    }
    EXPECT_EQ(spin[2] > 0, inclination < 90);
  }
}

TEST(CollisionScene, StartsOnItsOrbit) {
  const Bodies bodies = test::make_scene("collision", {.bodies = 20'000}).bodies;
  Vec3 momentum, center;
  for (const Body& body : bodies) {
    momentum += body.velocity * body.mass;
    center += body.position * body.mass;
  }
  EXPECT_LT(length(momentum), 1e-10);
  EXPECT_LT(length(center), 1e-10);
  Vec3 bulk[2], spin[2];
  double mass[2] = {};
  for (const Body& body : bodies) {
    bulk[galaxy_of(body.tag)] += body.velocity * body.mass;
    mass[galaxy_of(body.tag)] += body.mass;
  }
  const double speed = length(bulk[1] * (1 / mass[1]) - bulk[0] * (1 / mass[0]));
  // 0.74 of the escape speed of these extended galaxies, from every tenth body.
  double mutual = 0;
  for (std::size_t i = 0; i < bodies.size(); i += 10) {
    for (std::size_t j = 0; j < bodies.size(); j += 10) {
      if (galaxy_of(bodies[i].tag) == 0 && galaxy_of(bodies[j].tag) == 1) {
        const Vec3 apart = bodies[j].position - bodies[i].position;
        mutual += 100 * bodies[i].mass * bodies[j].mass / std::sqrt(dot(apart, apart) + 0.01);
      }
    }
  }
  EXPECT_NEAR(speed / (0.74 * std::sqrt(2 * mutual * (mass[0] + mass[1]) / (mass[0] * mass[1]))), 1, 0.03);

  for (std::uint32_t index = 0; index < 2; ++index) {
    const Bodies disc = test::part_of(bodies, {index, Component::disc});
    const Vec3 middle = test::mean_position(disc);
    EXPECT_NEAR(length(middle), 12.5, 1e-9);
    for (const Body& body : disc) spin[index] += cross(body.position - middle, body.velocity);
    spin[index] *= 1 / length(spin[index]);
  }
  EXPECT_GT(dot(spin[0], spin_axis({0, 0}, false)), 0.999);
  EXPECT_GT(dot(spin[1], spin_axis({71, 30}, true)), 0.999);
}

}  // namespace
}  // namespace pericenter
