// The fast multipole solver on CUDA: growing buffers, and cells in batches.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "tests/gpu/support.h"

namespace pericenter::test {
namespace {

const Config kFmm = {.solver = "fmm", .backend = Backend::cuda};

TEST(CudaFmm, GrowsListMemory) {
  if (short_run()) GTEST_SKIP() << "few bodies never exceed the initial capacity";
  const Bodies bodies = scene_bodies("plummer", 300'000);
  Params params{.dt = 0.001, .softening = 0.01};
  const auto simulation = Simulation::create(kFmm, bodies);
  const std::size_t first = simulation->device_memory().used_bytes;
  simulation->step(params);
  EXPECT_EQ(simulation->device_memory().used_bytes, first);
  params.theta = 0.3;  // lists about ten times as long
  simulation->step(params);
  EXPECT_GT(simulation->device_memory().used_bytes, first + 10'000'000);
  EXPECT_EQ(simulation->note(), "");
  EXPECT_LE(worst_error(simulation->accelerations(params), simulation->bodies(), params.softening, 3001), 1e-3);
}

TEST(CudaFmm, ProcessesManyBodiesInBatches) {
  if (short_run()) GTEST_SKIP() << "few bodies fit into one batch";
  const Params params{.theta = 0.8, .softening = 0.001};
  const Bodies bodies = scene_bodies("collision", 30'000'000);
  const auto simulation = Simulation::create(kFmm, bodies);
  const std::vector<Vec3> accelerations = simulation->accelerations(params);
  EXPECT_LE(worst_error(accelerations, bodies, params.softening, bodies.size() / 50), 2e-2);
  EXPECT_LE(simulation->device_memory().used_bytes, 110 * bodies.size());
}

/// A cube of bodies, a quarter of them drawn together to a cluster of this size. The range of the coordinates does not
/// depend on the order of the bodies, as it can with bodies far outside.
Bodies cube_with_cluster(double size) {
  Bodies bodies = scene_bodies("uniform", 4000);
  for (std::size_t i = 0; i < bodies.size(); i += 4) bodies[i].position *= size;
  return bodies;
}

// The sort completes places with few keys of the same leading bits in a second kernel, and sorts again by more bits if
// there are more. Without that, bodies near each other would keep their input order.
TEST(CudaFmm, ResultDoesNotDependOnTheOrderOfTheBodies) {
  const Params params{.theta = 0.7, .softening = 1e-4};
  for (const double cluster : {1.0, 0.003, 1e-4}) {
    const Bodies bodies = cube_with_cluster(cluster), reversed(bodies.rbegin(), bodies.rend());
    std::vector<Vec3> turned = Simulation::create(kFmm, reversed)->accelerations(params);
    std::ranges::reverse(turned);
    const std::vector<Vec3> expected = Simulation::create(kFmm, bodies)->accelerations(params);
    EXPECT_EQ(turned, expected) << cluster;
    EXPECT_LE(worst_error(expected, bodies, params.softening, 7), 2e-2) << cluster;
  }
}

// Nearly harmonic kernels need fewer components of a tensor. Plain code on the CPU has all; its leaves are larger.
TEST(CudaFmm, IsAsExactAsOnTheCpuAtEverySoftening) {
  for (const char* scene : {"plummer", "collision"}) {
    const Bodies bodies = scene_bodies(scene, sized(20'000));
    for (const double softening : {0.0, 0.01, 0.03, 0.1, 0.3, 10.0}) {
      const auto errors = [&](const Config& config) {
        return force_errors(config, {.theta = 0.9, .softening = softening}, bodies, 500);
      };
      const ForceErrors got = errors(kFmm), all = errors({.solver = "fmm", .simd = Simd::plain});
      SCOPED_TRACE(testing::Message() << scene << ", softening " << softening);
      EXPECT_LE(got.mean, 1.3 * all.mean + 1e-6);
      EXPECT_LE(got.percentile_99, 1.4 * all.percentile_99 + 1e-5);
    }
  }
}

// Sources of equal masses are added without their mass, unless the inverse cubes of distances are too small for it.
TEST(CudaFmm, ActsWithEqualAndWithOtherMasses) {
  const Bodies equal = scene_bodies("uniform", 200);
  Bodies other = equal, wide = equal, bad = equal;
  other[77].mass *= 1e5;
  for (Body& body : wide) {
    body.position *= 4e14;
    body.mass = 1e20;
  }
  bad[150].position[0] = std::numeric_limits<double>::quiet_NaN();
  const auto error = [](const Bodies& bodies, double softening) {
    const Params params{.theta = 0.3, .softening = softening};
    return worst_error(Simulation::create(kFmm, bodies)->accelerations(params), bodies, softening, 1);
  };
  EXPECT_LE(error(equal, 0.01), 1e-4);
  EXPECT_LE(error(other, 0.01), 1e-4);
  EXPECT_LE(error(wide, 4e12), 1e-4);
  // A body that is nowhere has no mass.
  std::vector<Vec3> got = Simulation::create(kFmm, bad)->accelerations({.theta = 0.3, .softening = 0.01});
  got.erase(got.begin() + 150);
  bad.erase(bad.begin() + 150);
  EXPECT_LE(worst_error(got, bad, 0.01), 1e-4);
}

// The order of the sums must not depend on which warp takes which cell: lists of both kinds, over several chunks.
TEST(CudaFmm, HasTheSameBitsInEveryRun) {
  const Params params{.theta = 0.8, .softening = 0.1};
  const Bodies bodies = scene_bodies("collision", sized(300'000));
  const std::vector<Vec3> first = Simulation::create(kFmm, bodies)->accelerations(params);
  for (int run = 0; run < 3; ++run) EXPECT_EQ(Simulation::create(kFmm, bodies)->accelerations(params), first);
}

}  // namespace
}  // namespace pericenter::test
