#include "sim/scenes/model/galaxy.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <numbers>
#include <vector>

#include "sim/scenes/model/procedural_source.h"
#include "tests/support/measure.h"

namespace pericenter {
namespace {

constexpr std::size_t kGalaxyBodies = 16'000;

TEST(Galaxy, IsInVirialEquilibrium) {
  for (const int dimension : {2, 3}) {
    for (const double softening : {0.02, 0.05, 0.1}) {
      const SceneRequest request = {.bodies = kGalaxyBodies, .dimension = dimension, .softening = softening};
      EXPECT_NEAR(test::virial_ratio(test::make_scene("galaxy", request).bodies, softening), 1, 0.02)
          << "softening " << softening << ", dimension " << dimension;
    }
  }
}

TEST(Galaxy, HasExactlyZeroMomentumAndCenter) {
  for (const std::size_t count : {1001u, 16'000u}) {
    Vec3 momentum, center;
    for (const Body& body : test::make_scene("galaxy", {.bodies = count}).bodies) {
      momentum += body.velocity * body.mass;
      center += body.position * body.mass;
    }
    EXPECT_EQ(momentum, Vec3{});
    EXPECT_EQ(center, Vec3{});
  }
}

// Circular speed 190 km/s at the Sun's radius, and measured dispersions between R = 2 and 3.
TEST(Galaxy, DiscKinematicsMatchReference) {
  const Scene scene = test::make_scene("galaxy", {.bodies = 100'000, .softening = 0.05});
  const auto ring = test::ring_moments(test::part_of(scene.bodies, {0, Component::disc}), 2, 3);
  EXPECT_NEAR(ring.sigma_radial, 0.154, 0.008);
  EXPECT_NEAR(ring.sigma_azimuthal, 0.113, 0.006);
  EXPECT_NEAR(ring.sigma_vertical, 0.091, 0.006);
  EXPECT_NEAR(ring.mean_azimuthal, 0.700, 0.015);
  EXPECT_NEAR(ring.z_rms, 0.1814, 0.005);
  EXPECT_NEAR(Galaxy({}, 0.05, 3).disc().circular_speed(2.43) * scene.units.velocity_kms, 190, 3);
}

TEST(Galaxy, DiscIsExponential) {
  const Bodies disc = test::part_of(test::make_scene("galaxy", {.bodies = 20'000}).bodies, {0, Component::disc});
  EXPECT_NEAR(test::half_mass_radius(disc), 1.678, 0.01);
  for (const Body& body : disc) {
    EXPECT_LE(std::hypot(body.position[0], body.position[1]), 12.0);
    const double error = dust_of(body.tag) > 0 ? 0.05 : 0.02;  // its lowest bit may be that of the dust
    EXPECT_NEAR(birth_radius_of(body.tag), std::min(length(body.position), kTagRadiusRange), error);
  }
}

/// Variance over the mean of the numbers of bodies in sectors of rings of a disc: 1 for independent random places.
double noise_of_counts(const Bodies& disc) {
  constexpr int kSectors = 12;
  constexpr double kEdges[] = {0.5, 1, 1.5, 2, 2.5, 3};
  double sum = 0;
  for (std::size_t ring = 0; ring + 1 < std::size(kEdges); ++ring) {
    std::vector<int> counts(kSectors);
    int all = 0;
    for (const Body& body : disc) {
      const double x = body.position[0], y = body.position[1], r = std::hypot(x, y);
      if (r < kEdges[ring] || r >= kEdges[ring + 1]) continue;
      ++counts[static_cast<int>(kSectors * (std::atan2(y, x) / (2 * std::numbers::pi) + 1)) % kSectors];
      ++all;
    }
    const double mean = static_cast<double>(all) / kSectors;
    for (const int count : counts) sum += (count - mean) * (count - mean) / mean;
  }
  return sum / (kSectors * (std::size(kEdges) - 1.0));
}

Bodies disc_of(const Galaxy& galaxy, std::uint64_t seed) {
  const GalaxySampler sampler = galaxy.sampler(20'000, seed, 0);
  Bodies bodies;
  for (std::size_t i = 0; i < sampler.bodies; ++i) bodies.push_back(sampler.body(i));
  return test::part_of(bodies, {0, Component::disc});
}

TEST(Galaxy, BodiesAreSpreadEvenly) {
  const Galaxy even({}, 0.05, 3), random({.even = false}, 0.05, 3);
  for (const std::uint64_t seed : {1u, 2u, 3u}) {
    EXPECT_LT(noise_of_counts(disc_of(even, seed)), 0.1) << seed;
    EXPECT_GT(noise_of_counts(disc_of(random, seed)), 0.3) << seed;
  }
}

// A window draws one body in several of very many.
TEST(Galaxy, EverySecondBodyIsASample) {
  Bodies seconds;
  const Bodies disc = disc_of(Galaxy({}, 0.05, 3), 1);
  for (std::size_t i = 1; i < disc.size(); i += 2) seconds.push_back(disc[i]);
  const Vec3 mean = test::mean_position(seconds);
  EXPECT_LT(std::hypot(mean[0], mean[1]), 0.1);
}

TEST(Galaxy, HaloBodiesAreLightEnough) {
  const Galaxy galaxy({}, 0.05, 3);
  for (const std::size_t count : {100u, 1001u, 12'345u, 1'000'000u}) {
    const GalaxyShares shares = galaxy.shares(count);
    EXPECT_EQ(shares.disc + shares.bulge + shares.halo, count);
    EXPECT_LE(shares.halo_body, 10.0001 * shares.disc_body) << count;
    EXPECT_GE(static_cast<double>(shares.disc), 0.3 * static_cast<double>(count)) << count;
  }
}

void expect_whole_mass(const Galaxy& galaxy) {
  EXPECT_EQ(galaxy.shares(0).disc + galaxy.shares(0).bulge + galaxy.shares(0).halo, 0u);
  for (std::size_t count = 1; count <= 50; ++count) {
    const GalaxyShares shares = galaxy.shares(count);
    EXPECT_EQ(shares.disc + shares.bulge + shares.halo, count);
    EXPECT_NEAR(static_cast<double>(shares.disc) * shares.disc_body +
                    static_cast<double>(shares.bulge) * shares.bulge_body +
                    static_cast<double>(shares.halo) * shares.halo_body,
                galaxy.mass(), 1e-12)
        << count;
  }
}

TEST(Galaxy, KeepsItsMassWithFewBodies) {
  expect_whole_mass(Galaxy({}, 0.05, 3));
}

TEST(Galaxy, ComponentsAreOptional) {
  const SphereModel none = {.mass = 0};
  for (const GalaxyModel& model :
       {GalaxyModel{.bulge = none, .halo = none}, GalaxyModel{.bulge = none}, GalaxyModel{.disc = {.mass = 0}},
        lone_sphere({0.1, 1, 20}), GalaxyModel{.disc = {.mass = 0}, .bulge = none}}) {
    const Galaxy galaxy(model, 0.05, 3, {0.5, 2});
    EXPECT_NEAR(galaxy.mass(), 0.5 * mass_of(model), 1e-12);
    expect_whole_mass(galaxy);
    for (const std::size_t count : {50u, 51u}) {
      EXPECT_EQ(galaxy.shares(count).disc > 0, model.disc.mass > 0);
      EXPECT_EQ(galaxy.shares(count).bulge > 0, model.bulge.mass > 0);
      EXPECT_EQ(galaxy.shares(count).halo > 0, model.halo.mass > 0);
    }
  }
}

Bodies bodies_of(const Galaxy& galaxy, std::size_t count) {
  return ProceduralSource({{std::make_shared<const Galaxy>(galaxy), galaxy.sampler(count, 1, 0)}}).make({});
}

TEST(Galaxy, ResizingScalesAllBodies) {
  const Bodies large = bodies_of(Galaxy({}, 0.1, 3), 1000), small = bodies_of(Galaxy({}, 0.05, 3, {0.125, 0.5}), 1000);
  for (std::size_t i = 0; i < large.size(); ++i) {
    EXPECT_EQ(small[i].position, large[i].position * 0.5);
    EXPECT_EQ(small[i].velocity, large[i].velocity * 0.5);
    EXPECT_EQ(small[i].mass, large[i].mass * 0.125);
    EXPECT_EQ(small[i].tag, large[i].tag);
  }
}

TEST(Galaxy, ResizedIsInVirialEquilibrium) {
  EXPECT_NEAR(test::virial_ratio(bodies_of(Galaxy({}, 0.1, 3, {0.3, std::sqrt(0.3)}), 8000), 0.1), 1, 0.02);
}

}  // namespace
}  // namespace pericenter
