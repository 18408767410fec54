// Errors of sampled forces: of a simulation, and in a session. Also compiled for CUDA.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "sim/analysis/force_sample.h"
#include "sim/session/session.h"
#include "tests/support/reference.h"

namespace pericenter::test {
namespace {

std::vector<std::size_t> all_of(std::size_t count) {
  std::vector<std::size_t> all(count);
  std::iota(all.begin(), all.end(), std::size_t(0));
  return all;
}

class SampledForcesOfSolvers : public testing::TestWithParam<Config> {};
std::vector<Config> sampled_configs() {
  return configs_of(kBackend);
}
INSTANTIATE_TEST_SUITE_P(Solvers, SampledForcesOfSolvers, testing::ValuesIn(sampled_configs()), test_name);

// At theta = 0 the error is rounding: of float, or of double.
TEST_P(SampledForcesOfSolvers, HaveRoundingErrorsAtThetaZero) {
  const Config& config = GetParam();
  const Bodies bodies = scene_bodies("plummer", 1500, config.dimension);
  const auto simulation = Simulation::create(config, bodies);
  const Params params{.theta = 0, .softening = 0.02, .gravity = 3};
  const std::optional<ForceErrors> errors =
      errors_of(simulation->sampled_forces(params, random_sample(bodies.size(), 300, 1)));
  ASSERT_TRUE(errors);
  const bool single = config.precision == Precision::float32;
  EXPECT_LE(errors->mean, single ? 3e-6 : 1e-13);
  EXPECT_LE(errors->max, single ? 2e-4 : 1e-11);
}

TEST_P(SampledForcesOfSolvers, MatchAccelerationsAndLoop) {
  const Config& config = GetParam();
  const auto simulation = Simulation::create(config, scene_bodies("collision", 700, config.dimension));
  const Params params{.dt = 0.02, .theta = 0.8, .softening = 0.1, .gravity = 2};
  simulation->step(params);
  const Bodies bodies = simulation->bodies();
  const std::vector<Vec3> stored = simulation->accelerations(params);
  const std::vector<std::size_t> sampled = {699, 0, 13, 512};
  const SampledForces forces = simulation->sampled_forces(params, sampled);
  ASSERT_EQ(forces.solver.size(), sampled.size());
  for (std::size_t k = 0; k < sampled.size(); ++k) {
    EXPECT_EQ(forces.solver[k], stored[sampled[k]]);
    const Vec3 exact = 2 * exact_acceleration(bodies, sampled[k], 0.1);
    EXPECT_LE(length(forces.exact[k] - exact), 1e-13 * length(exact)) << k;
  }
  EXPECT_GT(forces.seconds, 0);
}

TEST(SampledForces, AreEvaluatedIfOutOfDate) {
  const auto simulation = Simulation::create({.backend = kBackend}, scene_bodies("plummer", 2000));
  const auto mean_error = [&](double theta) {
    return errors_of(simulation->sampled_forces({.theta = theta, .softening = 0.01}, all_of(2000)))->mean;
  };
  const double coarse = mean_error(1.2), fine = mean_error(0.3);
  EXPECT_GT(coarse, 20 * fine);
  EXPECT_EQ(mean_error(1.2), coarse);
}

// Sizes that fill neither groups of targets nor chunks of sources.
TEST(SampledForces, HaveAnyNumberOfBodies) {
  for (const std::size_t count : {1, 2, 129, 4097, 9001}) {
    const Bodies bodies = scene_bodies("plummer", count);
    const auto simulation =
        Simulation::create({.solver = "direct", .backend = kBackend, .precision = Precision::float64}, bodies);
    const std::vector<std::size_t> sampled = random_sample(count, std::min<std::size_t>(count, 300), 2);
    const std::optional<ForceErrors> errors = errors_of(simulation->sampled_forces({.softening = 0.01}, sampled));
    ASSERT_TRUE(errors) << count;
    EXPECT_LE(errors->max, 1e-11) << count;
  }
  const auto none = Simulation::create({.backend = kBackend}, Bodies());
  EXPECT_TRUE(none->sampled_forces({}, {}).exact.empty());
}

TEST(SampledForces, IgnoreCoincidentBodies) {
  Bodies bodies(3);
  for (Body& body : bodies) body.mass = 1;
  bodies[2].position = {2, 0, 0};
  for (const double softening : {0.0, 1e-3}) {
    const auto simulation = Simulation::create({.backend = kBackend}, bodies);
    const SampledForces forces = simulation->sampled_forces({.softening = softening}, all_of(3));
    EXPECT_NEAR(forces.exact[0][0], 0.25, 1e-6);
    EXPECT_NEAR(forces.exact[2][0], -0.5, 1e-6);
  }
}

TEST(SampledForces, OfNonFiniteBodiesAreUnknown) {
  for (const double value : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    Bodies bodies = scene_bodies("plummer", 600);
    bodies[77].position[1] = value;
    const auto simulation = Simulation::create({.backend = kBackend}, bodies);
    EXPECT_FALSE(errors_of(simulation->sampled_forces({}, all_of(600))));
  }
}

// The bits do not depend on threads or repetition.
TEST(SampledForces, AreReproducible) {
  const Bodies bodies = scene_bodies("plummer", 10'000);
  const std::vector<std::size_t> sampled = random_sample(bodies.size(), 500, 9);
  std::vector<Vec3> first;
  for (const int threads : {1, 2, 3}) {
    const auto simulation = Simulation::create({.backend = kBackend, .threads = threads}, bodies);
    const std::vector<Vec3> exact = simulation->sampled_forces({}, sampled).exact;
    if (first.empty()) first = exact;
    EXPECT_EQ(exact, first) << threads;
  }
}

// The standard deviation of the errors is 1.5 (theta 0.7) to 1.9 (0.9) of their mean, so that the mean of 1,024 bodies
// has a relative standard deviation of 5 to 6 %: 20 % are more than three of them.
TEST(SampledForces, MeanIsThatOfAllBodies) {
  const std::size_t count = 20'000;
  for (const double theta : {0.7, 0.9}) {
    const Params params{.theta = theta, .softening = 0.1};
    const auto simulation = Simulation::create({.backend = kBackend}, scene_bodies("collision", count));
    const SampledForces forces = simulation->sampled_forces(params, all_of(count));
    const std::vector<double> errors = relative_errors(forces.solver, forces.exact);
    const double mean = distribution(errors).mean;
    double squares = 0;
    for (const double error : errors) squares += (error - mean) * (error - mean);
    const double deviation = std::sqrt(squares / static_cast<double>(count)) / mean;
    EXPECT_LT(deviation, 2.1) << theta;
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      const auto sampled = errors_of(simulation->sampled_forces(params, random_sample(count, 1024, seed)));
      EXPECT_NEAR(sampled->mean / mean, 1, 0.2) << "theta " << theta << ", seed " << seed;
    }
    RecordProperty("deviation_" + std::to_string(theta), std::to_string(deviation));
  }
}

}  // namespace
}  // namespace pericenter::test
