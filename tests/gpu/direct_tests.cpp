// Direct sums on CUDA.
#include <gtest/gtest.h>

#include "tests/gpu/support.h"

namespace pericenter::test {
namespace {

TEST(CudaDirectTiled, SumsAllPairsWithAnyThreadsPerBody) {
  const std::size_t values = solver_option_info(SolverOption::threads_per_body).values.size();
  for (const Precision precision : {Precision::float32, Precision::float64}) {
    const double bound = precision == Precision::float32 ? 5e-5 : 1e-13;
    for (const std::size_t count : {0, 1, 2, 31, 128, 255, 257, 1023, 2048}) {
      const Bodies bodies = rounded(scene_bodies("plummer", count), precision);
      for (std::size_t value = 0; value < values; ++value) {
        Config config{.solver = "direct-tiled", .backend = Backend::cuda, .precision = precision};
        config.solver_options.set(SolverOption::threads_per_body, static_cast<int>(value));
        SCOPED_TRACE(describe(config) + ", " + std::to_string(count) + " bodies");
        const Params params{.softening = 0.01};
        const auto simulation = Simulation::create(config, bodies);
        const std::vector<Vec3> got = simulation->accelerations(params);
        EXPECT_EQ(simulation->work().body_interactions, count * count);
        EXPECT_TRUE(Simulation::create(config, bodies)->accelerations(params) == got) << "other bits in the second run";
        if (count < 2) continue;
        EXPECT_LE(worst_error(got, bodies, params.softening), bound);
        const double exact = exact_potential_energy(bodies, params.softening);
        EXPECT_NEAR(simulation->diagnostics(params).potential / exact, 1,
                    precision == Precision::float32 ? 5e-6 : 1e-13);
      }
    }
  }
}

}  // namespace
}  // namespace pericenter::test
