#include "sim/analysis/structure.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "sim/core/random.h"
#include "sim/core/simulation.h"
#include "sim/scenes/registry.h"
#include "tests/support/measure.h"

namespace pericenter {
namespace {

/// Bodies in a uniform ball; with `cusp` those at r move to r^3.
void add_ball(Bodies& bodies, std::size_t count, const Vec3& center, double radius, std::uint32_t tag,
              bool cusp = false) {
  Random random(5, bodies.size());
  while (count > 0) {
    const Vec3 x{2 * random.uniform() - 1, 2 * random.uniform() - 1, 2 * random.uniform() - 1};
    if (length(x) > 1) continue;
    bodies.push_back({center + x * (cusp ? dot(x, x) * radius : radius), {}, 1, tag});
    --count;
  }
}

constexpr std::uint32_t kFirst = make_tag(0, Component::disc), kSecond = make_tag(1, Component::disc);

TEST(Structure, NucleusStaysInTheGalaxyWithATail) {
  Bodies bodies;
  add_ball(bodies, 3000, {1, 2, 3}, 1, kFirst, true);
  for (int k = 0; k < 1500; ++k) bodies.push_back({{2 + 0.02 * k, 2, 3}, {}, 1, kFirst});
  add_ball(bodies, 3000, {20, 0, 0}, 1, kSecond, true);
  const StructureMeter meter(bodies);
  const auto nuclei = meter.nuclei(bodies);
  ASSERT_TRUE(nuclei[0] && nuclei[1]);
  EXPECT_LE(length(*nuclei[0] - Vec3{1, 2, 3}), 0.02) << "the centre of mass is 5.3 away";
  EXPECT_LE(length(*nuclei[1] - Vec3{20, 0, 0}), 0.02);
  EXPECT_NEAR(meter.separation(bodies), length(*nuclei[1] - *nuclei[0]), 1e-12);
}

TEST(Structure, NucleusMovesWithItsStarsAndNotWithTheTail) {
  Bodies bodies;
  add_ball(bodies, 3000, {1, 2, 3}, 1, kFirst, true);
  for (Body& body : bodies) {
    const Vec3 from = body.position - Vec3{1, 2, 3};
    body.velocity = Vec3{3, 2, 1} + Vec3{-from[1], from[0], 0} * 5;  // rotates
  }
  add_ball(bodies, 3000, {20, 0, 0}, 1, kSecond, true);
  bodies.push_back({{-20, 0, 0}, {7, 8, 9}, 1e6, kSecond});
  const StructureMeter meter(bodies);
  for (std::size_t k = 0; k < 3000; k += 3) {
    bodies[k].position = {3 + 0.01 * static_cast<double>(k), 2, 3};
    bodies[k].velocity = {50, 0, 0};
  }
  const std::vector<Nucleus> nuclei = meter.moving_nuclei(bodies);
  ASSERT_EQ(nuclei.size(), 2u);
  EXPECT_EQ(nuclei[0].galaxy, 0u);
  EXPECT_EQ(nuclei[0].position, *meter.nuclei(bodies)[0]);
  EXPECT_LE(length(nuclei[0].velocity - Vec3{3, 2, 1}), 0.1) << "the mean of all is (19, 1, 1)";
  EXPECT_EQ(nuclei[1].velocity, (Vec3{7, 8, 9})) << "one body has most of the mass";
}

TEST(Structure, NucleusIsFoundInAGalaxyThatIsTornApart) {
  Bodies bodies;
  add_ball(bodies, 6000, {1, 2, 3}, 1, kFirst, true);
  const StructureMeter meter(bodies);
  for (std::size_t k = 2400; k < bodies.size(); ++k) bodies[k].position = {static_cast<double>(k) / 60 - 38, 2, 3};
  EXPECT_LE(length(*meter.nuclei(bodies)[0] - Vec3{1, 2, 3}), 0.02) << "the centre of mass is 18 away";
}

TEST(Structure, NucleusIsThatOfTheStars) {
  Bodies bodies;
  add_ball(bodies, 500, {3, 0, 0}, 0.5, kFirst);
  add_ball(bodies, 5000, {-3, 0, 0}, 2, make_tag(0, Component::halo));
  EXPECT_LE(length(*StructureMeter(bodies).nuclei(bodies)[0] - Vec3{3, 0, 0}), 0.2);
}

TEST(Structure, LagrangeRadiiOfAUniformBall) {
  Bodies bodies;
  add_ball(bodies, 20'000, {4, 5, 6}, 2, kFirst);
  const StructureSample sample = StructureMeter(bodies).measure(bodies);
  EXPECT_TRUE(std::isnan(sample.separation)) << "one galaxy";
  EXPECT_NEAR(sample.galaxies[0].r10, 2 * std::cbrt(0.1), 0.1);
  EXPECT_NEAR(sample.galaxies[0].r50, 2 * std::cbrt(0.5), 0.05);
  EXPECT_NEAR(sample.galaxies[0].r90, 2 * std::cbrt(0.9), 0.15) << "it has no densest point";
  EXPECT_TRUE(std::isnan(sample.galaxies[1].r50));
}

// Half of the mass in 100 bodies at the centre: they must not be left out or counted for others.
TEST(Structure, SampleKeepsHeavyBodies) {
  Bodies bodies;
  add_ball(bodies, 60'000, {}, 10, kFirst);
  for (int k = 0; k < 100; ++k) bodies.push_back({{0.01 * k, 0, 0}, {}, 600, kFirst});
  add_ball(bodies, 60'000, {}, 10, kFirst);
  const LagrangeRadii radii = StructureMeter(bodies).measure(bodies).galaxies[0];
  // 60,000 of 180,000 are in the heavy bodies, and 30,000 more are needed.
  EXPECT_LE(radii.r10, 1);
  EXPECT_NEAR(radii.r50, 10 * std::cbrt(0.25), 0.1);
}

TEST(Structure, SampleAgreesWithAllBodies) {
  Bodies bodies;
  for (int k = 0; k < 8; ++k) add_ball(bodies, 50'000, {}, 1 << k, kFirst);
  std::vector<double> all;
  for (const Body& body : bodies) all.push_back(length(body.position));
  std::ranges::sort(all);
  const LagrangeRadii radii = StructureMeter(bodies).measure(bodies).galaxies[0];
  EXPECT_NEAR(radii.r10 / all[all.size() / 10], 1, 0.03);
  EXPECT_NEAR(radii.r50 / all[all.size() / 2], 1, 0.03);
  EXPECT_NEAR(radii.r90 / all[all.size() * 9 / 10], 1, 0.03);
}

TEST(Structure, PointMassWithTestParticlesIsItsNucleus) {
  const Bodies bodies = test::make_scene("toomre-direct", {.bodies = 500}).bodies;
  const StructureSample sample = StructureMeter(bodies).measure(bodies);
  EXPECT_NEAR(sample.separation, find_scene("toomre-direct")->encounter->orbit.separation, 1e-6);
  EXPECT_TRUE(std::isnan(sample.galaxies[0].r50)) << "one body has all the mass";
}

TEST(Structure, AsteroidsAreNoGalaxy) {
  const Bodies bodies = test::make_scene("solar-system", {.bodies = 500}).bodies;
  EXPECT_TRUE(std::isnan(StructureMeter(bodies).separation(bodies)));
}

TEST(Structure, IgnoresBodiesThatAreNotFinite) {
  Bodies bodies;
  add_ball(bodies, 1000, {1, 0, 0}, 1, kFirst, true);
  bodies[17].position[1] = std::numeric_limits<double>::quiet_NaN();
  const StructureMeter meter(bodies);
  EXPECT_LE(length(*meter.nuclei(bodies)[0] - Vec3{1, 0, 0}), 0.05);
  EXPECT_TRUE(std::isfinite(meter.measure(bodies).galaxies[0].r90));
  for (Body& body : bodies) body.position = Vec3{1, 1, 1} * std::numeric_limits<double>::infinity();
  EXPECT_FALSE(meter.nuclei(bodies)[0]);
  EXPECT_TRUE(std::isnan(meter.measure(bodies).galaxies[0].r50));
}

TEST(Structure, HandlesNoBodiesAndOne) {
  const Bodies none;
  EXPECT_TRUE(std::isnan(StructureMeter(none).measure(none).separation));
  const Bodies one = {{{1, 2, 3}, {}, 1, kFirst}};
  EXPECT_EQ(*StructureMeter(one).nuclei(one)[0], (Vec3{1, 2, 3}));
}

}  // namespace
}  // namespace pericenter
