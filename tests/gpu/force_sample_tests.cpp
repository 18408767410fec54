// Sampled forces on a GPU; those of tests/sim/cpu/sampled_forces_tests.cpp also run on CUDA.
#include <gtest/gtest.h>

#include <cmath>

#include "sim/analysis/force_sample.h"
#include "tests/gpu/support.h"

namespace pericenter::test {
namespace {

// Counts around the sizes of blocks and chunks, with a sample that grows and shrinks.
TEST(CudaForceSample, EqualsTheSumOnTheCpu) {
  for (const std::size_t count : {1, 127, 128, 129, 5000, 100'003}) {
    const Bodies bodies = rounded(scene_bodies("collision", count), Precision::float32);
    const auto simulation = Simulation::create({.backend = Backend::cuda}, bodies);
    const Params params{.theta = 0.7, .softening = 0.1, .gravity = 2};
    for (const std::size_t wanted : {7, 1024, 130}) {
      const std::vector<std::size_t> sampled = random_sample(count, std::min(count, wanted), wanted);
      const SampledForces forces = simulation->sampled_forces(params, sampled);
      const std::vector<Vec3> expected = direct_accelerations(bodies, sampled, 0.1);
      ASSERT_EQ(forces.exact.size(), sampled.size());
      for (std::size_t k = 0; k < sampled.size(); ++k)
        ASSERT_LE(length(forces.exact[k] - 2 * expected[k]), 1e-11 * length(expected[k])) << count << ", sample " << k;
    }
  }
}

TEST(CudaForceSample, HasTheSameBitsEachTime) {
  const Bodies bodies = scene_bodies("collision", sized(200'000));
  const auto simulation = Simulation::create({.backend = Backend::cuda}, bodies);
  const std::vector<std::size_t> sampled = random_sample(bodies.size(), 500, 4);
  const std::vector<Vec3> first = simulation->sampled_forces({}, sampled).exact;
  for (int k = 0; k < 3; ++k) EXPECT_EQ(simulation->sampled_forces({}, sampled).exact, first);
}

// The steps are graphs; a sample between two of them changes nothing.
TEST(CudaForceSample, DoesNotChangeTheMotion) {
  const Bodies bodies = scene_bodies("collision", sized(20'000));
  const Params params{.dt = 0.02, .theta = 0.7, .softening = 0.1};
  std::uint64_t bits[2];
  for (const bool sampled : {false, true}) {
    const auto simulation = Simulation::create({.backend = Backend::cuda}, bodies);
    for (int k = 0; k < 10; ++k) {
      simulation->step(params);
      if (sampled) simulation->sampled_forces(params, random_sample(bodies.size(), 300, 1));
    }
    bits[sampled ? 1 : 0] = hash(simulation->bodies());
  }
  EXPECT_EQ(bits[0], bits[1]);
}

}  // namespace
}  // namespace pericenter::test
