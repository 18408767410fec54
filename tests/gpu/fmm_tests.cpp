// The fast multipole solver on CUDA: growing buffers, and cells in batches.
#include <gtest/gtest.h>

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

}  // namespace
}  // namespace pericenter::test
