#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <string>
#include <vector>

#include "sim/auto_solver.h"
#include "sim/core/random.h"
#include "sim/cpu/radau_series.h"
#include "sim/scenes/model/procedural_source.h"
#include "sim/scenes/registry.h"
#include "sim/session/session.h"
#include "sim/solvers/registry.h"
#include "sim/solvers/simd/collocation.h"
#include "tests/support/reference.h"

namespace pericenter::test {
namespace {

constexpr double kTurn = 2 * std::numbers::pi;
const Config kRadau{.integrator = Integrator::gauss_radau};

std::string two_digits(double number) {
  std::array<char, 32> text;
  std::snprintf(text.data(), text.size(), "%.2g", number);
  return text.data();
}

Body body_at(const Vec3& position, const Vec3& velocity, double mass) {
  Body body;
  body.position = position;
  body.velocity = velocity;
  body.mass = mass;
  return body;
}

/// Semi-major axis 1, total mass 1, period 2 pi; at the apocentre, on +x.
Bodies binary(double eccentricity) {
  const double distance = 1 + eccentricity, speed = std::sqrt((1 - eccentricity) / (1 + eccentricity));
  return {{.position = {-0.25 * distance, 0, 0}, .velocity = {0, -0.25 * speed, 0}, .mass = 0.75},
          {.position = {0.75 * distance, 0, 0}, .velocity = {0, 0.75 * speed, 0}, .mass = 0.25}};
}

double worst_error(const Bodies& bodies, const Params& params, int steps) {
  const auto simulation = Simulation::create(kRadau, bodies);
  const double initial = simulation->diagnostics(params).energy();
  double worst = 0;
  for (int i = 0; i < steps; ++i) {
    simulation->step(params, true);
    worst = std::max(worst, std::abs(simulation->diagnostics(params).energy() / initial - 1));
  }
  return worst;
}

TEST(GaussRadau, HasTheNodesOfRadau) {
  for (int n = 1; n < kRadauNodes; ++n) {
    const double x = 2 * kRadauSpacing[n] - 1;
    EXPECT_NEAR(std::legendre(7, x) + std::legendre(8, x), 0, 1e-14) << n;
  }
  for (int n = 1; n < kPoints; ++n) {
    const double x = 2 * kPointSpacing[n] - 1;
    EXPECT_NEAR(std::legendre(4, x) + std::legendre(5, x), 0, 1e-14) << n;
  }
}

TEST(GaussRadau, KeepsTheEnergyOfAnEccentricBinary) {
  for (const int steps_per_orbit : {1, 20}) {
    const double worst =
        worst_error(binary(0.99), {.dt = kTurn / steps_per_orbit, .softening = 0}, 100 * steps_per_orbit);
    RecordProperty("worst_" + std::to_string(steps_per_orbit), two_digits(worst));
    EXPECT_LT(worst, 1e-11);
  }
}

TEST(GaussRadau, KeepsTheEnergyOfThreeBodyEncounters) {
  double worst = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Bodies bodies(3);
    for (std::size_t i = 0; i < 3; ++i) {
      Random random(seed, i);
      for (int k = 0; k < 3; ++k) bodies[i].position[k] = 2 * random.uniform() - 1;
      for (int k = 0; k < 3; ++k) bodies[i].velocity[k] = 0.6 * random.uniform() - 0.3;
      bodies[i].mass = 1;
    }
    worst = std::max(worst, worst_error(bodies, {.dt = 0.1, .softening = 0}, 200));
  }
  RecordProperty("worst", two_digits(worst));
  EXPECT_LT(worst, 1e-8);
}

// Rounded elements of Halley's comet about the Sun alone: a time step of the scene is far too long at its perihelion.
TEST(GaussRadau, BringsHalleysCometBackToItsAphelion) {
  const double a = 17.834, e = 0.96714, aphelion = a * (1 + e), period = kTurn * std::pow(a, 1.5);
  const Bodies start = {body_at({}, {}, 1), body_at({aphelion, 0, 0}, {0, std::sqrt((1 - e) / aphelion), 0}, 0)};
  const auto simulation = Simulation::create(kRadau, start);
  const double dt = find_scene("solar-system")->make({.bodies = 9}).params.dt;
  const auto steps = static_cast<int>(2 * period / dt);
  for (int i = 0; i < steps; ++i) simulation->step({.dt = dt, .softening = 0});
  simulation->step({.dt = 2 * period - simulation->time(), .softening = 0});
  const double away = length(simulation->bodies()[1].position - start[1].position);
  RecordProperty("away_au", two_digits(away));
  EXPECT_LT(away, 1e-6);
}

Bodies planets_and_asteroids() {
  Bodies bodies = find_scene("solar-system")->make({.bodies = 309}).bodies;
  // One is a close moon of Jupiter, one grazes the Sun, one passes the Earth, so that they need steps of their own.
  bodies[20].position = bodies[5].position + Vec3{1e-2, 2e-3, 0};
  bodies[20].velocity = bodies[5].velocity + Vec3{0, 0.25, 0.1};
  bodies[21].position = {0.05, 0, 0};
  bodies[21].velocity = {0, 1, 0};
  bodies[22].position = bodies[3].position + Vec3{1e-4, 1e-2, 0};
  bodies[22].velocity = bodies[3].velocity + Vec3{0, -0.7, 0};
  return bodies;
}

TEST(GaussRadau, RestartsAndRepeatsAreExact) {
  const Params params{.dt = 0.05, .softening = 0};
  for (const int dimension : {2, 3}) {
    Config config = kRadau;
    config.dimension = dimension;
    const Bodies start = planets_and_asteroids();
    const auto whole = Simulation::create(config, start);
    config.threads = 1;
    const auto repeated = Simulation::create(config, start);
    std::vector<Vertex> vertices(start.size());
    for (int i = 0; i < 10; ++i) {
      whole->step(params);
      ASSERT_TRUE(repeated->write_vertices_ahead(i % 2 == 0 ? params : Params{.dt = 0.1}, host_target(vertices)));
      repeated->step(params, i == 3);
    }
    EXPECT_EQ(hash(whole->bodies()), hash(repeated->bodies()));
    const auto resumed = Simulation::create(config, whole->bodies(), {.time = whole->time()});
    for (int i = 0; i < 10; ++i) {
      whole->step(params);
      resumed->step(params);
    }
    EXPECT_EQ(hash(whole->bodies()), hash(resumed->bodies()));
    EXPECT_EQ(whole->time(), resumed->time());
  }
}

// The bodies without mass against the same ones with so little that they do not disturb each other.
TEST(GaussRadau, MasslessBodiesMoveAsThoseWithMass) {
  Bodies bodies = planets_and_asteroids();
  bodies.resize(24);
  const auto moved = [&](const Bodies& start, Simd simd, double dt) {
    Config config = kRadau;
    config.simd = simd;
    const auto simulation = Simulation::create(config, start);
    for (int i = 0; i < 1 / dt; ++i) simulation->step({.dt = dt, .softening = 0});
    return simulation->bodies();
  };
  Bodies with_mass = bodies;
  for (Body& body : with_mass) body.mass = body.mass == 0 ? 1e-30 : body.mass;
  for (const double dt : {0.05, 0.25}) {
    const Bodies exact = moved(with_mass, Simd::best, dt);
    for (const Simd simd : supported_simd()) {
      const Bodies massless = moved(bodies, simd, dt);
      for (std::size_t i = 0; i < bodies.size(); ++i)
        EXPECT_LT(length(massless[i].position - exact[i].position), i == 21 ? 1e-9 : 1e-11) << i << ", dt " << dt;
    }
  }
}

TEST(GaussRadau, StepsOfNoTimeChangeNothing) {
  const Bodies start = planets_and_asteroids();
  const auto simulation = Simulation::create(kRadau, start);
  simulation->step({.dt = 0, .softening = 0});
  EXPECT_EQ(hash(simulation->bodies()), hash(start));
}

TEST(GaussRadau, RunsBackwards) {
  const Bodies start = planets_and_asteroids();
  const auto simulation = Simulation::create(kRadau, start);
  for (const double dt : {0.05, -0.05})
    for (int i = 0; i < 100; ++i) simulation->step({.dt = dt, .softening = 0});
  const Bodies end = simulation->bodies();
  double worst = 0;
  for (std::size_t i = 0; i < end.size(); ++i) worst = std::max(worst, length(end[i].position - start[i].position));
  RecordProperty("worst", two_digits(worst));
  EXPECT_LT(worst, 1e-8);
}

TEST(GaussRadau, StopsBeforeACollision) {
  const Bodies start = {body_at({-1, 0, 0}, {}, 1), body_at({1, 0, 0}, {}, 1)};
  const auto simulation = Simulation::create(kRadau, start);
  std::string problem;
  for (int i = 0; i < 400 && problem.empty(); ++i) {
    try {
      simulation->step({.dt = 0.01, .softening = 0});
    } catch (const StepError& error) {
      problem = error.what();
    }
  }
  EXPECT_THAT(problem, testing::HasSubstr("body 0 and body 1"));
  const Body last = simulation->body(0);
  EXPECT_LT(std::abs(last.position[0]), 0.2);
  EXPECT_FALSE(simulation->in_step());
  std::vector<Vertex> vertices(2);
  EXPECT_FALSE(simulation->write_vertices_ahead({.dt = 0.01, .softening = 0}, host_target(vertices)));
  simulation->step({.dt = 0.01, .softening = 0.01});
  EXPECT_NE(simulation->body(0).position, last.position) << "a softening lets it continue";
}

TEST(GaussRadau, EndsForBodiesInOnePlaceAndForEndlessSteps) {
  const Bodies one_place = {body_at({}, {0.1, 0, 0}, 1), body_at({}, {}, 1)};
  EXPECT_THROW(Simulation::create(kRadau, one_place)->step({.dt = 0.01, .softening = 0}), StepError);
  EXPECT_THROW(Simulation::create(kRadau, binary(0))->step({.dt = 1e20, .softening = 0}), StepError);
  EXPECT_THROW(Simulation::create(kRadau, binary(0))->step({.dt = 1e5, .softening = 0}), StepError);
}

TEST(GaussRadau, BodiesWithoutMassStayWithTheOneTheyMeet) {
  const Bodies start = {body_at({}, {0, 0.1, 0}, 1), body_at({1, 0, 0}, {0, 0.1, 0}, 0),
                        body_at({1, 0, 0}, {0, 1.1, 0}, 0)};
  const auto simulation = Simulation::create(kRadau, start);
  for (int i = 0; i < 20; ++i) simulation->step({.dt = kTurn / 20, .softening = 0});
  const Bodies end = simulation->bodies();
  EXPECT_EQ(end[1].position, end[0].position);
  EXPECT_EQ(end[1].velocity, end[0].velocity);
  EXPECT_LT(length(end[2].position - start[2].position - Vec3{0, 0.1 * kTurn, 0}), 1e-10);
}

TEST(GaussRadau, RefusesWhatItCannotDo) {
  EXPECT_THAT(problem_with(Config{.backend = Backend::cuda, .integrator = Integrator::gauss_radau}),
              testing::HasSubstr("does not run on CUDA"));
  EXPECT_EQ(without_unsupported_values({.backend = Backend::cuda, .integrator = Integrator::gauss_radau}).integrator,
            Integrator::leapfrog);
  EXPECT_THROW(Simulation::create(kRadau, scene_bodies("plummer", 101)), std::invalid_argument);
  EXPECT_NO_THROW(Simulation::create(kRadau, scene_bodies("plummer", 100)));
}

Config chosen_for(const char* scene, std::size_t bodies, const Config& config = {}, bool may_leave_cuda = false) {
  const Scene made = find_scene(scene)->make({.bodies = bodies});
  return with_automatic_choices(config, {true, true, may_leave_cuda}, made.bodies, made.params.softening);
}
Integrator chosen(const char* scene, std::size_t bodies, const Config& config = {}) {
  return chosen_for(scene, bodies, config).integrator;
}

TEST(GaussRadau, IsChosenForFewBodies) {
  EXPECT_EQ(chosen("two-body", 2), Integrator::gauss_radau);
  EXPECT_EQ(chosen("figure-eight", 3), Integrator::gauss_radau);
  EXPECT_EQ(chosen("holmberg", 74), Integrator::gauss_radau);
  EXPECT_EQ(chosen("solar-system", 20'000), Integrator::gauss_radau);
  EXPECT_EQ(chosen("solar-system", 200'000), Integrator::leapfrog) << "steps would take too long";
  EXPECT_EQ(chosen("toomre-direct", 1000), Integrator::leapfrog) << "softened, and not alone";
  EXPECT_EQ(chosen("plummer", 1000), Integrator::leapfrog);
  const Scene lamps = find_scene("holmberg")->make({.bodies = 74});
  const auto with_tree = with_automatic_choices({.solver = "octree"}, {.integrator = true}, lamps.bodies, 0.3);
  EXPECT_EQ(with_tree.integrator, Integrator::leapfrog) << "who chooses a tree wants to see it";
}

TEST(GaussRadau, FewBodiesLeaveCudaUnlessItWasSelected) {
  const Config cuda = {.backend = Backend::cuda, .device = 1};
  for (const char* scene : {"two-body", "holmberg", "solar-system"}) {
    const Config stays = chosen_for(scene, 1000, cuda), leaves = chosen_for(scene, 1000, cuda, true);
    EXPECT_EQ(stays.backend, Backend::cuda);
    EXPECT_EQ(stays.integrator, Integrator::leapfrog);
    EXPECT_EQ(leaves.backend, Backend::cpu);
    EXPECT_EQ(leaves.integrator, Integrator::gauss_radau);
    EXPECT_EQ(leaves.solver, "direct");
    EXPECT_EQ(leaves.device, 1) << "where the next scene runs";
    EXPECT_EQ(problem_with(leaves), "");
  }
  EXPECT_EQ(chosen_for("plummer", 1000, cuda, true).backend, Backend::cuda);
  Config tiles = cuda;
  tiles.solver = "direct-tiled";
  tiles.solver_options.set(SolverOption::block, 2);
  const Scene pair = find_scene("two-body")->make({.bodies = 2});
  const Config moved = with_automatic_choices(tiles, {.integrator = true, .backend = true}, pair.bodies, 0);
  EXPECT_EQ(moved.backend, Backend::cpu);
  EXPECT_EQ(problem_with(moved), "") << "an option of CUDA was left behind";
}

TEST(GaussRadau, IsChosenUnlessAnotherIntegratorWasNamed) {
  Session session;
  const auto integrator = [&] { return session.state().config.integrator; };
  session.apply(request::ChooseSolver{true, true});
  session.apply(request::LoadScene{"two-body", {.bodies = 2}});
  EXPECT_EQ(integrator(), Integrator::gauss_radau);
  session.apply(request::LoadScene{"plummer", {.bodies = 200}});
  EXPECT_EQ(integrator(), Integrator::leapfrog);
  session.apply(request::LoadScene{"figure-eight", {.bodies = 3}});
  EXPECT_EQ(integrator(), Integrator::gauss_radau);
  Config euler = session.state().config;
  euler.integrator = Integrator::euler;
  session.apply(request::SetConfig{euler});
  EXPECT_EQ(integrator(), Integrator::euler);
  session.apply(request::LoadScene{"two-body", {.bodies = 2}});
  EXPECT_EQ(integrator(), Integrator::euler);
  session.apply(request::ChooseSolver{true, true});
  EXPECT_EQ(integrator(), Integrator::gauss_radau);
}

TEST(GaussRadau, NeedsNoWarningOfLongSteps) {
  Session session({.diagnostics_period = 0, .records = false});
  session.apply(request::ChooseSolver{true, true});
  session.apply(request::LoadScene{"two-body", {.bodies = 2}});
  Params params = session.state().params;
  params.dt = 1;
  session.apply(request::SetParams{params});
  for (int i = 0; i < 20; ++i) session.advance(nullptr, true);
  const Health health = session.state().health;
  EXPECT_EQ(health.level, HealthLevel::good) << health.reason;
  EXPECT_TRUE(std::isnan(health.steps_per_orbit.now));
  EXPECT_LT(health.energy_error.worst, 1e-13);
}

TEST(GaussRadau, PausesASessionAtACollision) {
  Session session;
  session.apply(request::ChooseSolver{true, true});
  session.apply(request::LoadScene{"two-body", {.bodies = 2}});
  Params params = session.state().params;
  params.dt = 1e6;
  session.apply(request::SetParams{params});
  session.apply(request::Play{});
  session.step(nullptr);
  EXPECT_FALSE(session.state().running);
  EXPECT_TRUE(session.state().message_is_error);
  EXPECT_THAT(session.state().message, testing::HasSubstr("internal steps"));
  params.dt = 0.01;
  session.apply(request::SetParams{params});
  session.step(nullptr);
  EXPECT_EQ(session.state().steps, 1u);
}

}  // namespace
}  // namespace pericenter::test
