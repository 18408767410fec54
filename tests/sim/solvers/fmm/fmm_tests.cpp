#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include "sim/core/vertex_target.h"
#include "sim/solvers/fmm/cell_tree.h"
#include "sim/solvers/tree/tree_builder.h"
#include "tests/support/reference.h"

namespace pericenter::test {
namespace {

constexpr double kSoftening = 0.01;

Config fmm(int order, Config config = {}) {
  config.solver = "fmm";
  config.backend = kBackend;
  config.solver_options.set(SolverOption::expansion, order - 3);
  return config;
}

Config by_error(int order, Config config = {}) {
  config.solver_options.set(SolverOption::opening, Opening::error);
  return fmm(order, config);
}

struct Accuracy {
  int order;
  double theta, mean, percentile_99, max;
};

// About three times the measured errors.
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
    EXPECT_GT(errors.mean, bound.mean / 30) << "all cells were opened";
  }
}

// Bodies in the outskirts are in wide leaves, and the core acts on them from one side. With leaves of
// one size their mean error is 1.5e-2, and the largest 0.25.
TEST(Fmm, OutermostBodiesHaveSmallErrors) {
  const Bodies bodies = scene_bodies("plummer", 100'000);
  std::vector<std::size_t> outermost(bodies.size());
  std::iota(outermost.begin(), outermost.end(), std::size_t(0));
  std::ranges::nth_element(outermost, outermost.begin() + 500, std::greater(),
                           [&](std::size_t i) { return length(bodies[i].position); });
  outermost.resize(500);
  const auto simulation = Simulation::create(fmm(5), bodies);
  const std::vector<Vec3> all = simulation->accelerations({.theta = 0.7, .softening = kSoftening});
  std::vector<Vec3> found;
  for (const std::size_t i : outermost) found.push_back(all[i]);
  const ForceErrors errors =
      force_errors(found, direct_accelerations(rounded(bodies, Precision::float32), outermost, kSoftening));
  EXPECT_LE(errors.mean, 3e-3);
  EXPECT_LE(errors.max, 0.12);
}

// The mean error is the requested accuracy within a factor of two for every scene, unless theta limits it.
TEST(Fmm, ErrorOpeningMeetsTheAccuracy) {
  for (const char* scene : {"plummer", "collision", "uniform", "galaxy"}) {
    const Bodies bodies = scene_bodies(scene, 10'000);
    for (const auto& [order, accuracy] : {std::pair(3, 1e-2), std::pair(3, 1e-3), std::pair(4, 3e-3),
                                          std::pair(4, 3e-4), std::pair(5, 1e-3), std::pair(5, 1e-4)}) {
      SCOPED_TRACE(testing::Message() << scene << ", order " << order << ", accuracy " << accuracy);
      const ForceErrors errors =
          force_errors(by_error(order), {.accuracy = accuracy, .softening = kSoftening}, bodies, 300);
      EXPECT_LE(errors.mean, 2 * accuracy);
      EXPECT_GE(errors.mean, accuracy / 3);
      EXPECT_LE(errors.percentile_99, 20 * accuracy);
    }
  }
}

TEST(Fmm, ErrorOpeningMeetsTheAccuracyIn2D) {
  for (const char* scene : {"plummer", "uniform"}) {
    const Bodies bodies = scene_bodies(scene, 10'000, 2);
    for (const int order : {3, 4, 5}) {
      const double mean = force_errors(by_error(order, {.dimension = 2}), {.softening = kSoftening}, bodies, 300).mean;
      EXPECT_LE(mean, 2e-3) << scene << ", order " << order;
      EXPECT_GE(mean, 4e-4) << scene << ", order " << order;
    }
  }
}

// Two distant systems: a tenth of the acceleration requires a tenth of the absolute error.
TEST(Fmm, ErrorOpeningIgnoresTheMassScale) {
  Bodies bodies = scene_bodies("plummer", 8000);
  for (std::size_t i = 0; i < bodies.size(); i += 2) {
    bodies[i].position[0] += 500;
    bodies[i].mass *= 1e-3;
  }
  const Params params{.accuracy = 1e-3, .softening = kSoftening};
  const auto simulation = Simulation::create(by_error(4), bodies);
  const std::vector<Vec3> got = simulation->accelerations(params);
  for (const std::size_t system : {0, 1}) {
    std::vector<Vec3> of_system, exact;
    for (std::size_t i = system; i < bodies.size(); i += 40) {
      of_system.push_back(got[i]);
      exact.push_back(exact_acceleration(bodies, i, kSoftening));
    }
    const double mean = pericenter::force_errors(of_system, exact).mean;
    EXPECT_LE(mean, 2e-3) << "system " << system;
    EXPECT_GE(mean, 2e-4) << "system " << system;
  }
}

TEST(Fmm, ErrorOpeningUsesThetaOnlyIfZero) {
  const Bodies bodies = scene_bodies("plummer", 3000);
  const auto simulation = Simulation::create(by_error(4), bodies);
  EXPECT_EQ(simulation->accelerations({.theta = 0.3}), simulation->accelerations({.theta = 1}));
  EXPECT_GT(simulation->work().cell_interactions, 0u);
  simulation->accelerations({.theta = 0});
  EXPECT_EQ(simulation->work().cell_interactions, 0u);
  EXPECT_EQ(simulation->work().body_interactions, 3000u * 3000u);
}

TEST(Fmm, AccuracyChangesTheForce) {
  const Bodies bodies = scene_bodies("plummer", 3000);
  const auto simulation = Simulation::create(by_error(4), bodies);
  const std::vector<Vec3> coarse = simulation->accelerations({.accuracy = 1e-2});
  const std::vector<Vec3> fine = simulation->accelerations({.accuracy = 1e-4});
  EXPECT_NE(coarse, fine);
  EXPECT_EQ(simulation->accelerations({.accuracy = 1e-2}), coarse) << "depends on earlier parameters";
}

TEST(Fmm, ErrorDecreasesWithOrder) {
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

// Kernels without all components of a tensor are used where the softening allows it. Plain code has all.
TEST(Fmm, IsAsExactWithAllInstructionSetsAtEverySoftening) {
  if (kBackend != Backend::cpu) GTEST_SKIP() << "instruction sets of the CPU";
  for (const char* scene : {"plummer", "collision"}) {
    const Bodies bodies = scene_bodies(scene, 10'000);
    for (const int order : {4, 5}) {
      for (const double softening : {0.0, 0.01, 0.03, 0.1, 0.3, 10.0}) {
        const auto errors = [&](Simd simd) {
          return force_errors(fmm(order, {.simd = simd}), {.theta = 0.9, .softening = softening}, bodies, 300);
        };
        const ForceErrors plain = errors(Simd::plain);
        for (const Simd simd : supported_simd()) {
          SCOPED_TRACE(testing::Message()
                       << scene << ", order " << order << ", softening " << softening << ", " << enum_name(simd));
          const ForceErrors got = errors(simd);
          EXPECT_LE(got.mean, 1.04 * plain.mean + 1e-6);
          EXPECT_LE(got.percentile_99, 1.1 * plain.percentile_99 + 1e-5);
        }
      }
    }
  }
}

TEST(Fmm, LargeCellsObeyAStricterAngle) {
  const Config config{.solver = "fmm", .precision = Precision::float64};
  const auto builder = make_tree_builder<double, 3>(config);
  StageTimings timings;
  builder->build(to_arrays<double, 3>(scene_bodies("plummer", 5000)), 1, timings);
  CellTree<double, 3> cells;
  const auto rule = CellCriterion<double>::of(0.7, 0.01);
  const auto make = [&](CellTree<double, 3>::Weights weights) {
    cells.make(builder->view(), expansion_kernels<double, 3>(Simd::plain, 5), {}, weights);
  };
  make(no_weights<double>);
  const double radius = cells.target(0, rule).radius;
  EXPECT_EQ(cells.row().reach[0], radius);
  make(cpu_weights<double>);
  EXPECT_DOUBLE_EQ(cells.target(0, rule).radius, 1.25 * radius);
  EXPECT_EQ(cells.row().reach[0], radius);
  make(cuda_weights<double>);
  EXPECT_DOUBLE_EQ(cells.target(0, rule).radius, 1.15 * radius);
  EXPECT_DOUBLE_EQ(cells.row().reach[0], 1.1 * radius);
}

// Massless probes beside it feel distant cells only, so that a missing cell or a wrong sign shows.
TEST(Fmm, DistantSphereActsWithItsTotalMass) {
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

// Kilometres and kilograms, or kiloparsecs: high powers of lengths leave the range of single precision.
TEST(Fmm, IsIndependentOfUnits) {
  const Bodies bodies = scene_bodies("plummer", 4000);
  const auto errors = [&](Opening opening, double length_unit, double mass_unit) {
    Bodies scaled = bodies;
    for (Body& body : scaled) {
      body.position = body.position * length_unit;
      body.mass *= mass_unit;
    }
    const Config config = opening == Opening::angle ? fmm(5) : by_error(5);
    return force_errors(config, {.theta = 0.6, .softening = kSoftening * length_unit}, scaled, 300).mean;
  };
  for (const Opening opening : {Opening::angle, Opening::error}) {
    const double plain = errors(opening, 1, 1);
    for (const double length_unit : {0x1p-20, 0x1p+20}) {
      for (const double mass_unit : {0x1p-20, 0x1p+30}) {
        EXPECT_NEAR(errors(opening, length_unit, mass_unit), plain, 1e-3 * plain);
      }
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

TEST(Fmm, FindsTheSameCellsWithAllInstructionSets) {
  if (kBackend != Backend::cpu) GTEST_SKIP() << "instruction sets of the CPU";
  for (const int dimension : {2, 3}) {
    const Bodies bodies = scene_bodies("collision", 5000, dimension);
    for (const Precision precision : {Precision::float32, Precision::float64}) {
      for (const Config& config : {fmm(3, {.precision = precision, .dimension = dimension}),
                                   by_error(3, {.precision = precision, .dimension = dimension})}) {
        const auto work = [&](Simd simd) {
          Config with_simd = config;
          with_simd.simd = simd;
          const auto simulation = Simulation::create(with_simd, bodies);
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
}

TEST(Fmm, CoincidentBodiesAreOnePoint) {
  Bodies bodies(50'000, Body{.position = {0.3, -0.2, 0.1}, .velocity = {}, .mass = 1.0 / 50'000});
  const auto simulation = Simulation::create(fmm(4), bodies);
  for (const Vec3& a : simulation->accelerations({.theta = 0.7, .softening = 0.05})) ASSERT_EQ(a, Vec3{});
  EXPECT_EQ(simulation->work().body_interactions, 50'000u);
}

TEST(Fmm, ThetaIsClampedToItsMaximum) {
  const Bodies bodies = scene_bodies("plummer", 3000);
  const auto simulation = Simulation::create(fmm(4), bodies);
  EXPECT_EQ(simulation->accelerations({.theta = 2}), simulation->accelerations({.theta = 1}));
}

}  // namespace
}  // namespace pericenter::test
