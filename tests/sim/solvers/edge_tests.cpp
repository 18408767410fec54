#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>

#include "tests/support/reference.h"

namespace pericenter::test {
namespace {

bool finite(const Vec3& v) {
  return std::isfinite(v[0]) && std::isfinite(v[1]) && std::isfinite(v[2]);
}

Bodies at_one_point(std::size_t count) {
  return Bodies(count, Body{.position = {0.3, -0.2, 0.1}, .velocity = {}, .mass = 1.0 / static_cast<double>(count)});
}

class Edges : public testing::TestWithParam<Config> {};
INSTANTIATE_TEST_SUITE_P(Solvers, Edges, testing::ValuesIn(all_configs()), test_name);

TEST_P(Edges, NoBodies) {
  const auto simulation = Simulation::create(GetParam(), {});
  simulation->step({});
  const Diagnostics diagnostics = simulation->diagnostics({});
  EXPECT_EQ(diagnostics.energy(), 0);
  EXPECT_EQ(diagnostics.virial_ratio(), 0);
  EXPECT_EQ(diagnostics.non_finite, 0u);
  EXPECT_TRUE(simulation->bodies().empty());
  EXPECT_EQ(simulation->tree_levels(), 0);
}

TEST_P(Edges, OneBodyMovesStraight) {
  const auto simulation =
      Simulation::create(GetParam(), {Body{.position = {1, 2, 0}, .velocity = {0.5, -1, 0}, .mass = 3}});
  for (int i = 0; i < 8; ++i) simulation->step({.dt = 0.25});
  const Body body = simulation->bodies()[0];
  EXPECT_EQ(body.position, (Vec3{2, 0, 0}));
  EXPECT_EQ(body.velocity, (Vec3{0.5, -1, 0}));
}

TEST_P(Edges, TwoCoincidentBodiesWithoutSofteningStayFinite) {
  for (const double softening : {0.0, 0.1}) {
    const auto simulation = Simulation::create(GetParam(), at_one_point(2));
    for (const Vec3& a : simulation->accelerations({.softening = softening})) EXPECT_EQ(a, Vec3{});
    const double potential = simulation->diagnostics({.softening = softening}).potential;
    EXPECT_NEAR(potential, softening > 0 ? -0.25 / softening : 0, 1e-5);
  }
}

// Regression: the padding of cell lists gave a body at the origin a NaN.
TEST_P(Edges, BodyAtTheOriginWithoutSoftening) {
  Bodies bodies = scene_bodies("plummer", 700, GetParam().dimension);
  bodies[5].position = {};
  const std::vector<Vec3> got = Simulation::create(GetParam(), bodies)->accelerations({.theta = 0.7, .softening = 0});
  for (const Vec3& a : got) ASSERT_TRUE(finite(a));
}

TEST_P(Edges, CoincidentBodiesExertNoForce) {
  const auto simulation = Simulation::create(GetParam(), at_one_point(1234));
  for (const double theta : {0.0, 0.7}) {
    for (const Vec3& a : simulation->accelerations({.theta = theta, .softening = 0.05})) ASSERT_EQ(a, Vec3{});
    EXPECT_NEAR(simulation->diagnostics({.theta = theta, .softening = 0.05}).potential, -0.5 * 1233 / 1234 / 0.05,
                1e-4);
  }
}

TEST_P(Edges, Fault23CoincidentBodiesWithoutSofteningStayFinite) {
  Bodies bodies = scene_bodies("plummer", 300, GetParam().dimension);
  for (const std::size_t i : {10, 11, 200}) bodies[i] = bodies[9];
  const auto simulation = Simulation::create(GetParam(), bodies);
  for (int i = 0; i < 3; ++i) simulation->step({.dt = 1e-3, .theta = 0.5, .softening = 0});
  EXPECT_EQ(simulation->diagnostics({.theta = 0.5, .softening = 0}).non_finite, 0u);
  for (const Vec3& a : simulation->accelerations({.theta = 0.5, .softening = 0})) ASSERT_TRUE(finite(a));
}

TEST_P(Edges, FastestBodyIsReported) {
  const auto simulation = Simulation::create(GetParam(), scene_bodies("plummer", 5000, GetParam().dimension));
  double fastest = 0;
  for (const Body& body : simulation->bodies()) fastest = std::max(fastest, length(body.velocity));
  EXPECT_DOUBLE_EQ(simulation->diagnostics({}).fastest, fastest);
}

TEST_P(Edges, MassRatioOf1e12) {
  Bodies bodies = scene_bodies("plummer", 700, GetParam().dimension, 3);
  for (Body& body : bodies) body.mass = 1e-12;
  bodies[123].mass = 1;
  const std::vector<Vec3> got =
      Simulation::create(GetParam(), bodies)->accelerations({.theta = 0.2, .softening = 0.05});
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const Vec3 exact = exact_acceleration(bodies, i, 0.05);
    // All others are attracted by the heavy body only, whose position must be exact in its cell.
    EXPECT_LE(length(got[i] - exact), (i == 123 ? coarse_bound(GetParam()) : 1e-5) * length(exact)) << i;
  }
}

TEST_P(Edges, LineOfBodies) {
  Bodies bodies(257);
  for (std::size_t i = 0; i < bodies.size(); ++i)
    bodies[i] = {.position = {static_cast<double>(i) / 256, 0, 0}, .velocity = {}, .mass = 1};
  const std::vector<Vec3> got =
      Simulation::create(GetParam(), bodies)->accelerations({.theta = 0.2, .softening = 0.01});
  EXPECT_LE(worst_error(got, bodies, 0.01), coarse_bound(GetParam()));
}

TEST_P(Edges, BodyAt1e30) {
  Bodies bodies = scene_bodies("plummer", 3000, GetParam().dimension);
  const Bodies all_others = bodies;
  bodies.push_back({.position = {1e30, -1e30, 0}, .velocity = {}, .mass = 1.0 / 3000});
  const auto simulation = Simulation::create(GetParam(), bodies);
  const std::vector<Vec3> got = simulation->accelerations({.theta = 0.2, .softening = 0.05});
  EXPECT_LE(worst_error(got, all_others, 0.05, 7), coarse_bound(GetParam()));
  EXPECT_TRUE(finite(got.back()));
  simulation->step({.dt = 0.01, .theta = 0.5, .softening = 0.05});
  EXPECT_EQ(simulation->diagnostics({}).non_finite, 0u);
}

TEST_P(Edges, NonFiniteBodiesAreCountedAndExertNoForce) {
  Bodies bodies = scene_bodies("plummer", 500, GetParam().dimension);
  const Bodies sound = bodies;
  bodies.push_back({.position = {std::nan(""), 0, 0}, .velocity = {}, .mass = 1});
  bodies.push_back({.position = {0, std::numeric_limits<double>::infinity(), 0}, .velocity = {}, .mass = 1});
  const auto simulation = Simulation::create(GetParam(), bodies);
  const std::vector<Vec3> got = simulation->accelerations({.theta = 0.2, .softening = 0.05});
  EXPECT_LE(worst_error(got, sound, 0.05), coarse_bound(GetParam()));
  const Diagnostics diagnostics = simulation->diagnostics({.theta = 0.5, .softening = 0.05});
  EXPECT_EQ(diagnostics.non_finite, 2u);
  EXPECT_EQ(diagnostics.first_non_finite, 500u);
  EXPECT_TRUE(std::isfinite(diagnostics.energy()));
}

TEST_P(Edges, MasslessBodiesDriftAndAreAttracted) {
  Bodies bodies(64);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    bodies[i] = {
        .position = {static_cast<double>(i % 8), static_cast<double>(i / 8), 0}, .velocity = {1, 0, 0}, .mass = 0};
  }
  const auto drifting = Simulation::create(GetParam(), bodies);
  drifting->step({.dt = 0.5});
  EXPECT_EQ(drifting->bodies()[9].position, (Vec3{1.5, 1, 0}));
  bodies.push_back({.position = {-1, -1, 0}, .velocity = {}, .mass = 1});
  const std::vector<Vec3> got = Simulation::create(GetParam(), bodies)->accelerations({.theta = 0.5});
  EXPECT_LT(got[63][0], 0);
}

TEST(OctreeEdges, CoincidentBodiesAreOnePoint) {
  const auto simulation = Simulation::create({.backend = kBackend}, at_one_point(100'000));
  for (const double theta : {0.0, 0.7}) {
    for (const Vec3& a : simulation->accelerations({.theta = theta, .softening = 0.05})) ASSERT_EQ(a, Vec3{});
    EXPECT_LE(simulation->work().body_interactions, 16u * 100'000u);
  }
}

TEST(OctreeEdges, DistantBodyDoesNotDegradeTheTree) {
  Bodies bodies = scene_bodies("plummer", 100'000);
  bodies.push_back({.position = {1e30, 1e30, 1e30}, .velocity = {}, .mass = 1e-5});
  const auto simulation = Simulation::create({.backend = kBackend}, bodies);
  simulation->accelerations({.theta = 0.7, .softening = 0.05});
  EXPECT_LT(simulation->work().body_interactions, std::uint64_t(100'000) * 2'000);
}

TEST(Create, RejectsInvalidConfigs) {
  EXPECT_THROW(Simulation::create({.solver = "nonsense", .backend = kBackend}, {}), std::invalid_argument);
  EXPECT_THROW(Simulation::create({.backend = kBackend, .dimension = 1}, {}), std::invalid_argument);
  SolverOptions solver_options;
  solver_options.set(SolverOption::walk, Walk::skip);
  EXPECT_THROW(Simulation::create({.solver = "direct", .backend = kBackend, .solver_options = solver_options}, {}),
               std::invalid_argument);
  // Without CUDA it is unavailable; with CUDA there are fewer devices.
  EXPECT_THROW(Simulation::create({.backend = Backend::cuda, .device = 1000}, {}), std::invalid_argument);
}

}  // namespace
}  // namespace pericenter::test
