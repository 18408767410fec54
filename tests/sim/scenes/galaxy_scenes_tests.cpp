#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "sim/core/simulation.h"
#include "sim/scenes/model/encounter.h"
#include "tests/support/measure.h"

namespace pericenter {
namespace {

double mass_within(const Bodies& bodies, double r) {
  double mass = 0;
  for (const Body& body : bodies) mass += length(body.position) < r ? body.mass : 0;
  return mass;
}

/// Distances of the bodies of a galaxy from its centre of mass.
std::vector<double> radii_of(const Bodies& bodies, std::uint32_t galaxy) {
  Bodies own;
  Vec3 center;
  double mass = 0;
  for (const Body& body : bodies) {
    if (galaxy_of(body.tag) != galaxy) continue;
    own.push_back(body);
    center += body.position * body.mass;
    mass += body.mass;
  }
  std::vector<double> radii;
  for (const Body& body : own) radii.push_back(length(body.position - center * (1 / mass)));
  return radii;
}

TEST(GalaxyScenes, TwinGalaxiesHaveDifferentBodies) {
  int twins = 0;
  for (const SceneInfo& info : scenes()) {
    if (!info.encounter) continue;
    // Fewer test particles are in rings, which are not random.
    const bool restricted = info.name.starts_with("toomre");
    const Bodies bodies = info.make({.bodies = restricted ? 30'000u : 4000u}).bodies;
    const std::vector<double> first = radii_of(bodies, 0), second = radii_of(bodies, 1);
    if (first.size() != second.size()) continue;
    ++twins;
    std::size_t equal = 0;
    for (std::size_t i = 0; i < first.size(); ++i) equal += std::abs(first[i] - second[i]) < 1e-6 * first[i] ? 1 : 0;
    EXPECT_LT(equal, first.size() / 100) << info.name;
  }
  EXPECT_GE(twins, 3);
}

TEST(GalaxyScenes, StartInVirialEquilibrium) {
  for (const int dimension : {2, 3}) {
    for (const char* name : {"hernquist", "nfw", "unstable-disc", "bar"}) {
      const Scene scene = test::make_scene(name, {.bodies = 5000, .dimension = dimension});
      // The epicyclic approximation is less accurate in a disc without a halo.
      EXPECT_NEAR(test::virial_ratio(scene.bodies, scene.params.softening), 1, name == std::string("bar") ? 0.05 : 0.03)
          << name << ", dimension " << dimension;
    }
  }
}

TEST(GalaxyScenes, HernquistMassProfile) {
  const Bodies bodies = test::make_scene("hernquist", {.bodies = 20'000}).bodies;
  for (const double r : {0.3, 1.0, 3.0, 7.0}) {
    EXPECT_NEAR(mass_within(bodies, r) / (r * r / (1 + r) / (1 + r)), 1, 0.015) << r;
  }
}

TEST(GalaxyScenes, NfwMassProfile) {
  const Bodies bodies = test::make_scene("nfw", {.bodies = 20'000}).bodies;
  const auto profile = [](double r) { return std::log1p(r) - r / (1 + r); };
  for (const double r : {0.3, 1.0, 3.0, 6.0}) {
    EXPECT_NEAR(mass_within(bodies, r) / (profile(r) / profile(10)), 1, 0.015) << r;
  }
}

TEST(GalaxyScenes, SpheresStayInEquilibrium) {
  for (const char* name : {"hernquist", "nfw"}) {
    const Scene scene = test::make_scene(name, {.bodies = 2000});
    Params params = scene.params;
    params.dt = 0.1;
    const auto simulation = Simulation::create({}, scene.bodies);
    while (simulation->time() < 5) simulation->step(params);
    EXPECT_NEAR(test::half_mass_radius(simulation->bodies(), true) / test::half_mass_radius(scene.bodies, true), 1,
                0.04)
        << name;
  }
}

struct Galaxies {
  Bodies bodies[2];
  double mass[2] = {};
  Vec3 position[2], velocity[2];  ///< of the centres of mass
};

Galaxies galaxies_of(const Bodies& bodies) {
  Galaxies result;
  for (const Body& body : bodies) {
    const std::uint32_t index = galaxy_of(body.tag);
    result.bodies[index].push_back(body);
    result.mass[index] += body.mass;
    result.position[index] += body.position * body.mass;
    result.velocity[index] += body.velocity * body.mass;
  }
  for (int k = 0; k < 2; ++k) {
    result.position[k] *= 1 / result.mass[k];
    result.velocity[k] *= 1 / result.mass[k];
  }
  return result;
}

class EncounterRow : public testing::TestWithParam<std::string> {};

TEST_P(EncounterRow, MatchesItsEncounter) {
  const SceneInfo& info = *find_scene(GetParam());
  const Galaxies pair = galaxies_of(info.make({.bodies = 4000}).bodies);
  EXPECT_NEAR(pair.mass[1] / pair.mass[0], info.encounter->mass_ratio, 1e-9);
  EXPECT_NEAR(length(pair.position[1] - pair.position[0]), info.encounter->orbit.separation, 1e-9);
  EXPECT_LT(length(pair.position[0] * pair.mass[0] + pair.position[1] * pair.mass[1]), 1e-9);
  EXPECT_LT(length(pair.velocity[0] * pair.mass[0] + pair.velocity[1] * pair.mass[1]), 1e-9);
}

TEST_P(EncounterRow, UsesRequestedEncounter) {
  const Encounter wanted = {.orbit = {.pericenter = 3, .eccentricity = 1.2, .separation = 22},
                            .first = {50, 20},
                            .second = {140, -70},
                            .mass_ratio = 0.25};
  const Galaxies pair = galaxies_of(test::make_scene(GetParam(), {.bodies = 4000, .encounter = wanted}).bodies);
  EXPECT_NEAR(pair.mass[1] / pair.mass[0], 0.25, 1e-9);
  EXPECT_NEAR(length(pair.position[1] - pair.position[0]), 22, 1e-9);
  for (int k = 0; k < 2; ++k) {
    Vec3 spin;
    for (const Body& body : pair.bodies[k]) {
      if (component_of(body.tag) == Component::disc)
        spin += cross(body.position - pair.position[k], body.velocity - pair.velocity[k]);
    }
    if (length(spin) == 0) continue;  // a sphere
    EXPECT_GT(dot(spin * (1 / length(spin)), spin_axis(k == 0 ? wanted.first : wanted.second, k == 1)), 0.999) << k;
  }
}

std::vector<std::string> encounter_names() {
  std::vector<std::string> names;
  for (const SceneInfo& info : scenes()) {
    if (info.encounter != nullptr && info.group == SceneGroup::encounters) names.emplace_back(info.name);
  }
  return names;
}

INSTANTIATE_TEST_SUITE_P(Scenes, EncounterRow, testing::ValuesIn(encounter_names()), [](const auto& param) {
  std::string name = param.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST(Pair, LighterGalaxyIsSmallerWithEqualBodyMasses) {
  Encounter wanted = *find_scene("collision")->encounter;
  wanted.first = wanted.second = {};
  wanted.mass_ratio = 0.25;
  const Bodies bodies = test::make_scene("collision", {.bodies = 20'000, .encounter = wanted}).bodies;
  for (const Component component : {Component::disc, Component::bulge, Component::halo}) {
    Bodies parts[2] = {test::part_of(bodies, {0, component}), test::part_of(bodies, {1, component})};
    EXPECT_NEAR(parts[1][0].mass / parts[0][0].mass, 1, 0.01);
    for (Bodies& part : parts) shift(part, -test::mean_position(part), {});
    EXPECT_NEAR(test::half_mass_radius(parts[1], true) / test::half_mass_radius(parts[0], true), 0.5, 0.015);
  }
}

TEST(Pair, TwoBodiesHaveTheWholeMass) {
  double mass = 0;
  for (const Body& body : test::make_scene("minor-merger", {.bodies = 2}).bodies) mass += body.mass;
  double whole = 0;
  for (const Body& body : test::make_scene("minor-merger", {.bodies = 2000}).bodies) whole += body.mass;
  EXPECT_NEAR(mass / whole, 1, 1e-12);
}

TEST(Pair, RefusesInvalidMassRatio) {
  Encounter wanted = *find_scene("collision")->encounter;
  for (const double ratio : {0.0, -1.0, std::nan(""), HUGE_VAL}) {
    wanted.mass_ratio = ratio;
    EXPECT_THROW(test::make_scene("collision", {.bodies = 10, .encounter = wanted}), std::invalid_argument) << ratio;
  }
}

// Galaxies of one body each are points that follow the conic exactly.
TEST(Pair, PointsPassTheirPericenter) {
  for (const double eccentricity : {0.7, 1.0, 1.5}) {
    const Encounter wanted = {.orbit = {.pericenter = 4, .eccentricity = eccentricity, .separation = 20},
                              .first = {},
                              .second = {},
                              .mass_ratio = 0.3};
    const auto bodies = test::make_scene("collision", {.bodies = 2, .softening = 0.01, .encounter = wanted}).bodies;
    const auto simulation = Simulation::create({.solver = "direct", .precision = Precision::float64}, bodies);
    double closest = 1e9;
    while (simulation->time() < 40) {
      simulation->step({.dt = 0.02, .softening = 0.01});
      const Bodies now = simulation->bodies();
      closest = std::min(closest, length(now[1].position - now[0].position));
    }
    EXPECT_NEAR(closest, 4, 0.01) << eccentricity;
  }
}

// Stars that leave the first disc, for prograde and retrograde rotation.
TEST(Pair, RetrogradeCollisionEjectsLess) {
  double ejected[2] = {};
  for (const int k : {0, 1}) {
    const Scene scene = test::make_scene(k == 0 ? "collision" : "retrograde", {.bodies = 8000});
    Params params = scene.params;
    params.dt = 0.2;
    const auto simulation = Simulation::create({}, scene.bodies);
    while (simulation->time() < 28) simulation->step(params);
    const Bodies bodies = simulation->bodies();
    const Vec3 middle = test::mean_position(test::part_of(bodies, {0, Component::bulge}));
    for (const Body& body : test::part_of(bodies, {0, Component::disc}))
      ejected[k] += length(body.position - middle) > 6.5 ? 1 : 0;
  }
  EXPECT_GT(ejected[0], 5 * ejected[1]);
}

}  // namespace
}  // namespace pericenter
