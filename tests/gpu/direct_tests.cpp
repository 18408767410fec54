// Direct sums on CUDA.
#include <gtest/gtest.h>

#include "tests/gpu/support.h"

namespace pericenter::test {
namespace {

// A block with more bodies than the scene, tiles that are not full, and all ways to divide a block.
TEST(CudaDirectTiled, SumsAllPairsWithAnyBlockTileAndThreadsPerBody) {
  const auto values = [](SolverOption which) { return static_cast<int>(solver_option_info(which).values.size()); };
  for (const Precision precision : {Precision::float32, Precision::float64}) {
    const bool single = precision == Precision::float32;
    for (const std::size_t count : {0, 1, 2, 255, 257, 1000, 1100}) {
      const Bodies bodies = rounded(scene_bodies("plummer", count), precision);
      const Params params{.softening = 0.01};
      const double exact = count < 2 ? 0 : exact_potential_energy(bodies, params.softening);
      for (int k = 0; k < values(SolverOption::threads_per_body) * values(SolverOption::block); ++k) {
        Config config{.solver = "direct-tiled", .backend = Backend::cuda, .precision = precision};
        config.solver_options.set(SolverOption::threads_per_body, k % values(SolverOption::threads_per_body));
        config.solver_options.set(SolverOption::block, k / values(SolverOption::threads_per_body));
        for (int tile = 0; tile < values(SolverOption::tile); ++tile) {
          config.solver_options.set(SolverOption::tile, tile);
          if (!problem_with(config).empty()) continue;
          SCOPED_TRACE(describe(config) + ", " + std::to_string(count) + " bodies");
          const auto simulation = Simulation::create(config, bodies);
          const std::vector<Vec3> got = simulation->accelerations(params);
          EXPECT_EQ(simulation->work().body_interactions, count * count);
          EXPECT_TRUE(simulation->accelerations(params) == got) << "other bits in the second run";
          if (count < 2) continue;
          EXPECT_LE(worst_error(got, bodies, params.softening), single ? 5e-5 : 1e-13);
          EXPECT_NEAR(simulation->diagnostics(params).potential / exact, 1, single ? 5e-6 : 1e-13);
        }
      }
    }
  }
}

}  // namespace
}  // namespace pericenter::test
