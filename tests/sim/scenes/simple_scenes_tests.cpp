#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <set>
#include <span>

#include "sim/core/simulation.h"
#include "tests/support/measure.h"

namespace pericenter {
namespace {

constexpr std::size_t kSampleBodies = 20'000;
const double kNoise = 3 / std::sqrt(static_cast<double>(kSampleBodies));

TEST(Plummer, IsInEquilibriumInHenonUnits) {
  const Bodies bodies = test::make_scene("plummer", {.bodies = kSampleBodies}).bodies;
  EXPECT_NEAR(test::virial_ratio(bodies, 0), 1, kNoise);
  double kinetic = 0;
  for (const Body& body : bodies) kinetic += 0.5 * body.mass * dot(body.velocity, body.velocity);
  EXPECT_NEAR(kinetic, 0.25, 0.25 * kNoise);
  EXPECT_NEAR(test::half_mass_radius(bodies, true), 1.3048 * 3 * std::numbers::pi / 16, kNoise);
}

TEST(Plummer, IsIsotropic) {
  Vec3 position2, velocity2, velocity;
  double radial2 = 0, square = 0;
  for (const Body& body : test::make_scene("plummer", {.bodies = kSampleBodies}).bodies) {
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

TEST(Plummer, IsInEquilibriumIn2D) {
  const Bodies bodies = test::make_scene("plummer", {.bodies = kSampleBodies, .dimension = 2}).bodies;
  EXPECT_NEAR(test::virial_ratio(bodies, 0.001), 1, 2 * kNoise);
}

TEST(Uniform, FillsACubeOrSquareAtRest) {
  for (const int dimension : {2, 3}) {
    Vec3 sum, squares;
    for (const Body& body : test::make_scene("uniform", {.bodies = kSampleBodies, .dimension = dimension}).bodies) {
      EXPECT_EQ(body.velocity, Vec3{});
      sum += body.position;
      for (int k = 0; k < 3; ++k) {
        EXPECT_LT(std::abs(body.position[k]), 1);
        squares[k] += body.position[k] * body.position[k];
      }
    }
    for (int k = 0; k < dimension; ++k) {
      EXPECT_NEAR(sum[k] / kSampleBodies, 0, kNoise);
      EXPECT_NEAR(squares[k] / kSampleBodies, 1.0 / 3, kNoise);
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

TEST(FigureEight, ReturnsAfterItsPeriod) {
  const Scene scene = test::make_scene("figure-eight", {.bodies = 3});
  EXPECT_EQ(scene.params.softening, 0);
  constexpr double kPeriod = 6.32591398;
  constexpr int kSteps = 30'000;
  const auto simulation = Simulation::create({.solver = "direct", .precision = Precision::float64}, scene.bodies);
  Params params = scene.params;
  params.dt = kPeriod / kSteps;
  for (int step = 0; step < kSteps / 3; ++step) simulation->step(params);
  // After a third of the period each body is at the start of the next one.
  for (std::size_t k = 0; k < 3; ++k)
    EXPECT_LT(length(simulation->bodies()[k].position - scene.bodies[(k + 2) % 3].position), 1e-6) << k;
  for (int step = kSteps / 3; step < kSteps; ++step) simulation->step(params);
  for (std::size_t k = 0; k < 3; ++k)
    EXPECT_LT(length(simulation->bodies()[k].position - scene.bodies[k].position), 1e-6) << k;
}

TEST(ColdCollapse, StartsAsUniformBall) {
  constexpr std::size_t kFew = 5000;
  const Bodies bodies = test::make_scene("cold-collapse", {.bodies = kFew}).bodies;
  EXPECT_NEAR(test::virial_ratio(bodies, 0), 0.1, 0.1 * 2 * kNoise);
  EXPECT_NEAR(test::half_mass_radius(bodies, true), std::cbrt(0.5), 2 * kNoise);
  const Bodies flat = test::make_scene("cold-collapse", {.bodies = kFew, .dimension = 2}).bodies;
  EXPECT_NEAR(test::virial_ratio(flat, 0.001), 0.1, 0.2 * 2 * kNoise);
}

TEST(ColdCollapse, FormsCoreAndHalo) {
  const Scene scene = test::make_scene("cold-collapse", {.bodies = 600});
  const auto simulation = Simulation::create({}, scene.bodies);
  Params params = scene.params;
  params.dt = 0.01;
  double smallest = 1;
  while (simulation->time() < 4) {
    simulation->step(params);
    if (simulation->time() < 1.5) smallest = std::min(smallest, test::half_mass_radius(simulation->bodies(), true));
  }
  const Bodies after = simulation->bodies();
  EXPECT_LT(smallest, 0.3) << "of 0.79";
  EXPECT_LT(test::half_mass_radius(after, true), 0.6);
  EXPECT_GT(std::ranges::count_if(after, [](const Body& body) { return length(body.position) > 2; }), 30);
}

TEST(Lattice, IsCompleteForACubeOrASquare) {
  for (const int dimension : {2, 3}) {
    const std::size_t side = dimension == 2 ? 30 : 10, count = dimension == 2 ? 900 : 1000;
    const Bodies bodies = test::make_scene("lattice", {.bodies = count, .dimension = dimension}).bodies;
    std::set<std::array<long, 3>> sites;
    for (const Body& body : bodies) {
      std::array<long, 3> site{};
      for (int k = 0; k < dimension; ++k) {
        const double at = (body.position[k] + 1) / 2 * static_cast<double>(side) - 0.5;
        site[static_cast<std::size_t>(k)] = std::lround(at);
        EXPECT_NEAR(at, std::round(at), 1e-12);
        EXPECT_TRUE(at > -0.1 && at < static_cast<double>(side) - 0.9);
      }
      EXPECT_TRUE(sites.insert(site).second) << "a site is used twice";
    }
  }
}

TEST(Lattice, SitesAreUnique) {
  for (std::size_t count = 2; count < 400; count += 3) {
    std::set<std::array<double, 3>> places;
    for (const Body& body : test::make_scene("lattice", {.bodies = count}).bodies)
      EXPECT_TRUE(places.insert({body.position[0], body.position[1], body.position[2]}).second) << count;
  }
}

TEST(RandomMasses, SpanTwoDecadesInASquare) {
  double sum = 0, lightest = 1, heaviest = 0;
  for (const Body& body : test::make_scene("random-masses", {.bodies = kSampleBodies}).bodies) {
    EXPECT_EQ(body.position[2], 0);
    sum += body.mass;
    lightest = std::min(lightest, body.mass);
    heaviest = std::max(heaviest, body.mass);
  }
  EXPECT_NEAR(sum, 1, 2 * kNoise);
  EXPECT_NEAR(heaviest / lightest, 100, 1);
}

TEST(Holmberg, HasTwoCorotatingGalaxiesOf37Lamps) {
  const Scene scene = test::make_scene("holmberg", {});
  ASSERT_EQ(scene.bodies.size(), 74u);
  for (const std::size_t first : {0u, 37u}) {
    const std::span galaxy = std::span(scene.bodies).subspan(first, 37);
    double mass = 0;
    for (const Body& lamp : galaxy) {
      mass += lamp.mass;
      const Vec3 x = lamp.position - galaxy[0].position, v = lamp.velocity - galaxy[0].velocity;
      EXPECT_GE(cross(x, v)[2], 0);
      // Without the other galaxy, gravity keeps the lamps approximately on circles.
      const Vec3 pull = test::acceleration_at(lamp.position, {galaxy.begin(), galaxy.end()}, scene.params.softening);
      if (length(x) > 0.5) {
        EXPECT_NEAR(-dot(pull, x) / dot(v, v), 1, 0.3);
      }
    }
    EXPECT_NEAR(mass, 25.6, 1e-12);
  }
}

}  // namespace
}  // namespace pericenter
