#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "sim/core/simulation.h"
#include "sim/scenes/model/kepler.h"
#include "tests/support/measure.h"

namespace pericenter {
namespace {

const std::string kNames[] = {"toomre-antennae", "toomre-mice",       "toomre-m51",
                              "toomre-direct",   "toomre-retrograde", "toomre-ring"};

/// The bodies at the highlight time.
Bodies shown(const Scene& scene, double dt) {
  Params params = scene.params;
  params.dt = dt;
  const auto simulation = Simulation::create({}, scene.bodies);
  while (simulation->time() < scene.highlight_time) simulation->step(params);
  return simulation->bodies();
}

/// Fraction of the bodies of one disc that are farther than `radius` from both masses.
double stripped_fraction(const Bodies& bodies, std::uint32_t index, double radius) {
  std::size_t count = 0, far = 0;
  for (const Body& body : bodies) {
    if (body.mass > 0 || galaxy_of(body.tag) != index) continue;
    ++count;
    const double nearest =
        std::min(length(body.position - bodies[0].position), length(body.position - bodies[1].position));
    far += nearest > radius;
  }
  return static_cast<double>(far) / static_cast<double>(count);
}

TEST(Restricted, StartsWithTwoMassesOnTheirOrbit) {
  for (const std::string& name : kNames) {
    const Scene scene = test::make_scene(name, {.bodies = 500});
    const Body &a = scene.bodies[0], &b = scene.bodies[1];
    const Encounter& encounter = *find_scene(name)->encounter;
    EXPECT_EQ(a.mass, 1) << name;
    EXPECT_EQ(b.mass, encounter.mass_ratio) << name;
    for (std::size_t i = 2; i < 500; ++i) ASSERT_EQ(scene.bodies[i].mass, 0) << name;
    const Vec3 x = b.position - a.position, v = b.velocity - a.velocity, spin = cross(x, v);
    const double mu = a.mass + b.mass, e = encounter.orbit.eccentricity;
    EXPECT_NEAR(length(cross(v, spin) * (1 / mu) - x * (1 / length(x))), e, 1e-12) << name;
    EXPECT_NEAR(dot(spin, spin) / mu / (1 + e), encounter.orbit.pericenter, 1e-12) << name;
    EXPECT_LT(length(a.position * a.mass + b.position * b.mass), 1e-12) << name;
  }
}

TEST(Restricted, ScenesNameTheirPointMasses) {
  std::size_t named = 0;
  for (const SceneInfo& info : scenes()) {
    if (info.point_masses == 0) continue;
    ++named;
    const Scene scene = test::make_scene(std::string(info.name), {.bodies = 100});
    for (std::size_t i = 0; i < scene.bodies.size(); ++i)
      EXPECT_EQ(scene.bodies[i].mass > (info.others_have_mass ? 1e-8 : 0), i < info.point_masses)
          << info.name << ", body " << i;
  }
  EXPECT_EQ(named, std::size(kNames) + 2) << "and the two of the solar system";
}

TEST(Restricted, DiscsRotateOnCircles) {
  const Scene scene = test::make_scene("toomre-mice", {.bodies = 400, .softening = 0.01});
  for (std::size_t i = 2; i < scene.bodies.size(); ++i) {
    const std::uint32_t index = galaxy_of(scene.bodies[i].tag);
    const Vec3 x = scene.bodies[i].position - scene.bodies[index].position;
    const Vec3 v = scene.bodies[i].velocity - scene.bodies[index].velocity, spin = cross(x, v);
    const Encounter& mice = *find_scene("toomre-mice")->encounter;
    const Vec3 axis = spin_axis(index == 0 ? mice.first : mice.second, index == 1);
    EXPECT_NEAR(dot(x, v), 0, 1e-12);
    EXPECT_NEAR(dot(spin, axis), length(spin), 1e-12);
    EXPECT_NEAR(dot(v, v) * length(x), 1, 0.02);
    EXPECT_TRUE(length(x) > 0.13 && length(x) < 0.71) << length(x);
  }
}

TEST(Restricted, DiscsStayCircularWhileTheCompanionIsFar) {
  Encounter far = *find_scene("toomre-direct")->encounter;
  far.orbit.separation = 30;
  Scene scene = test::make_scene("toomre-direct", {.bodies = 300, .encounter = far});
  const auto simulation = Simulation::create({.precision = Precision::float64}, scene.bodies);
  const auto radius = [](const Bodies& bodies, std::size_t i) {
    return length(bodies[i].position - bodies[0].position);
  };
  while (simulation->time() < 3) simulation->step({.dt = 0.005, .softening = scene.params.softening});  // 1 to 10 turns
  const Bodies after = simulation->bodies();
  for (std::size_t i = 2; i < after.size(); ++i) EXPECT_NEAR(radius(after, i) / radius(scene.bodies, i), 1, 0.01) << i;
}

// For any tree: a cell that contains one mass acts as that mass.
TEST(Restricted, TestParticlesExertNoForce) {
  const Scene scene = test::make_scene("toomre-antennae", {.bodies = 3000});
  const auto got = Simulation::create({.precision = Precision::float64}, scene.bodies)
                       ->accelerations({.theta = 0.7, .softening = scene.params.softening});
  for (std::size_t i = 0; i < got.size(); i += 7) {
    const Vec3 wanted = test::acceleration_at(scene.bodies[i].position, scene.bodies, scene.params.softening);
    ASSERT_LT(length(got[i] - wanted), 1e-6 * length(wanted)) << i;
  }
}

TEST(Restricted, AntennaeAndMiceFormTails) {
  for (const char* const name : {"toomre-antennae", "toomre-mice"}) {
    const Bodies bodies = shown(test::make_scene(name, {.bodies = 400}), 0.02);
    for (const std::uint32_t index : {0u, 1u}) {
      const double share = stripped_fraction(bodies, index, 1.5);
      EXPECT_TRUE(share > 0.1 && share < 0.5) << name << ' ' << index << ": " << share;
    }
  }
}

TEST(Restricted, OnlyDirectPassageMakesATail) {
  EXPECT_GT(stripped_fraction(shown(test::make_scene("toomre-direct", {.bodies = 400}), 0.02), 0, 1), 0.1);
  EXPECT_LT(stripped_fraction(shown(test::make_scene("toomre-retrograde", {.bodies = 400}), 0.02), 0, 1), 0.02);
}

TEST(Restricted, FewBodiesFormRingsAndManyFillTheDisc) {
  const auto radii_of = [](std::size_t count) {
    const Scene scene = test::make_scene("toomre-direct", {.bodies = count});
    std::vector<double> radii;
    for (std::size_t i = 2; i < count; ++i)
      radii.push_back(length(scene.bodies[i].position - scene.bodies[0].position));
    std::sort(radii.begin(), radii.end());
    return radii;
  };
  std::vector<double> few = radii_of(122), many = radii_of(20'002);
  const auto rings = std::unique(few.begin(), few.end(), [](double a, double b) { return std::abs(a - b) < 1e-9; });
  EXPECT_EQ(rings - few.begin(), 4);
  // The number of bodies is proportional to the area.
  const auto inside = std::lower_bound(many.begin(), many.end(), 0.36) - many.begin();
  EXPECT_NEAR(static_cast<double>(inside) / 20'000, (0.36 * 0.36 - 0.12 * 0.12) / (0.6 * 0.6 - 0.12 * 0.12), 0.01);
}

}  // namespace
}  // namespace pericenter
