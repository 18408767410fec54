#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <numbers>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "sim/session/session.h"
#include "tests/support/long_form.h"
#include "tests/support/reference.h"

namespace pericenter::test {
namespace {

constexpr double kPi = std::numbers::pi;

double worst_energy_error(Simulation& simulation, const Params& params, int steps, int every) {
  const double initial = simulation.diagnostics(params).energy();
  double worst = 0;
  for (int i = 1; i <= steps; ++i) {
    simulation.step(params, i % every == 0);
    if (i % every == 0) worst = std::max(worst, std::abs(simulation.diagnostics(params).energy() / initial - 1));
  }
  return worst;
}

std::string shown(double number) {
  std::array<char, 32> text;
  std::snprintf(text.data(), text.size(), "%.2g", number);
  return text.data();
}

// N7: bound ten times the error measured over eight times as long (4.7e-6).
TEST(Energy, IsConservedByTheDirectSum) {
  const auto simulation = Simulation::create({.solver = "direct", .backend = kBackend}, scene_bodies("plummer", 1024));
  const int steps = 20 * 128 * long_form(50);
  const double worst = worst_energy_error(*simulation, {.dt = 1.0 / 128, .softening = 0.05}, steps, 16);
  RecordProperty("worst", shown(worst));
  EXPECT_LE(worst, 5e-5);
}

// N8.
TEST(Energy, IsConservedByTheOctree) {
  for (const auto& [theta, bound] : {std::pair{0.5, 2e-4}, std::pair{0.8, 1e-3}}) {
    const auto simulation = Simulation::create({.backend = kBackend}, scene_bodies("plummer", 4096));
    const Params params{.dt = 1.0 / 128, .theta = theta, .softening = 0.05};
    const double worst = worst_energy_error(*simulation, params, 10 * 128 * long_form(10), 32);
    RecordProperty("worst_theta_" + std::to_string(theta), shown(worst));
    EXPECT_LE(worst, bound) << "theta " << theta;
  }
}

Diagnostics energies(double kinetic, double potential) {
  Diagnostics result;
  result.kinetic = kinetic;
  result.potential = potential;
  return result;
}

TEST(EnergyError, IsRelativeToTheInitialEnergy) {
  const Diagnostics equilibrium = energies(1, -2), cold = energies(0, -4);
  EXPECT_DOUBLE_EQ(energy_error(equilibrium, energies(1.25, -2)), 0.25);
  EXPECT_DOUBLE_EQ(energy_error(equilibrium, energies(1, -2.25)), -0.25);
  EXPECT_DOUBLE_EQ(energy_error(cold, energies(1, -4)), 0.25);
}

TEST(EnergyError, IsMeaningfulForZeroTotalEnergy) {
  const Diagnostics parabola = energies(2, -2 + 1e-9), later = energies(8, -8 + 1e-4);
  EXPECT_NEAR(energy_error(parabola, later), 1e-4 / 0.8, 1e-8) << "a tenth of the kinetic energy there";
  EXPECT_EQ(energy_error({}, energies(3, 0)), 3);
  const Diagnostics unknown = energies(2, std::numeric_limits<double>::quiet_NaN());
  EXPECT_TRUE(std::isnan(energy_error(unknown, parabola)));
  EXPECT_TRUE(std::isnan(energy_error(parabola, unknown)));
}

// Relative to the total energy of this parabola, 5e-5, the error would be 0.5 at pericentre.
TEST(EnergyError, IsSmallForAParabolicOrbit) {
  Session session;
  session.apply(request::SetConfig{{.backend = kBackend}});
  session.apply(request::LoadScene{"toomre-direct", {.bodies = 2}});
  const Diagnostics start = session.state().diagnostics;
  ASSERT_LT(std::abs(start.energy()), 1e-3 * start.kinetic);
  for (int k = 0; k < 320; ++k) {
    if (k == 319)
      std::this_thread::sleep_for(std::chrono::milliseconds(260));  // energies are summed four times a second
    session.apply(request::Step{});
    session.step(nullptr);
  }
  ASSERT_NEAR(session.state().time, 2.4, 1e-9);
  EXPECT_EQ(session.state().energy_error, energy_error(start, session.state().diagnostics));
  EXPECT_LT(std::abs(session.state().energy_error), 2e-3);
  EXPECT_GT(std::abs(session.state().energy_error), 1e-6);
}

// N9: the direct sum's forces are opposite in pairs, a tree's are not.
TEST(Momentum, IsConserved) {
  for (const auto& [solver, bound] : {std::pair{"direct", 1e-6}, std::pair{"octree", 1e-3}}) {
    const auto simulation = Simulation::create({.solver = solver, .backend = kBackend}, scene_bodies("plummer", 4096));
    const Params params{.dt = 1.0 / 128, .theta = 0.5, .softening = 0.05};
    const Diagnostics before = simulation->diagnostics(params);
    for (int i = 0; i < 2 * 128; ++i) simulation->step(params);
    const Diagnostics after = simulation->diagnostics(params);
    RecordProperty(solver, shown(length(after.momentum - before.momentum)) + " " +
                               shown(length(after.angular_momentum - before.angular_momentum)));
    EXPECT_LE(length(after.momentum - before.momentum), bound) << solver;
    EXPECT_LE(length(after.angular_momentum - before.angular_momentum), bound) << solver;
  }
}

/// Two bodies on a Kepler ellipse with semi-major axis 1 and period 2 pi about their centre of mass, starting at
/// pericentre on +x.
Bodies kepler(double eccentricity) {
  const double distance = 1 - eccentricity, speed = std::sqrt((1 + eccentricity) / (1 - eccentricity));
  return {{.position = {-0.25 * distance, 0, 0}, .velocity = {0, -0.25 * speed, 0}, .mass = 0.75},
          {.position = {0.75 * distance, 0, 0}, .velocity = {0, 0.75 * speed, 0}, .mass = 0.25}};
}

Vec3 separation(const Simulation& simulation) {
  const Bodies bodies = simulation.bodies();
  return bodies[1].position - bodies[0].position;
}

// N10.
TEST(Integrators, HaveTheirOrder) {
  const auto error = [](Integrator integrator, int steps) {
    const Config config = {
        .solver = "direct", .backend = kBackend, .precision = Precision::float64, .integrator = integrator};
    const auto simulation = Simulation::create(config, kepler(0.5));
    // Half an orbit: after a whole one the first-order errors of semi-implicit Euler cancel.
    for (int i = 0; i < steps; ++i) simulation->step({.dt = kPi / steps, .softening = 0});
    return length(separation(*simulation) - Vec3{-1.5, 0, 0});
  };
  for (const auto& [integrator, expected] : {std::pair{Integrator::leapfrog, 4.0}, std::pair{Integrator::euler, 2.0}}) {
    for (const int steps : {1000, 2000, 4000}) {
      const double ratio = error(integrator, steps) / error(integrator, 2 * steps);
      RecordProperty(std::string(enum_name(integrator)) + "_" + std::to_string(steps), shown(ratio));
      EXPECT_NEAR(ratio, expected, expected / 8);
    }
  }
}

TEST(Integrators, EulerKicksBeforeItDrifts) {
  const Config config = {
      .solver = "direct", .backend = kBackend, .precision = Precision::float64, .integrator = Integrator::euler};
  const Bodies start = kepler(0.5);
  const auto simulation = Simulation::create(config, start);
  const Params params{.dt = 0.25, .softening = 0.1};
  const Vec3 force = simulation->accelerations(params)[1];
  simulation->step(params);
  const Body end = simulation->bodies()[1];
  const Vec3 velocity = start[1].velocity + force * params.dt;
  EXPECT_LE(length(end.velocity - velocity), 1e-15);
  EXPECT_LE(length(end.position - (start[1].position + velocity * params.dt)), 1e-15);
  EXPECT_EQ(simulation->time(), params.dt);
}

// N11.
TEST(Leapfrog, RunsBackwards) {
  for (const auto& [precision, bound] : {std::pair{Precision::float64, 1e-9}, std::pair{Precision::float32, 1e-3}}) {
    const Bodies start = scene_bodies("plummer", 256);
    const auto simulation =
        Simulation::create({.solver = "direct", .backend = kBackend, .precision = precision}, start);
    for (const double dt : {1.0 / 256, -1.0 / 256}) {
      for (int i = 0; i < 1000; ++i) simulation->step({.dt = dt, .softening = 0.1});
    }
    const Bodies end = simulation->bodies();
    double worst = 0;
    for (std::size_t i = 0; i < start.size(); ++i) worst = std::max(worst, length(end[i].position - start[i].position));
    RecordProperty(precision == Precision::float64 ? "double" : "float", shown(worst));
    EXPECT_LE(worst, bound);
    EXPECT_NEAR(simulation->time(), 0, 1e-9);
  }
}

struct Ellipse {
  double semi_major_axis, pericentre_angle, mean_anomaly;
};

Ellipse ellipse_of(const Bodies& bodies) {
  const Vec3 r = bodies[1].position - bodies[0].position, v = bodies[1].velocity - bodies[0].velocity;
  const double a = 1 / (2 / length(r) - dot(v, v));
  const Vec3 h = cross(r, v);
  const Vec3 e = cross(v, h) - r * (1 / length(r));
  const double true_anomaly = std::atan2(r[1], r[0]) - std::atan2(e[1], e[0]);
  const double eccentricity = length(e);
  const double eccentric =
      2 * std::atan(std::sqrt((1 - eccentricity) / (1 + eccentricity)) * std::tan(true_anomaly / 2));
  return {a, std::atan2(e[1], e[0]), eccentric - eccentricity * std::sin(eccentric)};
}

// N12. The phase is the mean anomaly, the position on the ellipse. The ellipse itself precesses by an angle that
// scales with dt^2. The orbit starts at apocentre, where the energy that leapfrog conserves is closest to the true one.
TEST(TwoBodies, StayOnTheirOrbit) {
  // On a GPU a step of two bodies is as slow as one of thousands.
  constexpr int kOrbits = kBackend == Backend::cpu ? 100 : 10;
  const auto run = [](int steps_per_orbit) {
    Bodies bodies = kepler(0.5);
    for (Body& body : bodies) {
      body.position *= -3;
      body.velocity *= -1.0 / 3;
    }
    const auto simulation =
        Simulation::create({.solver = "direct", .backend = kBackend, .precision = Precision::float64}, bodies);
    for (int i = 0; i < kOrbits * steps_per_orbit; ++i)
      simulation->step({.dt = 2 * kPi / steps_per_orbit, .softening = 0});
    return ellipse_of(simulation->bodies());
  };
  const Ellipse end = run(2000), half = run(4000);
  RecordProperty("axis", shown(end.semi_major_axis - 1));
  RecordProperty("phase", shown(std::remainder(end.mean_anomaly - kPi, 2 * kPi)));
  EXPECT_NEAR(end.semi_major_axis, 1, 1e-6);
  EXPECT_NEAR(std::remainder(end.mean_anomaly - kPi, 2 * kPi), 0, 1e-5 * kOrbits);
  EXPECT_NEAR(end.pericentre_angle / half.pericentre_angle, 4, 0.1);
  EXPECT_LE(std::abs(end.pericentre_angle), 5e-5 * kOrbits);
}

// D3 without files: a simulation rebuilt from a snapshot continues with the same bits.
TEST(Determinism, RestartFromASnapshotIsExact) {
  for (const Config& config : configs_of(kBackend)) {
    const Params params{.dt = 0.01, .theta = 0.6, .softening = 0.1};
    auto whole = Simulation::create(config, scene_bodies("plummer", 700, config.dimension));
    for (int i = 0; i < 10; ++i) whole->step(params);
    auto resumed = Simulation::create(config, whole->bodies(), {.time = whole->time(), .steps = whole->steps()});
    for (int i = 0; i < 10; ++i) {
      whole->step(params);
      resumed->step(params);
    }
    EXPECT_TRUE(same_motion(config, whole->bodies(), resumed->bodies())) << describe(config);
    EXPECT_EQ(whole->time(), resumed->time());
    EXPECT_EQ(whole->steps(), resumed->steps());
  }
}

TEST(Params, MayChangeBetweenSteps) {
  // Forces are evaluated again after a change of parameters.
  const Bodies bodies = scene_bodies("plummer", 500);
  const auto simulation = Simulation::create({.solver = "direct", .backend = kBackend}, bodies);
  simulation->step({.dt = 0.01, .softening = 0.5});
  const Bodies then = simulation->bodies();
  const auto fresh = Simulation::create({.solver = "direct", .backend = kBackend}, then);
  simulation->step({.dt = 0.01, .softening = 0.1});
  fresh->step({.dt = 0.01, .softening = 0.1});
  EXPECT_EQ(hash(simulation->bodies()), hash(fresh->bodies()));
}

TEST(Diagnostics, MatchTheBodies) {
  const Bodies bodies = scene_bodies("plummer", 800);
  double kinetic = 0;
  Vec3 momentum, spin;
  for (const Body& body : bodies) {
    kinetic += 0.5 * body.mass * dot(body.velocity, body.velocity);
    momentum += body.mass * body.velocity;
    spin += body.mass * cross(body.position, body.velocity);
  }
  const Params params{.theta = 0.3, .softening = 0.02};
  const Diagnostics got =
      Simulation::create({.backend = kBackend, .precision = Precision::float64}, bodies)->diagnostics(params);
  const double potential = exact_potential_energy(bodies, 0.02);
  EXPECT_NEAR(got.kinetic, kinetic, 1e-12);
  EXPECT_NEAR(got.potential, potential, 1e-4 * std::abs(potential));
  const std::vector<Vec3> accelerations = Simulation::create({.solver = "direct"}, bodies)->accelerations(params);
  double force_virial = 0;
  for (std::size_t i = 0; i < bodies.size(); ++i)
    force_virial += bodies[i].mass * dot(bodies[i].position, accelerations[i]);
  EXPECT_NEAR(got.virial_ratio(), -2 * kinetic / force_virial, 1e-3);
  EXPECT_LE(length(got.momentum - momentum), 1e-14);
  EXPECT_LE(length(got.angular_momentum - spin), 1e-14);
}

// Regression: the ratio to the potential energy of softened bodies in equilibrium is 0.88 and called a contraction.
TEST(Diagnostics, VirialRatioOfRelaxedSoftenedBodiesIsOne) {
  constexpr double kScale = 3 * std::numbers::pi / 16;
  const auto simulation = Simulation::create({.solver = "direct", .backend = kBackend}, scene_bodies("plummer", 1500));
  const Params params{.dt = 0.04, .softening = 0.5 * kScale};
  double ratio = 0, of_potential = 0;
  for (int k = 1; k <= 1000; ++k) {
    simulation->step(params);
    if (k <= 500 || k % 50 != 0) continue;
    const Diagnostics now = simulation->diagnostics(params);
    ratio += now.virial_ratio() / 10;
    of_potential -= 2 * now.kinetic / now.potential / 10;
  }
  EXPECT_NEAR(ratio, 1, 0.02);
  EXPECT_NEAR(of_potential, 0.88, 0.03);
}

TEST(Vertices, WritesPositionsTagsAndSpeeds) {
  const Bodies bodies = {
      {.position = {1, 2, 3}, .velocity = {3, 4, 0}, .mass = 1, .tag = make_tag(1, Component::halo, 2)}};
  std::vector<Vertex> vertices(1);
  Simulation::create({.backend = kBackend}, bodies)->write_vertices(host_target(vertices));
  EXPECT_EQ(vertices[0].x, 1);
  EXPECT_EQ(vertices[0].y, 2);
  EXPECT_EQ(vertices[0].z, 3);
  EXPECT_EQ(vertices[0].attribute, make_attribute(bodies[0].tag, 5));
  Simulation::create({.backend = kBackend, .dimension = 2}, bodies)->write_vertices(host_target(vertices));
  EXPECT_EQ(vertices[0].z, 0);
}

TEST(Steps, DoNotDependOnDiagnostics) {
  for (const Config& config : configs_of(kBackend)) {
    const Bodies bodies = scene_bodies("collision", 700, config.dimension);
    const Params params{.dt = 0.02, .softening = 0.1};
    const auto alone = Simulation::create(config, bodies), observed = Simulation::create(config, bodies);
    for (int i = 0; i < 5; ++i) {
      alone->step(params);
      observed->step(params, i % 2 == 0);
      observed->diagnostics(params);
    }
    EXPECT_TRUE(same_motion(config, observed->bodies(), alone->bodies())) << describe(config);
  }
}

TEST(Vertices, WithinAStepOrLaterIsEqual) {
  for (const Config& config : configs_of(kBackend)) {
    const auto simulation = Simulation::create(config, scene_bodies("collision", 700, config.dimension));
    std::vector<Vertex> in_step(700), later(700);
    const VertexTarget target = host_target(in_step);
    simulation->step({.dt = 0.02, .softening = 0.1}, false, &target);
    simulation->write_vertices(host_target(later));
    EXPECT_EQ(std::memcmp(in_step.data(), later.data(), later.size() * sizeof(Vertex)), 0) << describe(config);
    EXPECT_NE(later[1].x, 0);
  }
}

// At half the time of a step, a body with constant acceleration is at x + v dt/2 + a dt^2/8.
TEST(Vertices, BendsMakeTheWayAParabola) {
  for (const int dimension : {2, 3}) {
    const Params params{.dt = 0.3, .softening = 0.1};
    const auto simulation = Simulation::create({.solver = "direct", .backend = kBackend, .dimension = dimension},
                                               scene_bodies("plummer", 300, dimension));
    const Bodies bodies = simulation->bodies();
    const std::vector<Vec3> accelerations = simulation->accelerations(params);
    std::vector<Vertex> ahead(300);
    VertexTarget target = host_target(ahead);
    target.bends = true;
    ASSERT_TRUE(simulation->write_vertices_ahead(params, target));
    for (std::size_t i = 0; i < ahead.size(); ++i) {
      const Vec3 way = Vec3{ahead[i].x, ahead[i].y, ahead[i].z} - bodies[i].position;
      Vec3 bent = bodies[i].position + way * 0.5;
      for (int k = 0; k < 3; ++k) {
        const int bits = static_cast<int>(ahead[i].attribute >> (16 + 5 * k) & 31u);
        const double number = (bits > 15 ? bits - 32 : bits) / 15.0;
        bent[k] += 0.25 * length(way) * number * std::abs(number);
      }
      const Vec3 right =
          bodies[i].position + bodies[i].velocity * (params.dt / 2) + accelerations[i] * (params.dt * params.dt / 8);
      const double bend = length(accelerations[i]) * params.dt * params.dt / 2 / length(way);
      if (bend < 1) {
        EXPECT_LT(length(bent - right), 0.015 * length(way)) << i;
      }
      EXPECT_EQ(ahead[i].attribute & 0xFFFFu, bodies[i].tag & 0xFFFFu);
    }
    simulation->write_vertices(target);
    EXPECT_EQ(ahead[3].attribute, make_attribute(bodies[3].tag, static_cast<float>(length(bodies[3].velocity))));
  }
}

// All scalars, after a step, between steps and ahead.
TEST(Vertices, OfOneBodyInThreeAreTheirs) {
  for (const Config& config : configs_of(kBackend)) {
    const Params params{.dt = 0.02, .softening = 0.1};
    const auto simulation = Simulation::create(config, scene_bodies("collision", 700, config.dimension));
    std::vector<Vertex> all(700), some(234), thinned;
    VertexTarget few = host_target(some), whole = host_target(all);
    few.every = 3;
    const auto expect_theirs = [&](const char* when) {
      thinned.clear();
      for (std::size_t i = 0; i < all.size(); i += 3) thinned.push_back(all[i]);
      EXPECT_EQ(std::memcmp(some.data(), thinned.data(), some.size() * sizeof(Vertex)), 0) << when << describe(config);
      some.assign(some.size(), Vertex{});
    };
    for (const Scalar scalar : {Scalar::interactions, Scalar::density, Scalar::speed}) {
      simulation->show(scalar);
      simulation->step(params, false, &few);
      simulation->write_vertices(whole);
      expect_theirs("step ");
      simulation->write_vertices(few);
      expect_theirs("later ");
    }
    for (const bool bends : {false, true}) {
      few.bends = whole.bends = bends;
      ASSERT_TRUE(simulation->write_vertices_ahead(params, few));
      ASSERT_TRUE(simulation->write_vertices_ahead(params, whole));
      expect_theirs("ahead ");
    }
  }
}

TEST(Vertices, HaveAsManyBodiesAsFit) {
  const auto suits = [](std::size_t bodies, std::size_t every, std::size_t capacity) {
    return VertexTarget{.capacity = capacity, .every = every}.suits(bodies);
  };
  EXPECT_EQ(vertices_of(700, 1), 700u);
  EXPECT_EQ(vertices_of(700, 3), 234u);
  EXPECT_EQ(vertices_of(0, 3), 0u);
  EXPECT_TRUE(suits(700, 1, 700) && suits(700, 1, 5000));
  EXPECT_FALSE(suits(700, 1, 699));
  EXPECT_TRUE(suits(700, 3, 234) && suits(700, 3, 349));
  EXPECT_FALSE(suits(700, 3, 233));
  EXPECT_FALSE(suits(700, 3, 350)) << "one in two would fit";
}

// The drift is rounded as in the step; on the GPU the host may integrate, without fused operations.
TEST(Vertices, AheadAreWhereTheStepMovesTheBodies) {
  for (Config config : configs_of(kBackend)) {
    config.integrator = config.integrator == Integrator::leapfrog ? Integrator::euler : Integrator::leapfrog;
    const double tolerance = config.backend == Backend::cpu ? 0 : 1e-6;
    for (const Scalar scalar : {Scalar::speed, Scalar::interactions}) {
      const auto simulation = Simulation::create(config, scene_bodies("collision", 700, config.dimension));
      const Params params{.dt = 0.02, .softening = 0.1};
      simulation->show(scalar);
      std::vector<Vertex> before(700), ahead(700), after(700);
      simulation->write_vertices(host_target(before));
      ASSERT_TRUE(simulation->write_vertices_ahead(params, host_target(ahead)));
      const Bodies unmoved = simulation->bodies();
      simulation->step(params);
      simulation->write_vertices(host_target(after));
      for (std::size_t i = 0; i < after.size(); ++i) {
        ASSERT_NEAR(ahead[i].x, after[i].x, tolerance) << describe(config);
        ASSERT_NEAR(ahead[i].y, after[i].y, tolerance) << describe(config);
        ASSERT_NEAR(ahead[i].z, after[i].z, tolerance) << describe(config);
        ASSERT_EQ(ahead[i].attribute, before[i].attribute) << describe(config);
        ASSERT_EQ(before[i].x, static_cast<float>(unmoved[i].position[0])) << describe(config);
      }
      EXPECT_NE(ahead[1].x, before[1].x);
    }
  }
}

}  // namespace
}  // namespace pericenter::test
