// Accuracy of the simulation of a session: errors of sampled forces, energy error, health.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "sim/session/session.h"
#include "tests/support/reference.h"

namespace pericenter::test {
namespace {

class Accuracy : public testing::Test {
 protected:
  void load(const char* scene = "plummer", std::size_t bodies = 600) {
    session_.apply(request::LoadScene{scene, {.bodies = bodies}});
    ASSERT_EQ(session_.state().bodies, bodies) << session_.state().message;
    set(&Params::softening, 0.1);
  }
  void step(std::uint64_t count = 1) {
    session_.apply(request::Step{count});
    while (session_.wants_to_step(0)) session_.step();
  }
  void set(double Params::*which, double value) {
    Params params = session_.state().params;
    params.*which = value;
    session_.apply(request::SetParams{params});
  }
  const SessionState& state() { return session_.state(); }

  /// With diagnostics after every step.
  Session session_{{.diagnostics_period = 0, .samples_forces = true}};
};

TEST_F(Accuracy, EnergyErrorIsNotErasedByChanges) {
  load();
  set(&Params::dt, 0.5);
  set(&Params::softening, 0.01);
  step(30);
  const double error = state().energy_error;
  ASSERT_GT(std::abs(error), 1e-3);
  set(&Params::softening, 0.3);
  EXPECT_DOUBLE_EQ(state().energy_error, error);
  set(&Params::gravity, 2);
  EXPECT_DOUBLE_EQ(state().energy_error, error);
  session_.apply(request::SetConfig{{.solver = "direct", .precision = Precision::float64}});
  EXPECT_EQ(state().config.solver, "direct");
  EXPECT_DOUBLE_EQ(state().energy_error, error);
  set(&Params::dt, 1e-6);
  step();
  EXPECT_NEAR(state().energy_error, error, 1e-6);
  session_.apply(request::SetParams{state().suggested});
  EXPECT_NE(state().health.level, HealthLevel::good);
  EXPECT_GE(state().health.energy_error.worst, std::abs(error));
  session_.apply(request::Reset{});
  EXPECT_EQ(state().energy_error, 0);
  EXPECT_EQ(state().health.level, HealthLevel::good);
}

// The error after a change is the error before it plus the change since.
TEST_F(Accuracy, EnergyErrorContinuesAfterChange) {
  load();
  set(&Params::dt, 0.3);
  step(20);
  const double before = state().energy_error;
  set(&Params::softening, 0.05);
  const Diagnostics changed = state().diagnostics;
  step(20);
  EXPECT_DOUBLE_EQ(state().energy_error, before + energy_error(changed, state().diagnostics));
  EXPECT_NE(state().energy_error, before);
}

// Diagnostics are evaluated rarely; the error before the change is still that of the changed bodies.
TEST(RareDiagnostics, EnergyErrorOfLastStepIsCarried) {
  Session rare{{.diagnostics_period = 1000}}, often{{.diagnostics_period = 0}};
  for (Session* session : {&rare, &often}) {
    session->apply(request::LoadScene{"plummer", {.bodies = 600}});
    Params params = session->state().params;
    params.dt = 0.3;
    session->apply(request::SetParams{params});
    session->apply(request::Step{20});
    while (session->wants_to_step(0)) session->step();
    params.softening = 0.01;
    session->apply(request::SetParams{params});
  }
  EXPECT_EQ(rare.state().energy_error, often.state().energy_error);
  EXPECT_NE(rare.state().energy_error, 0);
}

TEST_F(Accuracy, HealthOfAnEarlierMomentReturnsWithIt) {
  load();
  step(5);
  ASSERT_EQ(state().health.level, HealthLevel::good) << state().health.reason;
  set(&Params::dt, 1);
  step(10);
  EXPECT_EQ(state().health.level, HealthLevel::poor);
  EXPECT_THAT(state().health.reason, testing::HasSubstr("a·dt²/2ε"));
  EXPECT_EQ(state().health.last_good, 5);
  set(&Params::dt, state().suggested.dt);
  step(2);
  EXPECT_EQ(state().health.level, HealthLevel::poor) << "no change of parameters resets it";
  session_.apply(request::Rollback{});
  ASSERT_EQ(state().steps, 0u);
  EXPECT_EQ(state().energy_error, 0);
  EXPECT_EQ(state().health.level, HealthLevel::good);
  EXPECT_EQ(state().health.reason, "");
}

TEST_F(Accuracy, TriedParametersSpoilNothing) {
  load();
  step();
  set(&Params::dt, 10);
  EXPECT_GT(state().health.fall_per_step.now, 1);
  EXPECT_EQ(state().health.level, HealthLevel::good);
  step();
  EXPECT_EQ(state().health.level, HealthLevel::poor);
}

TEST_F(Accuracy, FewBodiesHaveNoNan) {
  for (const std::size_t count : {0, 1}) {
    const auto source = std::make_shared<SceneSource>();
    source->name = "few";
    source->load = [count](const Progress&) {
      LoadedScene loaded;
      loaded.scene.bodies.resize(count);
      return loaded;
    };
    session_.apply(request::LoadSource{source});
    ASSERT_EQ(state().bodies, count);
    step(3);
    session_.sample_paused_forces();
    EXPECT_NE(state().health.level, HealthLevel::poor);
    EXPECT_EQ(state().health.energy_error.worst, 0);
    EXPECT_EQ(state().health.momentum_change, 0);
    EXPECT_EQ(state().force_sample.bodies, count);
    EXPECT_EQ(state().force_sample.errors.mean, 0);
  }
}

// ---- errors of sampled forces

TEST_F(Accuracy, ForcesAreSampledWhileRunning) {
  load();
  EXPECT_EQ(state().force_sample.bodies, 0u);
  session_.apply(request::Play{});
  for (int k = 0; k < 2000 && state().force_sample.bodies == 0; ++k) session_.step();
  const ForceSample sample = state().force_sample;
  EXPECT_GE(sample.bodies, 256u);
  EXPECT_LE(sample.bodies, 600u);
  EXPECT_GT(sample.errors.mean, 1e-5);
  EXPECT_GE(sample.errors.max, sample.errors.percentile_99);
  EXPECT_GE(sample.errors.percentile_99, sample.errors.mean);
  EXPECT_GT(sample.seconds, 0);
  EXPECT_GT(sample.share, 0);
  EXPECT_EQ(sample.params, state().params);
  EXPECT_EQ(state().health.force_error.now, sample.errors.mean);
  EXPECT_GE(state().health.force_error.worst, sample.errors.mean);
}

TEST_F(Accuracy, ForcesAreSampledOnceAfterChangeWhilePaused) {
  load();
  session_.sample_paused_forces();
  const double first = state().force_sample.errors.mean;
  EXPECT_EQ(state().force_sample.bodies, 600u);
  session_.sample_paused_forces();
  EXPECT_EQ(state().force_sample.errors.mean, first) << "nothing has changed";
  set(&Params::dt, 0.123);
  session_.sample_paused_forces();
  EXPECT_EQ(state().force_sample.errors.mean, first) << "the forces are the same";
  set(&Params::theta, 0.2);
  EXPECT_EQ(state().force_sample.errors.mean, first);
  EXPECT_TRUE(std::isnan(state().health.force_error.now)) << "it belongs to another theta";
  session_.sample_paused_forces();
  EXPECT_LT(state().force_sample.errors.mean, first / 3);
  session_.apply(request::SetConfig{{.solver = "direct"}});
  EXPECT_EQ(state().force_sample.bodies, 0u);
  session_.sample_paused_forces();
  EXPECT_LT(state().force_sample.errors.mean, 1e-5);
}

TEST_F(Accuracy, SamplingCanBeSwitchedOff) {
  load();
  session_.sample_paused_forces();
  session_.apply(request::SampleForces{false});
  EXPECT_FALSE(state().samples_forces);
  EXPECT_EQ(state().force_sample.bodies, 0u);
  session_.sample_paused_forces();
  EXPECT_EQ(state().force_sample.bodies, 0u);
  session_.apply(request::SampleForces{true});
  session_.sample_paused_forces();
  EXPECT_EQ(state().force_sample.bodies, 600u);
}

// A session without a window does not spend time on it.
TEST(SessionOptions, DoNotSampleByDefault) {
  Session session;
  session.apply(request::LoadScene{"plummer", {.bodies = 100}});
  session.sample_paused_forces();
  EXPECT_EQ(session.state().force_sample.bodies, 0u);
}

// The motion does not depend on the measurement, which happens at intervals of wall-clock time.
TEST_F(Accuracy, SamplesDoNotChangeTheMotion) {
  load();
  Session other;
  other.apply(request::LoadScene{"plummer", {.bodies = 600}});
  other.apply(request::SetParams{state().params});
  for (int k = 0; k < 10; ++k) {
    step();
    session_.sample_paused_forces();
    other.apply(request::Step{});
    other.step();
  }
  EXPECT_EQ(hash(session_.simulation()->bodies()), hash(other.simulation()->bodies()));
}

// ---- sweep

TEST_F(Accuracy, SweepIsKeptUntilTheNextScene) {
  session_.apply(request::MeasureSweep{{"octree"}});
  EXPECT_FALSE(state().sweep) << "there are no bodies";
  load();
  step(2);
  const std::uint64_t motion = hash(session_.simulation()->bodies());
  session_.apply(request::MeasureSweep{{"octree", "direct"}});
  ASSERT_TRUE(state().sweep) << state().message;
  EXPECT_EQ(state().sweep->curves.size(), 2u);
  EXPECT_EQ(state().sweep->bodies, 600u);
  EXPECT_EQ(state().sweep->time, state().time);
  EXPECT_FALSE(state().busy);
  EXPECT_EQ(hash(session_.simulation()->bodies()), motion);
  session_.apply(request::SetConfig{{.solver = "direct"}});
  EXPECT_TRUE(state().sweep);
  session_.apply(request::Reset{});
  EXPECT_FALSE(state().sweep);
}

TEST(Sweep, ReportsProgressAndCanBeCancelled) {
  double last = 0, limit = 2;
  Session session{{.report = [&](const SessionState& state) {
    if (state.busy) last = state.progress;
    return last < limit;
  }}};
  session.apply(request::LoadScene{"plummer", {.bodies = 300}});
  last = 0;
  limit = 0.5;
  session.apply(request::MeasureSweep{{"octree"}});
  EXPECT_FALSE(session.state().sweep);
  EXPECT_GE(last, 0.5);
  EXPECT_THAT(session.state().message, testing::HasSubstr("Cancelled"));
}

}  // namespace
}  // namespace pericenter::test
