#include "sim/session/run_store.h"

#include <gtest/gtest.h>

#include <cstring>
#include <memory>

#include "sim/session/session.h"
#include "tests/support/running_simulation.h"

namespace pericenter {
namespace {

constexpr int kSteps = 20;

void step(Session& session, int steps) {
  for (int k = 0; k < steps; ++k) session.advance(nullptr, false);
}

std::shared_ptr<const RunCopy> copy_of(Session& session) {
  session.apply(request::TakeCopy{});
  return session.take_copy();
}

bool equal_bits(const Bodies& a, const Bodies& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t k = 0; k < a.size(); ++k) {
    if (std::memcmp(&a[k].position, &b[k].position, sizeof a[k].position) != 0 ||
        std::memcmp(&a[k].velocity, &b[k].velocity, sizeof a[k].velocity) != 0)
      return false;
  }
  return true;
}

class CopiedRun : public testing::TestWithParam<std::string> {
 protected:
  CopiedRun() {
    Config config;
    config.solver = GetParam();
    original.load(request::LoadScene{"collision", {.bodies = 1200}, config});
    step(original, 5);
    original.apply(request::Play{true});
  }
  void continue_copy(const Params& params) {
    const auto run = copy_of(original);
    ASSERT_TRUE(run);
    copy.apply(request::ContinueCopy{run, original.state().config, params});
    ASSERT_EQ(copy.state().message, "");
  }

  Session original, copy;
};

TEST_P(CopiedRun, StaysEqualBitByBitWithEqualSettings) {
  continue_copy(original.state().params);
  EXPECT_EQ(copy.simulation()->steps(), 5u);
  EXPECT_EQ(copy.simulation()->time(), original.simulation()->time());
  step(original, kSteps);
  step(copy, kSteps);
  EXPECT_EQ(copy.simulation()->time(), original.simulation()->time());
  EXPECT_TRUE(equal_bits(copy.simulation()->bodies(), original.simulation()->bodies()));
}

TEST_P(CopiedRun, DivergesWithOtherSettings) {
  Params params = original.state().params;
  params.softening *= 2;
  continue_copy(params);
  step(original, kSteps);
  step(copy, kSteps);
  EXPECT_FALSE(equal_bits(copy.simulation()->bodies(), original.simulation()->bodies()));
}

INSTANTIATE_TEST_SUITE_P(Solvers, CopiedRun, testing::Values("octree", "direct"));

TEST(SessionCopy, HasTheSceneOfTheOriginal) {
  Session original, copy;
  original.load(request::LoadScene{"plummer", {.bodies = 300, .seed = 7}});
  original.apply(request::Reset{});
  step(original, 3);
  const auto run = copy_of(original);
  Params params = original.state().params;
  params.theta = 0.3;
  copy.apply(request::ContinueCopy{run, original.state().config, params});
  const SessionState& state = copy.state();
  EXPECT_EQ(state.scene, "plummer");
  EXPECT_EQ(state.scene_serial, original.state().scene_serial);
  EXPECT_EQ(state.scene_request.seed, 7u);
  EXPECT_EQ(state.params.theta, 0.3);
  EXPECT_EQ(state.suggested, original.state().suggested);
  EXPECT_FALSE(state.running);
  ASSERT_TRUE(copy.run().initial_energy());
  EXPECT_EQ(copy.run().initial_energy()->kinetic, original.run().initial_energy()->kinetic);
  ASSERT_NE(original.state().energy_error, 0);
  EXPECT_NEAR(copy.state().energy_error, original.state().energy_error, 1e-4) << "theta changes the measured energy";
}

TEST(SessionCopy, AResetReturnsToTheStartOfTheSceneWithItsOwnSettings) {
  Session original, copy;
  original.load(request::LoadScene{"plummer", {.bodies = 300}});
  const Bodies start = original.simulation()->bodies();
  step(original, 3);
  Params params = original.state().params;
  params.theta = 0.3;
  copy.apply(request::ContinueCopy{copy_of(original), original.state().config, params});
  step(copy, 2);
  copy.apply(request::Reset{});
  EXPECT_EQ(copy.simulation()->steps(), 0u);
  EXPECT_EQ(copy.state().params.theta, 0.3);
  EXPECT_TRUE(equal_bits(copy.simulation()->bodies(), start));
}

TEST(SessionCopy, AnInvalidConfigIsRefusedWithAMessage) {
  Session original, copy;
  original.load(request::LoadScene{"plummer", {.bodies = 300}});
  Config config = original.state().config;
  config.solver = "no such solver";
  copy.apply(request::ContinueCopy{copy_of(original), config, original.state().params});
  EXPECT_TRUE(copy.state().message_is_error);
  EXPECT_EQ(copy.state().scene_serial, 0u);
}

TEST(SimulationThread, TellsWhenItWaitsForSteps) {
  test::RunningSimulation show;
  EXPECT_FALSE(show.thread.waits_at());
  show.request_scene("plummer", 300);
  const auto fetch = [&] {
    if (show.thread.take_back()) show.thread.lend(host_target(show.buffer));
  };
  const auto waits_at = [&](double steps) {
    return test::eventually([&] {
      fetch();
      const auto time = show.thread.waits_at();
      return time && std::abs(*time - steps * show.state().params.dt) < 1e-9;
    });
  };
  ASSERT_TRUE(waits_at(0));
  show.request(request::Play{true});
  ASSERT_TRUE(test::eventually([&] { return show.state().running; }));
  show.thread.allow_steps(3);
  EXPECT_TRUE(waits_at(3));
  EXPECT_EQ(show.state().steps, 3u);
  show.thread.allow_steps(1);
  EXPECT_TRUE(waits_at(4));
}

TEST(SimulationThread, SwapsWithAnother) {
  test::RunningSimulation one, other;
  ASSERT_TRUE(one.load("plummer", 300));
  ASSERT_TRUE(other.load("uniform", 400));
  one.thread.swap(other.thread);
  EXPECT_EQ(one.state().scene, "uniform");
  EXPECT_EQ(other.state().scene, "plummer");
  one.thread.recall();
  other.thread.recall();
}

}  // namespace
}  // namespace pericenter
