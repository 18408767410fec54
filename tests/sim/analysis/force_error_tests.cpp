#include "sim/analysis/force_error.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "tests/support/reference.h"

namespace pericenter::test {
namespace {

using Errors = pericenter::ForceErrors;

TEST(DirectAccelerations, MatchALoopOverAllPairs) {
  // Counts that fill neither blocks of targets nor tiles of sources.
  for (const std::size_t count : {1, 2, 17, 511, 1025}) {
    for (const double softening : {0.0, 0.05}) {
      const Bodies bodies = scene_bodies("plummer", count);
      std::vector<std::size_t> sampled;
      for (std::size_t i = 0; i < count; i += 3) sampled.push_back(count - 1 - i);
      const std::vector<Vec3> got = direct_accelerations(bodies, sampled, softening);
      ASSERT_EQ(got.size(), sampled.size());
      for (std::size_t k = 0; k < sampled.size(); ++k) {
        const Vec3 exact = exact_acceleration(bodies, sampled[k], softening);
        EXPECT_LE(length(got[k] - exact), 1e-12 * length(exact)) << count << " bodies, body " << sampled[k];
      }
    }
  }
}

TEST(DirectAccelerations, IgnoreCoincidentBodies) {
  Bodies bodies(3);
  for (Body& body : bodies) body.mass = 1;
  bodies[2].position = {2, 0, 0};
  const std::size_t first[] = {0};
  EXPECT_NEAR(direct_accelerations(bodies, first, 0)[0][0], 0.25, 1e-15);
}

TEST(DirectAccelerations, OfNoBodiesAreEmpty) {
  EXPECT_TRUE(direct_accelerations(scene_bodies("plummer", 10), {}, 0.1).empty());
}

TEST(Rounded, MatchesTheSolver) {
  const Bodies bodies = scene_bodies("plummer", 100);
  EXPECT_EQ(hash(rounded(bodies, Precision::float64)), hash(bodies));
  const Bodies single = rounded(bodies, Precision::float32);
  EXPECT_NE(hash(single), hash(bodies));
  EXPECT_EQ(hash(Simulation::create({}, bodies)->bodies()), hash(single));
  EXPECT_EQ(single.back().mass, static_cast<double>(0.01f));
  EXPECT_EQ(single.back().tag, bodies.back().tag);
}

TEST(ForceErrors, AreRelativeAndSorted) {
  std::vector<Vec3> exact(200), got(200);
  for (std::size_t i = 0; i < exact.size(); ++i) {
    exact[i] = {0, 2, 0};
    got[i] = {2e-3 * static_cast<double>(200 - i), 2, 0};
  }
  const Errors errors = force_errors(got, exact);
  EXPECT_NEAR(errors.mean, 0.1005, 1e-12);
  EXPECT_NEAR(errors.median, 0.101, 1e-12);
  EXPECT_NEAR(errors.percentile_99, 0.199, 1e-12);
  EXPECT_NEAR(errors.max, 0.2, 1e-12);
}

TEST(ForceErrors, HandleZeroForceAndNan) {
  const Vec3 none[] = {{}}, some[] = {{0, 0, 3}}, broken[] = {{std::nan(""), 0, 0}};
  EXPECT_EQ(force_errors(none, none).max, 0);
  EXPECT_EQ(force_errors(some, none).max, 3);
  EXPECT_EQ(force_errors(broken, some).mean, std::numeric_limits<double>::infinity());
}

TEST(ForceErrors, OfDirectSumsMatchThePrecision) {
  const Bodies bodies = scene_bodies("plummer", 3000);
  std::vector<std::size_t> sampled(300);
  std::iota(sampled.begin(), sampled.end(), 100);
  for (const Precision precision : {Precision::float32, Precision::float64}) {
    const std::vector<Vec3> exact = direct_accelerations(rounded(bodies, precision), sampled, 0.01);
    const auto simulation = Simulation::create({.solver = "direct", .precision = precision}, bodies);
    const std::vector<Vec3> all = simulation->accelerations({.softening = 0.01});
    const Errors errors = force_errors(std::span(all).subspan(100, 300), exact);
    EXPECT_LE(errors.max, precision == Precision::float32 ? 5e-5 : 1e-11);
  }
}

}  // namespace
}  // namespace pericenter::test
