// Loops and sorts by parallel algorithms of the standard library.
#include "sim/solvers/parallel_loops.h"

#include <gtest/gtest.h>
#include <oneapi/tbb/global_control.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <set>
#include <thread>

#include "sim/core/cancellation.h"
#include "tests/support/reference.h"

namespace pericenter::test {
namespace {

Config with_loops(Config config, Parallel how, int threads) {
  config.solver_options.set(SolverOption::parallel, how);
  config.threads = threads;
  return config;
}

std::vector<Config> with_standard_loops() {
  std::vector<Config> configs;
  for (const Config& config : configs_of(Backend::cpu)) {
    if (!has_option(config, SolverOption::parallel)) continue;
    const Config standard = with_loops(config, Parallel::standard, 0);
    EXPECT_EQ(problem_with(standard).empty(), kHasStandardAlgorithms) << problem_with(standard);
    if (kHasStandardAlgorithms) configs.push_back(standard);
  }
  return configs;
}

class StandardLoops : public testing::TestWithParam<Config> {};
INSTANTIATE_TEST_SUITE_P(Solvers, StandardLoops, testing::ValuesIn(with_standard_loops()), test_name);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(StandardLoops);

Bodies after_three_steps(const Config& config, const Bodies& bodies) {
  const auto simulation = Simulation::create(config, bodies);
  for (int i = 0; i < 3; ++i) simulation->step({.dt = 0.05, .theta = 0.7, .softening = 0.1}, i % 2 == 0);
  return simulation->bodies();
}

TEST_P(StandardLoops, GiveTheBitsOfOwnLoops) {
  const tbb::global_control more_threads_than_cores(tbb::global_control::max_allowed_parallelism, 8);
  for (const std::size_t count : {0, 1, 2, 255, 257, 5000}) {
    // Sums of atomic additions agree to rounding.
    if (count > 1000 && !find_solver(GetParam().solver)->reproducible) continue;
    const Bodies bodies = count > 0 ? scene_bodies("collision", count, GetParam().dimension) : Bodies();
    const Bodies own = after_three_steps(with_loops(GetParam(), Parallel::own, 2), bodies);
    for (const int threads : {1, 3, 8}) {
      const Bodies got = after_three_steps(with_loops(GetParam(), Parallel::standard, threads), bodies);
      EXPECT_TRUE(same_motion(GetParam(), got, own)) << count << " bodies, " << threads << " threads";
    }
  }
}

TEST_P(StandardLoops, AreTheDirectSumAtThetaZero) {
  const Bodies bodies = scene_bodies("plummer", 4096, GetParam().dimension);
  const ForceErrors errors = force_errors(GetParam(), {.theta = 0, .softening = 0.01}, bodies, 4096);
  EXPECT_LE(errors.max, GetParam().precision == Precision::float32 ? 1e-4 : 1e-11);
}

class StandardFor : public testing::TestWithParam<Tasks> {};
INSTANTIATE_TEST_SUITE_P(Both, StandardFor, testing::Values(Tasks::independent, Tasks::coupled));

TEST_P(StandardFor, CallsEachTaskOnce) {
  for (const std::size_t count : {0, 1, 2, 1000}) {
    std::vector<std::atomic<int>> calls(count);
    standard_for(GetParam(), count, [&](std::size_t i) { calls[i].fetch_add(1, std::memory_order_relaxed); });
    for (const auto& of_one : calls) EXPECT_EQ(of_one, 1);
  }
}

TEST_P(StandardFor, ThrowsTheFirstExceptionAtItsEndAndSkipsTheRest) {
  std::atomic<int> started = 0;
  tbb::task_arena one(1);
  const auto loop = [&] {
    standard_for(GetParam(), 1000, [&](std::size_t) {
      if (started.fetch_add(1, std::memory_order_relaxed) == 9) throw Cancelled{};
    });
  };
  EXPECT_THROW(one.execute(loop), Cancelled);
  EXPECT_EQ(started, 10);
}

TEST(StandardThreads, AreThoseOfTheArena) {
#if defined(_GLIBCXX_USE_TBB_PAR_BACKEND) && !_GLIBCXX_USE_TBB_PAR_BACKEND
  GTEST_SKIP() << "the standard library uses one thread in the build for the thread sanitizer";
#endif
  const tbb::global_control more_threads_than_cores(tbb::global_control::max_allowed_parallelism, 8);
  for (const std::size_t threads : {1, 2, 3}) {
    tbb::task_arena arena(static_cast<int>(threads));
    std::mutex mutex;
    std::set<std::thread::id> seen;
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    const auto all_seen = [&] {
      const std::lock_guard lock(mutex);
      seen.insert(std::this_thread::get_id());
      return seen.size() >= threads || std::chrono::steady_clock::now() > deadline;
    };
    arena.execute([&] {
      standard_for(Tasks::coupled, 64, [&](std::size_t) {
        while (!all_seen()) std::this_thread::yield();
      });
    });
    EXPECT_EQ(seen.size(), threads);
  }
}

TEST(StandardSort, HasTheOrderOfTheRadixSort) {
  std::vector<KeyIndex> items, scratch;
  for (std::uint32_t i = 0; i < 50'000; ++i) items.push_back({std::uint64_t(i) * 5 % 7 << 40, i});
  std::vector<KeyIndex> expected = items;
  radix_sort(expected, scratch);
  standard_sort(items);
  const auto same = [](const KeyIndex& a, const KeyIndex& b) { return a.key == b.key && a.index == b.index; };
  EXPECT_TRUE(std::ranges::equal(items, expected, same));
}

}  // namespace
}  // namespace pericenter::test
