#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/scenes/measure.h"

namespace pericenter {
namespace {

constexpr std::size_t kBodies = 20'000;
const double kNoise = 3 / std::sqrt(static_cast<double>(kBodies));

TEST(Plummer, IsInEquilibriumInHenonUnits) {
  const Bodies bodies = test::make_scene("plummer", {.bodies = kBodies}).bodies;
  EXPECT_NEAR(test::virial_ratio(bodies, 0), 1, kNoise);
  double kinetic = 0;
  for (const Body& body : bodies) kinetic += 0.5 * body.mass * dot(body.velocity, body.velocity);
  EXPECT_NEAR(kinetic, 0.25, 0.25 * kNoise);
  EXPECT_NEAR(test::half_mass_radius(bodies, true), 1.3048 * 3 * std::numbers::pi / 16, kNoise);
}

TEST(Plummer, IsIsotropic) {
  Vec3 position2, velocity2, velocity;
  double radial2 = 0, square = 0;
  for (const Body& body : test::make_scene("plummer", {.bodies = kBodies}).bodies) {
    const Vec3 out = body.position * (1 / length(body.position));
    radial2 += std::pow(dot(body.velocity, out), 2);
    square += dot(body.velocity, body.velocity);
    velocity += body.velocity;
    for (int k = 0; k < 3; ++k) velocity2[k] += body.velocity[k] * body.velocity[k];
  }
  EXPECT_NEAR(radial2 / square, 1.0 / 3, kNoise);
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(velocity2[k] / square, 1.0 / 3, kNoise) << k;
  EXPECT_LT(length(velocity), 1e-9);
}

TEST(Plummer, FlatOneIsInEquilibriumToo) {
  const Bodies bodies = test::make_scene("plummer", {.bodies = kBodies, .dimension = 2}).bodies;
  EXPECT_NEAR(test::virial_ratio(bodies, 0.001), 1, 2 * kNoise);
}

TEST(Uniform, FillsACubeOrASquareAtRest) {
  for (const int dimension : {2, 3}) {
    Vec3 sum, squares;
    for (const Body& body : test::make_scene("uniform", {.bodies = kBodies, .dimension = dimension}).bodies) {
      EXPECT_EQ(body.velocity, Vec3{});
      sum += body.position;
      for (int k = 0; k < 3; ++k) {
        EXPECT_LT(std::abs(body.position[k]), 1);
        squares[k] += body.position[k] * body.position[k];
      }
    }
    for (int k = 0; k < dimension; ++k) {
      EXPECT_NEAR(sum[k] / kBodies, 0, kNoise);
      EXPECT_NEAR(squares[k] / kBodies, 1.0 / 3, kNoise);
    }
  }
}

TEST(TwoBody, IsAKeplerEllipse) {
  const Scene scene = test::make_scene("two-body", {.bodies = 2});
  ASSERT_EQ(scene.bodies.size(), 2u);
  EXPECT_EQ(scene.params.softening, 0);
  const Body &a = scene.bodies[0], &b = scene.bodies[1];
  const Vec3 x = b.position - a.position, v = b.velocity - a.velocity, spin = cross(x, v);
  const double mass = a.mass + b.mass, energy = 0.5 * dot(v, v) - mass / length(x);
  EXPECT_NEAR(mass, 1, 1e-15);
  EXPECT_NEAR(-mass / (2 * energy), 1, 1e-14) << "semi-major axis";
  EXPECT_NEAR(std::sqrt(1 + 2 * energy * dot(spin, spin)), 0.5, 1e-14) << "eccentricity";
  EXPECT_NEAR(length(a.position * a.mass + b.position * b.mass), 0, 1e-15);
  EXPECT_NEAR(length(a.velocity * a.mass + b.velocity * b.mass), 0, 1e-15);
}

}  // namespace
}  // namespace pericenter
