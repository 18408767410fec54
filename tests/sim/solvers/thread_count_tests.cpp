#include <gtest/gtest.h>
#include <oneapi/tbb/global_control.h>

#include <iterator>

#include "tests/support/reference.h"

namespace pericenter::test {
namespace {

class ThreadCounts : public testing::TestWithParam<Config> {};
std::vector<Config> one_of_each_solver() {
  std::vector<Config> configs;
  for (const SolverInfo& solver : solvers()) {
    if (solver.cpu && solver.reproducible) configs.push_back({.solver = std::string(solver.name)});
  }
  return configs;
}
INSTANTIATE_TEST_SUITE_P(Solvers, ThreadCounts, testing::ValuesIn(one_of_each_solver()), test_name);

// D1.
TEST_P(ThreadCounts, GiveTheSameBits) {
  const tbb::global_control more_threads_than_cores(tbb::global_control::max_allowed_parallelism, 8);
  const Bodies bodies = scene_bodies("collision", 6000);
  std::uint64_t expected = 0;
  for (const int threads : {1, 2, 3, 5, 8}) {
    for (int run = 0; run < (threads == 1 ? 1 : 2); ++run) {
      Config config = GetParam();
      config.threads = threads;
      const auto simulation = Simulation::create(config, bodies);
      for (int i = 0; i < 6; ++i) simulation->step({.dt = 0.05, .theta = 0.7, .softening = 0.1}, i % 2 == 0);
      const std::uint64_t got = hash(simulation->bodies());
      if (expected == 0) expected = got;
      ASSERT_EQ(got, expected) << threads << " threads";
    }
  }
}

std::vector<double> numbers_of(const Diagnostics& d) {
  std::vector<double> numbers = {d.kinetic, d.potential, d.force_virial,  d.mass,
                                 d.fastest, d.strongest, d.shortest_orbit};
  for (const Vec3& v : {d.momentum, d.angular_momentum, d.center_of_mass})
    numbers.insert(numbers.end(), std::begin(v.data), std::end(v.data));
  return numbers;
}

// More than three chunks of bodies. Repeated, because threads rarely meet in another order.
TEST(Diagnostics, DoNotDependOnTheNumberOfThreads) {
  const tbb::global_control more_threads_than_cores(tbb::global_control::max_allowed_parallelism, 8);
  const Bodies bodies = scene_bodies("collision", 13 * 4096 - 100);
  std::vector<double> expected;
  for (const int threads : {1, 2, 3, 8}) {
    const auto simulation = Simulation::create({.threads = threads}, bodies);
    for (int run = 0; run < 100; ++run) {
      const std::vector<double> got = numbers_of(simulation->diagnostics({.theta = 1.2}));
      if (expected.empty()) expected = got;
      ASSERT_EQ(got, expected) << threads << " threads";
    }
  }
}

}  // namespace
}  // namespace pericenter::test
