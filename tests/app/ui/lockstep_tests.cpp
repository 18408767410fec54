#include "app/ui/lockstep.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace pericenter::app {
namespace {

using Waits = std::optional<WaitingSimulation>;

/// Two simulations that take all steps at once.
struct Pair {
  WaitingSimulation a, b;
  int rounds_at_same_time = 0;

  void run(int rounds, int steps_per_frame) {
    for (int k = 0; k < rounds; ++k) {
      const LockstepSteps steps = next_steps(a, b, steps_per_frame);
      for (int step = 0; step < steps.a; ++step) a.time += a.dt;
      for (int step = 0; step < steps.b; ++step) b.time += b.dt;
      if (std::abs(a.time - b.time) < 1e-9) ++rounds_at_same_time;
    }
  }
};

TEST(Lockstep, EqualTimeStepsTakeTheStepsOfAFrame) {
  EXPECT_EQ(next_steps(Waits({1, 0.1}), Waits({1, 0.1}), 1), (LockstepSteps{1, 1}));
  EXPECT_EQ(next_steps(Waits({1, 0.1}), Waits({1, 0.1}), 7), (LockstepSteps{7, 7}));
}

TEST(Lockstep, ASmallerTimeStepNeedsMoreSteps) {
  EXPECT_EQ(next_steps(Waits({0, 0.03}), Waits({0, 0.01}), 1), (LockstepSteps{1, 3}));
  EXPECT_EQ(next_steps(Waits({0, 0.01}), Waits({0, 0.04}), 2), (LockstepSteps{8, 2}));
  Pair pair{{0, 0.03}, {0, 0.01}};
  pair.run(1000, 1);
  EXPECT_EQ(pair.rounds_at_same_time, 1000);
  EXPECT_NEAR(pair.a.time, 30, 1e-9);
}

TEST(Lockstep, OnlyTheOneBehindTakesSteps) {
  EXPECT_EQ(next_steps(Waits({5, 0.1}), Waits({2, 0.1}), 4), (LockstepSteps{0, 4}));
  EXPECT_EQ(next_steps(Waits({2, 0.1}), Waits({5, 0.1}), 4), (LockstepSteps{4, 0}));
  EXPECT_EQ(next_steps(Waits({2, 0.1}), Waits({2.1, 0.1}), 4), (LockstepSteps{1, 0}));  // not beyond the other
  EXPECT_EQ(next_steps(Waits({2, 0.3}), Waits({2.1, 0.1}), 1), (LockstepSteps{1, 0}));  // at least one
}

TEST(Lockstep, BackwardsTheEarlierTimeIsAhead) {
  EXPECT_EQ(next_steps(Waits({5, -0.1}), Waits({2, -0.1}), 1), (LockstepSteps{1, 0}));
  EXPECT_EQ(next_steps(Waits({2, -0.1}), Waits({5, -0.1}), 1), (LockstepSteps{0, 1}));
  EXPECT_EQ(next_steps(Waits({2, -0.2}), Waits({2, -0.1}), 1), (LockstepSteps{1, 2}));
}

TEST(Lockstep, WaitsUntilAStepIsDue) {
  EXPECT_EQ(next_steps(Waits({1, 0.1}), Waits({1, 0.1}), 0), (LockstepSteps{0, 0}));
  EXPECT_EQ(next_steps(Waits({1, 0.3}), Waits({1, 0.1}), 0), (LockstepSteps{0, 0}));
  EXPECT_EQ(next_steps(Waits({1, 0.1}), Waits({1.1, 0.1}), 0), (LockstepSteps{1, 0})) << "one is behind";
  EXPECT_TRUE(are_level(Waits({1, 0.1}), Waits({1 + 1e-12, 0.1})));
  EXPECT_FALSE(are_level(Waits({1, 0.1}), Waits({1.1, 0.1})));
  EXPECT_FALSE(are_level(Waits({1, 0.1}), std::nullopt));
}

TEST(Lockstep, WaitsForABusyOne) {
  EXPECT_EQ(next_steps(std::nullopt, Waits({2, 0.1}), 1), (LockstepSteps{0, 0}));
  EXPECT_EQ(next_steps(Waits({2, 0.1}), std::nullopt, 1), (LockstepSteps{0, 0}));
}

TEST(Lockstep, NeverStopsNorDriftsApart) {
  for (const double dt_a : {0.03, 0.01, 0.0173, 0.3, -0.02}) {
    for (const double size_b : {0.03, 0.02, 0.0001, 0.7}) {
      Pair pair{{1, dt_a}, {4, std::copysign(size_b, dt_a)}};
      for (int k = 0; k < 20'000; ++k) {
        const WaitingSimulation a = pair.a, b = pair.b;
        pair.run(1, 1);
        ASSERT_TRUE(pair.a.time != a.time || pair.b.time != b.time) << dt_a << ' ' << size_b;
      }
      pair.run(100'000, 8);
      EXPECT_LE(std::abs(pair.a.time - pair.b.time), 1.001 * std::max(std::abs(dt_a), size_b)) << dt_a << ' ' << size_b;
    }
  }
}

TEST(Lockstep, PausedOnesCatchUpWithoutPassingEachOther) {
  EXPECT_EQ(steps_to_catch_up(Waits({1, 0.1}), Waits({1, 0.1})), (LockstepSteps{0, 0}));
  EXPECT_EQ(steps_to_catch_up(Waits({1, 0.1}), Waits({1.3, 0.1})), (LockstepSteps{3, 0}));
  EXPECT_EQ(steps_to_catch_up(Waits({1.25, 0.1}), Waits({1, 0.1})), (LockstepSteps{0, 2}));
  EXPECT_EQ(steps_to_catch_up(Waits({1, 0.1}), Waits({1.09, 0.1})), (LockstepSteps{0, 0}));
  EXPECT_EQ(steps_to_catch_up(Waits({1, -0.1}), Waits({1.2, -0.1})), (LockstepSteps{0, 2}));
  EXPECT_EQ(steps_to_catch_up(std::nullopt, Waits({1.2, 0.1})), (LockstepSteps{0, 0}));
}

TEST(Lockstep, WithoutATimeStepBothStep) {
  EXPECT_EQ(next_steps(Waits({1, 0}), Waits({2, 0.1}), 3), (LockstepSteps{3, 3}));
}

}  // namespace
}  // namespace pericenter::app
