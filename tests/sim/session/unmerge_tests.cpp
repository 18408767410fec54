#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "sim/session/session.h"

// request::RunBackwards.

namespace pericenter {
namespace {

using testing::HasSubstr;

constexpr int kMaxSteps = 5000;

/// Steps until the run pauses.
void run(Session& session) {
  for (int k = 0; session.state().running && k < kMaxSteps; ++k) session.step();
}

struct Return {
  double distance = 0, radius = 0;
  std::string message;
};

/// Runs the collision until 390 Myr, when the tails are longest, and back.
Return back_from_390_myr(const Config& config, std::size_t bodies, double theta) {
  Session session;
  session.load(request::LoadScene{"collision", {.bodies = bodies}, config});
  Params params = session.state().params;
  params.theta = theta;
  session.apply(request::SetParams{params});
  const double myr = session.state().units.time_myr;
  while (session.state().time * myr < 390) session.step();
  const std::uint64_t steps = session.state().steps;
  session.apply(request::RunBackwards{});
  run(session);
  EXPECT_EQ(session.state().steps, 2 * steps) << "as many steps back";
  EXPECT_NEAR(session.state().time, 0, 1e-9);
  const LabSample last = session.state().record->samples.back();
  EXPECT_EQ(last.position, static_cast<double>(2 * steps));
  const StartPositions start(session.simulation()->bodies());
  return {last.start_distance, start.radius(), session.state().message};
}

// Measured 5e-10 of the radius, with 500 to 1,000 bodies 2e-11 to 9e-11.
TEST(Unmerge, DirectSumInDoublePrecisionReturns) {
  const Return back = back_from_390_myr({.solver = "direct", .precision = Precision::float64}, 400, 0.7);
  RecordProperty("distance", std::to_string(std::log10(back.distance)));
  EXPECT_LE(back.distance, 1e-8 * back.radius);
  EXPECT_THAT(back.message, HasSubstr("Back at the start: rms distance "));
}

// Measured 8e-3 of the radius, which is 0.7 kpc.
TEST(Unmerge, OctreeInSinglePrecisionDoesNotReturn) {
  const Return back = back_from_390_myr({.solver = "octree"}, 1000, 0.9);
  RecordProperty("distance", std::to_string(std::log10(back.distance)));
  EXPECT_GE(back.distance, 2e-3 * back.radius);
  EXPECT_THAT(back.message, HasSubstr("% of the radius"));
}

class RunBackwards : public testing::Test {
 protected:
  RunBackwards() { session.load(request::LoadScene{"two-body", {.bodies = 2}}); }

  void steps(int count) {
    for (int k = 0; k < count; ++k) session.step();
  }
  void set_dt(double factor) {
    Params params = session.state().params;
    params.dt *= factor;
    session.apply(request::SetParams{params});
  }
  const std::string& message() { return session.state().message; }

  Session session;
};

TEST_F(RunBackwards, StopsAtTheStartAndTurnsTheTimeForwards) {
  steps(25);
  const double dt = session.state().params.dt;
  session.apply(request::RunBackwards{});
  EXPECT_TRUE(session.state().running);
  EXPECT_TRUE(session.state().returning);
  EXPECT_EQ(session.state().params.dt, -dt);
  EXPECT_EQ(message(), "Running backwards to the start, 25 steps.");
  run(session);
  EXPECT_EQ(session.state().steps, 50u);
  EXPECT_FALSE(session.state().returning);
  EXPECT_EQ(session.state().params.dt, dt);
  EXPECT_THAT(message(), HasSubstr("Back at the start"));
}

TEST_F(RunBackwards, ContinuesAfterAPause) {
  steps(25);
  session.apply(request::RunBackwards{});
  steps(5);
  session.apply(request::Play{false});
  session.apply(request::Step{2});
  steps(2);
  EXPECT_TRUE(session.state().returning);
  session.apply(request::Play{true});
  run(session);
  EXPECT_EQ(session.state().steps, 50u);
}

TEST_F(RunBackwards, OtherTimeStepsEndExactlyAtTheStart) {
  steps(10);
  set_dt(0.3);
  steps(7);
  session.apply(request::RunBackwards{});
  EXPECT_THAT(message(), HasSubstr("Settings were changed during the run, so the way back is only approximate"));
  run(session);
  EXPECT_NEAR(session.state().time, 0, 1e-12);
  EXPECT_EQ(session.state().steps, 17u + 41u) << "12.1 / 0.3 = 40.3";
}

TEST_F(RunBackwards, ReturnsFromBeforeTheStart) {
  set_dt(-1);
  steps(10);
  ASSERT_LT(session.state().time, 0);
  session.apply(request::RunBackwards{});
  EXPECT_GT(session.state().params.dt, 0);
  run(session);
  EXPECT_EQ(session.state().steps, 20u);
  EXPECT_LT(session.state().params.dt, 0) << "as before";
}

TEST_F(RunBackwards, ChangedDirectionEndsTheReturn) {
  steps(10);
  session.apply(request::RunBackwards{});
  steps(2);
  set_dt(-1);
  session.step();
  EXPECT_FALSE(session.state().returning);
  steps(30);
  EXPECT_EQ(session.state().steps, 43u);
}

TEST_F(RunBackwards, IsRefusedAtTheStart) {
  session.apply(request::RunBackwards{});
  EXPECT_FALSE(session.state().running);
  EXPECT_EQ(message(), "This is the start of the run.");
}

TEST_F(RunBackwards, SaysThatEulerIsNotReversible) {
  session.apply(request::SetConfig{{.solver = "direct", .integrator = Integrator::euler}});
  steps(5);
  session.apply(request::RunBackwards{});
  EXPECT_THAT(message(), HasSubstr("Semi-implicit Euler is not reversible"));
}

TEST_F(RunBackwards, ResetEndsTheReturn) {
  steps(10);
  session.apply(request::RunBackwards{});
  steps(2);
  session.apply(request::Reset{});
  EXPECT_FALSE(session.state().returning);
}

}  // namespace
}  // namespace pericenter
