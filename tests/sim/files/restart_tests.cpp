#include <gtest/gtest.h>

#include "sim/files/hdf5/reader.h"
#include "sim/files/hdf5/writer.h"
#include "tests/support/file_fixtures.h"
#include "tests/support/reference.h"

// A saved run continues as if it had not been interrupted.

namespace pericenter::test {
namespace {

constexpr int kSteps = 6;  ///< before and after the save
constexpr Params kBefore{.dt = 0.02, .theta = 0.7, .softening = 0.1};
constexpr Params kAfter{.dt = 0.03, .theta = 0.5, .softening = 0.05};

/// Every reproducible solver with every value of its options.
std::vector<Config> reproducible_configs() {
  std::vector<Config> configs;
  for (const Config& plain : test::configs_of(test::kBackend)) {
    if (!find_solver(plain.solver)->reproducible) continue;
    configs.push_back(plain);
    if (plain.dimension != 3 || plain.precision != Precision::float32) continue;
    for (const Config& switched : test::switched_configs(plain)) configs.push_back(switched);
  }
  return configs;
}

/// Two galaxies with some coincident bodies, whose order could influence the result.
Bodies crowded_bodies(int dimension) {
  Bodies bodies = test::scene_bodies("collision", 600, dimension);
  for (std::size_t i = 0; i < 40; ++i) {
    bodies[bodies.size() - 1 - 3 * i].position = bodies[5].position;
    bodies[bodies.size() - 1 - 3 * i].velocity = bodies[5].velocity;
  }
  return bodies;
}

void advance(Simulation& simulation, const Params& params) {
  for (int i = 0; i < kSteps; ++i) simulation.step(params);
}

Snapshot through_a_file(const Simulation& simulation, const Params& params) {
  Snapshot snapshot;
  snapshot.bodies = simulation.bodies();
  snapshot.time = simulation.time();
  SavedRun run;
  run.scene = "collision";
  run.config = simulation.config();
  run.params = run.suggested = params;
  run.steps = simulation.steps();
  snapshot.run = run;
  const TemporaryFile file("restart.hdf5");
  write_hdf5(file.path(), snapshot, {});
  return read_hdf5(file.path(), {});
}

class Restarts : public testing::TestWithParam<Config> {};
INSTANTIATE_TEST_SUITE_P(Solvers, Restarts, testing::ValuesIn(reproducible_configs()), test::test_name);

TEST_P(Restarts, ContinueWithTheSameBits) {
  const Bodies bodies = crowded_bodies(GetParam().dimension);
  for (const Params& after : {kBefore, kAfter}) {
    const std::unique_ptr<Simulation> whole = Simulation::create(GetParam(), bodies);
    advance(*whole, kBefore);
    const Snapshot saved = through_a_file(*whole, kBefore);
    advance(*whole, after);

    ASSERT_TRUE(saved.run);
    EXPECT_EQ(saved.run->config, GetParam());
    const std::unique_ptr<Simulation> rest =
        Simulation::create(saved.run->config, saved.bodies, {.time = saved.time, .steps = saved.run->steps});
    advance(*rest, after);
    EXPECT_EQ(test::hash(rest->bodies()), test::hash(whole->bodies()));
    EXPECT_EQ(rest->time(), whole->time());
    EXPECT_EQ(rest->steps(), whole->steps());
  }
}

}  // namespace
}  // namespace pericenter::test
