// No part of a step is rounded to single precision.
#include <gtest/gtest.h>

#include "tests/support/reference.h"

namespace pericenter::test {
namespace {

TEST(DoublePrecision, FreeBodyMovesExactly) {
  const Vec3 velocity{0.3, -1.7, 2.9};
  for (const char* solver : {"octree", "direct"}) {
    const Config config{.solver = solver, .backend = kBackend, .precision = Precision::float64};
    const auto simulation = Simulation::create(config, {{{}, velocity, 1, 0}});
    for (int step = 0; step < 1000; ++step) simulation->step({.dt = 0.1});
    EXPECT_NEAR(simulation->time(), 100, 1e-11);
    const Vec3 moved = simulation->bodies()[0].position;
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(moved[k] / (100 * velocity[k]), 1, 1e-11) << solver;
  }
}

TEST(DoublePrecision, KicksAreExact) {
  const Params params{.dt = 0.1, .softening = 0};
  const Bodies bodies = {{{1e3, 0, 0}, {}, 1e5, 0}, {{}, {0, 0.3, 0}, 0, 0}};
  const auto simulation =
      Simulation::create({.solver = "direct", .backend = kBackend, .precision = Precision::float64}, bodies);
  Vec3 x, v = bodies[1].velocity;
  const auto pull = [&] { return exact_acceleration({bodies[0], {x, v, 0, 0}}, 1, 0); };
  for (int step = 0; step < 100; ++step) {
    simulation->step(params);
    v += pull() * 0.05;
    x += v * 0.1;
    v += pull() * 0.05;
  }
  EXPECT_LE(length(simulation->bodies()[1].velocity - v), 1e-12 * length(v));
  EXPECT_LE(length(simulation->bodies()[1].position - x), 1e-12 * length(x));
}

}  // namespace
}  // namespace pericenter::test
