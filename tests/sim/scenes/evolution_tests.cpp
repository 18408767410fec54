#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "sim/core/simulation.h"
#include "tests/support/measure.h"

namespace pericenter {
namespace {

// A galaxy out of equilibrium would expand by a fifth within 6 units of time.
TEST(Evolution, GalaxyStaysInEquilibrium) {
  const Scene scene = test::make_scene("galaxy", {.bodies = 40'000, .softening = 0.05});
  Params params = scene.params;
  params.dt = 0.06;
  const auto simulation = Simulation::create({}, scene.bodies);
  const Bodies before = test::part_of(scene.bodies, {});
  const double radius = test::half_mass_radius(before), thickness = test::ring_moments(before, 1, 3).z_rms;
  while (simulation->time() < 24) simulation->step(params);
  const Bodies after = test::part_of(simulation->bodies(), {});
  EXPECT_NEAR(test::half_mass_radius(after) / radius, 1, 0.05);
  EXPECT_NEAR(test::ring_moments(after, 1, 3).z_rms / thickness, 1, 0.2);
}

TEST(Evolution, CollisionReachesPericenterOnTime) {
  const Scene scene = test::make_scene("collision", {.bodies = 10'000});
  Params params = scene.params;
  params.dt = 0.08;
  const auto simulation = Simulation::create({}, scene.bodies);
  double closest = 1e9, time = 0;
  while (simulation->time() < 23) {
    simulation->step(params);
    if (simulation->time() < 16) continue;
    const Bodies bodies = simulation->bodies();
    const double separation = length(test::mean_position(test::part_of(bodies, {0, Component::bulge})) -
                                     test::mean_position(test::part_of(bodies, {1, Component::bulge})));
    if (separation < closest) {
      closest = separation;
      time = simulation->time();
    }
  }
  EXPECT_NEAR(time, 19.4, 1.5);
  EXPECT_NEAR(closest, 4.5, 1);
}

}  // namespace
}  // namespace pericenter
