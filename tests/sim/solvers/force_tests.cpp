#include <gtest/gtest.h>

#include "tests/support/reference.h"

namespace pericenter::test {
namespace {

constexpr double kSoftening = 0.01;

class EveryConfig : public testing::TestWithParam<Config> {};
INSTANTIATE_TEST_SUITE_P(Solvers, EveryConfig, testing::ValuesIn(all_configs()), test_name);

// N1 and N5: direct summation, and a tree that opens every cell, are exact to rounding.
TEST_P(EveryConfig, ThetaZeroIsTheDirectSum) {
  const Config config = GetParam();
  const Bodies bodies = scene_bodies("plummer", 4096, config.dimension);
  const ForceErrors errors = force_errors(config, {.theta = 0, .softening = kSoftening}, bodies, 4096);
  const bool single = config.precision == Precision::float32;
  RecordProperty("percentile_99", std::to_string(errors.percentile_99 * 1e6) + "e-6");
  RecordProperty("max", std::to_string(errors.max * 1e6) + "e-6");
  // In the plane pulls cancel, and a walk for each body adds one after the other.
  const bool is_hard = config.dimension == 2 && find_solver(config.solver)->has_tree();
  EXPECT_LE(errors.max, single ? (is_hard ? 1e-4 : 5e-5) : 1e-11);
  EXPECT_LE(errors.percentile_99, single ? 1e-5 : 1e-12);
}

TEST_P(EveryConfig, AwkwardSizes) {
  for (const std::size_t count : {1, 2, 3, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 129, 255, 256, 257, 1025, 1234}) {
    const Bodies bodies = scene_bodies("plummer", count, GetParam().dimension, 7);
    const std::vector<Vec3> got =
        Simulation::create(GetParam(), bodies)->accelerations({.theta = 0.2, .softening = 0.05});
    ASSERT_EQ(got.size(), count);
    if (count > 1) {
      EXPECT_LE(worst_error(got, bodies, 0.05), coarse_bound(GetParam())) << count << " bodies";
    }
  }
}

TEST_P(EveryConfig, PotentialIsTheSumOverPairs) {
  const Bodies bodies = scene_bodies("plummer", 2000, GetParam().dimension);
  const bool monopoles = has_monopoles_alone(GetParam());
  for (const double softening : {0.0, 0.05}) {
    const double exact = exact_potential_energy(bodies, softening);
    const double got =
        Simulation::create(GetParam(), bodies)->diagnostics({.theta = 0.4, .softening = softening}).potential;
    EXPECT_NEAR(got / exact, 1, monopoles ? 1e-2 : 2e-4) << "softening " << softening;
  }
}

TEST_P(EveryConfig, GravityScalesForcesAndPotential) {
  const Bodies bodies = scene_bodies("plummer", 300, GetParam().dimension);
  const auto simulation = Simulation::create(GetParam(), bodies);
  const std::vector<Vec3> once = simulation->accelerations({.theta = 0.5, .softening = 0.1});
  const double energy = simulation->diagnostics({.theta = 0.5, .softening = 0.1}).potential;
  const std::vector<Vec3> twice = simulation->accelerations({.theta = 0.5, .softening = 0.1, .gravity = 2});
  EXPECT_NEAR(simulation->diagnostics({.theta = 0.5, .softening = 0.1, .gravity = 2}).potential, 2 * energy,
              1e-6 * std::abs(energy));
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    EXPECT_LE(length(twice[i] - 2 * once[i]), rounding(GetParam()) * length(twice[i]));
  }
}

struct Accuracy {
  Walk walk;
  Multipole multipole;
  double theta, mean, percentile_99, max;
};

// N3 and N4, and each other opening angle. The errors are those measured, in 1e-5; with all instruction sets they are
// equal to three digits. A theta that is off by a tenth changes the mean by a sixth or more.
TEST(OctreeForces, HaveTheErrorsOfEachTheta) {
  const Bodies bodies = scene_bodies("plummer", 100'000);
  const Accuracy measured[] = {
      {Walk::group, Multipole::monopole, 0.5, 53.86, 258.3, 545.9},
      {Walk::group, Multipole::quadrupole, 0.3, 2.82, 10.94, 28.6},
      {Walk::group, Multipole::quadrupole, 0.5, 14.63, 51.17, 133.2},
      {Walk::group, Multipole::quadrupole, 0.7, 62.96, 226.5, 333.1},
      {Walk::group, Multipole::quadrupole, 1.0, 298.6, 1240, 4530},
      {Walk::skip, Multipole::monopole, 0.5, 137.8, 585.1, 2846},
      {Walk::skip, Multipole::quadrupole, 0.7, 167.0, 594.7, 1848},
  };
  constexpr std::size_t kStride = 100;
  const Bodies seen = rounded(bodies, Precision::float32);
  std::vector<Vec3> exact;
  for (std::size_t i = 0; i < bodies.size(); i += kStride) exact.push_back(exact_acceleration(seen, i, kSoftening));
  for (const Accuracy& row : measured) {
    Config config{.backend = kBackend, .multipole = row.multipole};
    config.solver_options.set(SolverOption::walk, row.walk);
    const Params params{.theta = row.theta, .softening = kSoftening};
    const std::vector<Vec3> all = Simulation::create(config, bodies)->accelerations(params);
    std::vector<Vec3> got;
    for (std::size_t i = 0; i < all.size(); i += kStride) got.push_back(all[i]);
    const ForceErrors errors = pericenter::force_errors(got, exact);
    const std::string name = describe(config) + ", theta " + std::to_string(row.theta);
    EXPECT_NEAR(errors.mean / (1e-5 * row.mean), 1, 0.1) << name;
    EXPECT_LE(errors.percentile_99, 1.15e-5 * row.percentile_99) << name;
    EXPECT_LE(errors.max, 1.25e-5 * row.max) << name;
  }
}

TEST(DirectSum, LeavesOutBodiesWithoutMass) {
  const Bodies massive = scene_bodies("plummer", 100);
  Bodies bodies;
  for (const Body& body : massive) {
    for (int k = 0; k < 7; ++k) bodies.push_back({body.position + Vec3{0.1 * k, 1, 0}, {}, 0, 0});
    bodies.push_back(body);
  }
  const Params params{.softening = kSoftening};
  const auto simulation = Simulation::create({.solver = "direct"}, bodies);
  const std::vector<Vec3> all = simulation->accelerations(params);
  EXPECT_EQ(simulation->work().body_interactions, 800u * 100u);
  EXPECT_LE(worst_error(all, bodies, kSoftening), 1e-5);
  const auto alone = Simulation::create({.solver = "direct"}, massive);
  const std::vector<Vec3> expected = alone->accelerations(params);
  for (std::size_t i = 0; i < massive.size(); ++i) EXPECT_EQ(all[8 * i + 7], expected[i]);
  EXPECT_EQ(simulation->diagnostics(params).potential, alone->diagnostics(params).potential);
}

TEST(OctreeForces, QuadrupolesBeatMonopolesInBothDimensions) {
  for (const int dimension : {2, 3}) {
    const Bodies bodies = scene_bodies("uniform", 20'000, dimension);
    const Params params{.theta = 0.6, .softening = kSoftening};
    const double monopole =
        force_errors({.backend = kBackend, .dimension = dimension, .multipole = Multipole::monopole}, params, bodies,
                     500)
            .mean;
    const double quadrupole = force_errors({.backend = kBackend, .dimension = dimension}, params, bodies, 500).mean;
    EXPECT_LT(quadrupole, 0.6 * monopole) << dimension << "D";
  }
}

TEST(OctreeForces, HoldOnTwoGalaxiesAndUnequalMasses) {
  Bodies bodies = scene_bodies("collision", 20'000);
  for (std::size_t i = 0; i < bodies.size(); i += 97) bodies[i].mass *= 1e6;
  const ForceErrors errors = force_errors({.backend = kBackend}, {.theta = 0.5, .softening = kSoftening}, bodies, 1000);
  EXPECT_LE(errors.percentile_99, 5e-3);
  EXPECT_LE(errors.max, 3e-2);
}

TEST(OctreeForces, DistantSphereActsWithItsTotalMass) {
  // Massless probes beside it feel distant cells only, so that a missing cell shows.
  Bodies bodies = scene_bodies("plummer", 2000);
  for (std::size_t i = 0; i < 1000; ++i) {
    bodies[i].position[0] += 100;
    bodies[i].mass = 0;
  }
  const Params params{.theta = 1, .softening = kSoftening};
  const std::vector<Vec3> got = Simulation::create({.backend = kBackend}, bodies)->accelerations(params);
  for (std::size_t i = 0; i < 1000; ++i) {
    const Vec3 exact = exact_acceleration(bodies, i, kSoftening);
    EXPECT_LE(length(got[i] - exact), 1e-4 * length(exact));
  }
}

TEST(OctreeForces, CellsContainingTheGroupAreOpened) {
  // The heavy body shifts the centre of mass of the root so far that the root passes the criterion of a large theta.
  Bodies bodies = scene_bodies("uniform", 100);
  for (Body& body : bodies) body = {.position = body.position * 0.01, .velocity = {}, .mass = 1e-4};
  bodies.push_back({.position = {1, 0, 0}, .velocity = {}, .mass = 1});
  const ForceErrors errors = force_errors({.backend = kBackend}, {.theta = 2, .softening = 1e-4}, bodies, 101);
  EXPECT_LE(errors.mean, 0.1);
}

TEST(OctreeForces, CountsItsWork) {
  const Bodies bodies = scene_bodies("plummer", 5000);
  const auto simulation = Simulation::create({.backend = kBackend}, bodies);
  simulation->accelerations({.theta = 0});
  EXPECT_EQ(simulation->work().body_interactions, 5000u * 5000u);
  EXPECT_EQ(simulation->work().cell_interactions, 0u);
  simulation->accelerations({.theta = 0.8});
  EXPECT_LT(simulation->work().body_interactions, 5000u * 2000u);
  EXPECT_GT(simulation->work().cell_interactions, 5000u * 50u);
  const auto monopole = Simulation::create({.backend = kBackend, .multipole = Multipole::monopole}, bodies);
  monopole->accelerations({.theta = 0.8});
  EXPECT_EQ(monopole->work().cell_interactions, simulation->work().cell_interactions);
  EXPECT_EQ(monopole->work().body_interactions, simulation->work().body_interactions);
}

}  // namespace
}  // namespace pericenter::test
