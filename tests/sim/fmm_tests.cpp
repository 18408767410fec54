#include <gtest/gtest.h>

#include <numeric>

#include "tests/sim/reference.h"

namespace pericenter::test {
namespace {

constexpr double kSoftening = 0.01;

Config fmm(int order, Config config = {}) {
  config.solver = "fmm";
  config.backend = kBackend;
  config.switches.set(Switch::expansion, order - 3);
  return config;
}

struct Accuracy {
  int order;
  double theta, mean, percentile_99, max;
};

// Some three times what was measured.
TEST(Fmm, StaysWithinTheBoundOfEachOrderAndTheta) {
  const Bodies bodies = scene_bodies("plummer", 30'000);
  const Accuracy bounds[] = {
      {3, 0.3, 1e-3, 1e-2, 1e-1},   {3, 0.6, 8e-3, 6e-2, 5e-1},   {4, 0.3, 1e-4, 1e-3, 1e-2},
      {4, 0.5, 1e-3, 1e-2, 1e-1},   {4, 0.7, 3e-3, 3e-2, 1},      {5, 0.3, 2e-5, 2e-4, 3e-3},
      {5, 0.5, 2.5e-4, 3e-3, 3e-2}, {5, 0.7, 1.2e-3, 3e-2, 5e-1}, {5, 1, 1e-2, 1e-1, 5e-1},
  };
  for (const Accuracy& bound : bounds) {
    SCOPED_TRACE(testing::Message() << "order " << bound.order << ", theta " << bound.theta);
    const ForceErrors errors =
        force_errors(fmm(bound.order), {.theta = bound.theta, .softening = kSoftening}, bodies, 300);
    EXPECT_LE(errors.mean, bound.mean);
    EXPECT_LE(errors.percentile_99, bound.percentile_99);
    EXPECT_LE(errors.max, bound.max);
    EXPECT_GT(errors.mean, bound.mean / 30) << "a tree that opened everything would be no tree";
  }
}

TEST(Fmm, EachOrderIsBetterThanTheOneBefore) {
  for (const int dimension : {2, 3}) {
    for (const char* scene : {"uniform", "collision"}) {
      const Bodies bodies = scene_bodies(scene, 10'000, dimension);
      double before = 1;
      for (const int order : {3, 4, 5}) {
        const double mean =
            force_errors(fmm(order, {.dimension = dimension}), {.theta = 0.6, .softening = kSoftening}, bodies, 300)
                .mean;
        EXPECT_LT(mean, 0.6 * before) << scene << " " << dimension << "D, order " << order;
        before = mean;
      }
    }
  }
}

TEST(Fmm, HoldsOnTwoGalaxiesAndUnequalMasses) {
  Bodies bodies = scene_bodies("collision", 20'000);
  for (std::size_t i = 0; i < bodies.size(); i += 97) bodies[i].mass *= 1e6;
  const ForceErrors errors = force_errors(fmm(5), {.theta = 0.5, .softening = kSoftening}, bodies, 500);
  EXPECT_LE(errors.percentile_99, 5e-3);
  EXPECT_LE(errors.max, 3e-2);
}

// Massless probes beside it have no force but that of far cells: one that is dropped, or has a wrong sign, shows.
TEST(Fmm, ASphereFarAwayPullsWithAllItsMass) {
  Bodies bodies = scene_bodies("plummer", 2000);
  for (std::size_t i = 0; i < 1000; ++i) {
    bodies[i].position[0] += 300;
    bodies[i].mass = 0;
  }
  for (const auto& [order, bound] : {std::pair(3, 1e-4), std::pair(4, 3e-5), std::pair(5, 1e-5)}) {
    const std::vector<Vec3> got =
        Simulation::create(fmm(order), bodies)->accelerations({.theta = 0.9, .softening = kSoftening});
    for (std::size_t i = 0; i < 1000; ++i) {
      const Vec3 exact = exact_acceleration(bodies, i, kSoftening);
      EXPECT_LE(length(got[i] - exact), bound * length(exact)) << i << ", order " << order;
    }
  }
}

// Kilometres and kilograms, or kiloparsecs: high powers of lengths leave single precision at once.
TEST(Fmm, UnitsDoNotMatter) {
  const Bodies bodies = scene_bodies("plummer", 4000);
  const auto errors = [&](double length_unit, double mass_unit) {
    Bodies scaled = bodies;
    for (Body& body : scaled) {
      body.position = body.position * length_unit;
      body.mass *= mass_unit;
    }
    return force_errors(fmm(5), {.theta = 0.6, .softening = kSoftening * length_unit}, scaled, 300);
  };
  const ForceErrors plain = errors(1, 1);
  for (const double length_unit : {0x1p-20, 0x1p+20}) {
    for (const double mass_unit : {0x1p-20, 0x1p+30}) {
      EXPECT_NEAR(errors(length_unit, mass_unit).mean, plain.mean, 1e-3 * plain.mean);
    }
  }
}

TEST(Fmm, CountsItsWork) {
  const Bodies bodies = scene_bodies("plummer", 10'000);
  const auto simulation = Simulation::create(fmm(4), bodies);
  simulation->show(Scalar::interactions);
  simulation->accelerations({.theta = 0});
  EXPECT_EQ(simulation->work().body_interactions, 10'000u * 10'000u);
  EXPECT_EQ(simulation->work().cell_interactions, 0u);
  simulation->accelerations({.theta = 0.8});
  const WorkCounts work = simulation->work();
  EXPECT_LT(work.body_interactions, 10'000u * 1500u);
  EXPECT_GT(work.cell_interactions, 10'000u);
  EXPECT_LT(work.cell_interactions, 10'000u * 60u);
  const std::vector<std::uint32_t> each = simulation->interactions();
  EXPECT_GT(std::accumulate(each.begin(), each.end(), std::uint64_t(0)), work.interactions());
}

TEST(Fmm, FindsTheSameCellsWithEveryInstructionSet) {
  if (kBackend != Backend::cpu) GTEST_SKIP() << "instruction sets of the CPU";
  for (const int dimension : {2, 3}) {
    const Bodies bodies = scene_bodies("collision", 5000, dimension);
    for (const Precision precision : {Precision::float32, Precision::float64}) {
      const auto work = [&](Simd simd) {
        const auto simulation =
            Simulation::create(fmm(3, {.precision = precision, .dimension = dimension, .simd = simd}), bodies);
        simulation->accelerations({.theta = 0.45, .softening = kSoftening});
        return simulation->work();
      };
      const WorkCounts plain = work(Simd::plain);
      for (const Simd simd : supported_simd()) {
        const WorkCounts got = work(simd);
        EXPECT_EQ(got.body_interactions, plain.body_interactions);
        EXPECT_EQ(got.cell_interactions, plain.cell_interactions);
        EXPECT_EQ(got.node_visits, plain.node_visits);
      }
    }
  }
}

TEST(Fmm, ManyBodiesAtOnePlaceAreOnePoint) {
  Bodies bodies(50'000, Body{.position = {0.3, -0.2, 0.1}, .velocity = {}, .mass = 1.0 / 50'000});
  const auto simulation = Simulation::create(fmm(4), bodies);
  for (const Vec3& a : simulation->accelerations({.theta = 0.7, .softening = 0.05})) ASSERT_EQ(a, Vec3{});
  EXPECT_EQ(simulation->work().body_interactions, 50'000u);
}

TEST(Fmm, AThetaThatNoExpansionBearsIsTheLargestThatTheyDo) {
  const Bodies bodies = scene_bodies("plummer", 3000);
  const auto simulation = Simulation::create(fmm(4), bodies);
  EXPECT_EQ(simulation->accelerations({.theta = 2}), simulation->accelerations({.theta = 1}));
}

}  // namespace
}  // namespace pericenter::test
