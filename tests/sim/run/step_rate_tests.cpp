#include "sim/run/step_rate.h"

#include <gtest/gtest.h>

namespace pericenter {
namespace {

/// `count` steps of 10 ms, one every 40 ms; the last one is followed by a pause.
void add_steps(StepRates& rates, int count, int begin_ms = 0) {
  for (int k = 1; k <= count; ++k) {
    const std::chrono::steady_clock::time_point end{std::chrono::milliseconds(begin_ms + 40 * k)};
    rates.add(0.01, end, k < count);
  }
}

TEST(StepRates, StepsPerTotalTimeBodiesPerStepTime) {
  StepRates rates;
  EXPECT_EQ(rates.steps_per_second(), 0);
  EXPECT_EQ(rates.bodies_per_second(1000), 0);
  add_steps(rates, 100);
  EXPECT_NEAR(rates.steps_per_second(), 25, 0.5);
  EXPECT_NEAR(rates.bodies_per_second(1000), 100'000, 1e-6);
}

TEST(StepRates, IgnorePauses) {
  StepRates rates;
  add_steps(rates, 100);
  add_steps(rates, 1, 1'000'000);
  EXPECT_GT(rates.steps_per_second(), 24);
}

TEST(StepRates, FollowTheLastSecond) {
  StepRates rates;
  const auto add = [&](double seconds, int end_ms) {
    rates.add(seconds, std::chrono::steady_clock::time_point{std::chrono::milliseconds(end_ms)}, true);
  };
  for (int k = 1; k <= 500; ++k) add(0.014, 17 * k);
  add(0.014, 17 * 500 + 120);
  EXPECT_GT(rates.steps_per_second(), 50);
  for (int k = 1; k <= 60; ++k) add(0.1, 17 * 500 + 120 + 100 * k);
  EXPECT_NEAR(rates.steps_per_second(), 10, 0.5);
  EXPECT_NEAR(rates.bodies_per_second(1000), 10'000, 500);
}

TEST(StepRates, ResetClearsTheHistory) {
  StepRates rates;
  add_steps(rates, 100);
  rates.reset();
  EXPECT_EQ(rates.steps_per_second(), 0);
  rates.add(0.5, {}, true);
  EXPECT_DOUBLE_EQ(rates.steps_per_second(), 2);
}

}  // namespace
}  // namespace pericenter
