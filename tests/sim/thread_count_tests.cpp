#include <gtest/gtest.h>
#include <oneapi/tbb/global_control.h>

#include "tests/sim/reference.h"

namespace pericenter::test {
namespace {

// D1.
TEST(Determinism, AnyNumberOfThreadsGivesTheSameBits) {
  const tbb::global_control more_threads_than_cores(tbb::global_control::max_allowed_parallelism, 8);
  for (const char* solver : {"direct", "octree"}) {
    const Bodies bodies = scene_bodies("collision", solver == std::string("direct") ? 500 : 2000);
    std::uint64_t expected = 0;
    for (const int threads : {1, 2, 3, 5, 8}) {
      for (int run = 0; run < (threads == 1 ? 1 : 3); ++run) {
        const auto simulation = Simulation::create({.solver = solver, .threads = threads}, bodies);
        for (int i = 0; i < 500; ++i) simulation->step({.dt = 0.02, .theta = 0.7, .softening = 0.1}, i % 10 == 0);
        const std::uint64_t got = hash(simulation->bodies());
        if (expected == 0) expected = got;
        ASSERT_EQ(got, expected) << solver << " with " << threads << " threads";
      }
    }
  }
}

}  // namespace
}  // namespace pericenter::test
