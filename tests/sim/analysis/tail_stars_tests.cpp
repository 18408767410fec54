#include "sim/analysis/tail_stars.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "sim/analysis/structure.h"
#include "sim/core/simulation.h"
#include "tests/support/measure.h"

namespace pericenter {
namespace {

constexpr double kUnit = 2;  ///< scale length of the discs

/// A uniform disc of stars with birth radii up to 5 scale lengths.
void add_disc(Bodies& bodies, const Vec3& center, std::uint32_t galaxy, int stars) {
  for (int k = 0; k < stars; ++k) {
    const double born = 5 * std::sqrt((k + 0.5) / stars), angle = 2.4 * k;
    bodies.push_back({center + Vec3{std::cos(angle), std::sin(angle), 0} * (born * kUnit),
                      {},
                      1,
                      make_tag(galaxy, Component::disc, born)});
  }
}

struct TwoDiscs {
  Bodies bodies;
  TailStars::Nuclei nuclei = {Vec3{}, Vec3{60, 0, 0}};
  explicit TwoDiscs(int first_stars = 1000) {
    add_disc(bodies, *nuclei[0], 0, first_stars);
    add_disc(bodies, *nuclei[1], 1, 1000);
  }
  TailStars meter() const { return {bodies, {0, 1}, nuclei}; }
};

TEST(TailStars, UndisturbedDiscsHaveNone) {
  const TwoDiscs discs;
  EXPECT_EQ(discs.meter().fraction(discs.bodies, discs.nuclei), 0);
  EXPECT_NEAR(discs.meter().disc_radius(), 5 * std::sqrt(0.95) * kUnit, 0.1);
}

TEST(TailStars, AreThoseThatWerePulledOut) {
  TwoDiscs discs;
  const TailStars meter = discs.meter();
  for (int k = 100; k < 200; ++k) discs.bodies[k].position = {0, 12.0 + 0.1 * k, 0};
  EXPECT_DOUBLE_EQ(meter.fraction(discs.bodies, discs.nuclei), 0.05);
  const auto stars = stars_in_tails(discs.bodies, *meter.criterion(discs.nuclei));
  ASSERT_EQ(stars.size(), 100u);
  EXPECT_EQ(stars.front(), 100u);
  EXPECT_EQ(stars.back(), 199u);
}

TEST(TailStars, StarsInTheOtherGalaxyAreInNoTail) {
  TwoDiscs discs;
  const TailStars meter = discs.meter();
  for (int k = 100; k < 200; ++k) discs.bodies[k].position = {60, 0.04 * k, 0};
  EXPECT_EQ(meter.fraction(discs.bodies, discs.nuclei), 0);
}

TEST(TailStars, StarsThatWereBornFarOutAreInNoTail) {
  TwoDiscs discs;
  const TailStars meter = discs.meter();
  for (int k = 900; k < 1000; ++k) discs.bodies[k].position *= 1.5;
  EXPECT_EQ(meter.fraction(discs.bodies, discs.nuclei), 0);
}

// A run that was saved when its tails existed.
TEST(TailStars, AreKnownWithoutTheStart) {
  TwoDiscs discs;
  for (int k = 100; k < 200; ++k) discs.bodies[k].position = {0, 12.0 + 0.1 * k, 0};
  EXPECT_DOUBLE_EQ(discs.meter().fraction(discs.bodies, discs.nuclei), 0.05);
}

TEST(TailStars, AreUnknownWithoutBirthRadii) {
  TwoDiscs discs;
  for (Body& body : discs.bodies) body.tag = make_tag(galaxy_of(body.tag), Component::disc);
  EXPECT_TRUE(std::isnan(discs.meter().fraction(discs.bodies, discs.nuclei)));
  EXPECT_FALSE(discs.meter().criterion(discs.nuclei));
}

TEST(TailStars, TestParticlesCountByNumber) {
  TwoDiscs discs;
  for (Body& body : discs.bodies) body.mass = 0;
  const TailStars meter = discs.meter();
  for (int k = 0; k < 500; ++k) discs.bodies[k].position = {0, 50, 0};
  EXPECT_NEAR(meter.fraction(discs.bodies, discs.nuclei), 0.25, 0.01);
}

// Of the first disc, every third star is sampled, of the second all are.
TEST(TailStars, OfALargeDiscCountForThoseThatAreNotSampled) {
  for (const double mass : {1.0, 0.0}) {
    TwoDiscs discs(60'000);
    for (Body& body : discs.bodies) body.mass = mass;
    const TailStars meter = discs.meter();
    for (int k = 60'100; k < 60'200; ++k) discs.bodies[k].position = {60, 25, 0};
    EXPECT_NEAR(meter.fraction(discs.bodies, discs.nuclei), 100.0 / 61'000, 1e-6) << "of the small disc, mass " << mass;
    for (int k = 1000; k < 7000; ++k) discs.bodies[k].position = {0, 25, 0};
    EXPECT_NEAR(meter.fraction(discs.bodies, discs.nuclei), 6100.0 / 61'000, 1e-5) << "mass " << mass;
    EXPECT_EQ(stars_in_tails(discs.bodies, *meter.criterion(discs.nuclei)).size(), 6100u);
  }
}

TEST(TailStars, OneGalaxyHasNone) {
  const Bodies bodies = test::make_scene("galaxy", {.bodies = 2000}).bodies;
  const StructureMeter meter(bodies);
  EXPECT_TRUE(std::isnan(meter.measure(bodies).tail_fraction));
  EXPECT_FALSE(meter.tail_criterion(bodies));
}

/// Share in tails at a time of a scene, with a long step.
double fraction_at(const char* name, double time) {
  const Scene scene = test::make_scene(name, {.bodies = 4000});
  const auto simulation = Simulation::create({.solver = "octree"}, scene.bodies);
  const StructureMeter meter(scene.bodies);
  Params params = scene.params;
  params.dt = 0.06;
  while (simulation->time() < time) simulation->step(params);
  return meter.measure_encounter(simulation->bodies()).tail_fraction;
}

// With 20,000 bodies 5.8 % and 0.1 %.
TEST(TailStars, RetrogradeDiscsHaveFarFewer) {
  const double direct = fraction_at("collision", 28.3), retrograde = fraction_at("retrograde", 28.3);
  EXPECT_GT(direct, 0.03);
  EXPECT_LT(retrograde, 0.5 * direct);
}

}  // namespace
}  // namespace pericenter
