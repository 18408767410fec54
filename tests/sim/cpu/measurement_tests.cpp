// Measurement of force errors while the simulation runs, and scalars that persist between simulations.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/analysis/direct_reference.h"
#include "sim/analysis/force_error.h"
#include "sim/session/session.h"
#include "tests/support/reference.h"
#include "tests/support/vertex_scalars.h"

namespace pericenter::test {
namespace {

class ForceErrorMeasurement : public testing::Test {
 protected:
  void load(const char* scene, std::size_t bodies, const Config& config = {.backend = kBackend}) {
    session_.apply(request::SetConfig{config});
    session_.apply(request::LoadScene{scene, {.bodies = bodies, .dimension = config.dimension}});
    ASSERT_EQ(session_.state().bodies, bodies) << session_.state().message;
  }
  void step() {
    session_.apply(request::Step{});
    ASSERT_TRUE(session_.wants_to_step(0));
    session_.step(nullptr);
  }
  std::vector<double> shown() {
    std::vector<Vertex> vertices(session_.state().bodies);
    EXPECT_EQ(session_.write_vertices(host_target(vertices)).count, vertices.size());
    return scalars_of(vertices);
  }

  std::function<bool(const SessionState&)> report_ = [](const SessionState&) { return true; };
  Session session_{{.report = [this](const SessionState& state) { return report_(state); }}};
};

TEST_F(ForceErrorMeasurement, EqualsTheDirectSum) {
  for (const int dimension : {2, 3}) {
    load("plummer", 3000, {.backend = kBackend, .dimension = dimension});
    session_.apply(request::SetParams{{.theta = 0.6, .softening = 0.03, .gravity = 2}});
    session_.apply(request::ShowScalar{Scalar::force_error});
    step();
    EXPECT_FALSE(session_.state().force_errors);
    EXPECT_EQ(shown()[5], double(kNoScalar));
    session_.apply(request::MeasureForceErrors{});
    const SessionState state = session_.state();
    ASSERT_TRUE(state.force_errors) << state.message;
    EXPECT_EQ(state.force_errors_time, state.time);
    EXPECT_GT(state.time, 0);
    EXPECT_FALSE(state.busy);
    // Reference: another simulation of these bodies and a loop over all pairs.
    const auto same = Simulation::create(state.config, scene_bodies("plummer", 3000, dimension));
    same->step(state.params);
    const Bodies bodies = same->bodies();
    const std::vector<Vec3> got = same->accelerations(state.params);
    std::vector<Vec3> exact;
    for (std::size_t i = 0; i < bodies.size(); ++i) exact.push_back(2 * exact_acceleration(bodies, i, 0.03));
    const ForceErrors expected = pericenter::force_errors(got, exact);
    EXPECT_NEAR(state.force_errors->mean / expected.mean, 1, 1e-3);
    EXPECT_NEAR(state.force_errors->max / expected.max, 1, 1e-3);
    EXPECT_GT(expected.mean, 1e-5);
    const std::vector<double> each = relative_errors(got, exact), logarithms = shown();
    for (std::size_t i = 0; i < each.size(); ++i) {
      ASSERT_NEAR(logarithms[i], std::log10(each[i]), half_rounding(8) + 1e-2) << i;
    }
  }
}

TEST_F(ForceErrorMeasurement, IsKeptUntilSolverOrSceneChange) {
  load("plummer", 500);
  session_.apply(request::ShowScalar{Scalar::force_error});
  const auto is_shown = [this] { return shown()[7] != double(kNoScalar); };
  session_.apply(request::MeasureForceErrors{});
  const double measured = session_.state().force_errors->max;
  const std::vector<double> first = shown();
  step();
  session_.apply(request::SetParams{{.theta = 0.2}});
  EXPECT_EQ(session_.state().force_errors->max, measured);
  EXPECT_EQ(shown(), first);
  session_.apply(request::SetConfig{{.solver = "direct", .backend = kBackend}});
  EXPECT_FALSE(session_.state().force_errors);
  EXPECT_FALSE(is_shown());
  session_.apply(request::MeasureForceErrors{});
  EXPECT_TRUE(is_shown());
  session_.apply(request::Reset{});
  EXPECT_FALSE(session_.state().force_errors);
  EXPECT_FALSE(is_shown());
}

TEST_F(ForceErrorMeasurement, ReportsProgressAndCanBeCancelled) {
  if (kBackend == Backend::cuda) GTEST_SKIP() << "one kernel";
  load("plummer", 5000);
  double last = 0;
  report_ = [&](const SessionState& state) {
    EXPECT_TRUE(!state.busy || state.progress >= last);
    last = state.progress;
    return last < 0.5;
  };
  session_.apply(request::MeasureForceErrors{});
  EXPECT_FALSE(session_.state().force_errors);
  EXPECT_FALSE(session_.state().busy);
  EXPECT_NE(session_.state().message, "");
  last = 0;
  report_ = [&](const SessionState& state) {
    last = std::max(last, state.progress);
    return true;
  };
  session_.apply(request::MeasureForceErrors{});
  EXPECT_TRUE(session_.state().force_errors);
  EXPECT_EQ(last, 1);
  EXPECT_EQ(session_.state().message, "");
}

TEST_F(ForceErrorMeasurement, WithoutASceneDoesNothing) {
  session_.apply(request::MeasureForceErrors{});
  EXPECT_FALSE(session_.state().force_errors);
}

TEST(ForceError, IsRejectedAboveItsLimit) {
  EXPECT_EQ(problem_with_direct_sums(1000, 1e6, 1), "");
  const std::string problem = problem_with_direct_sums(1'000'000, 3e9, 60);
  EXPECT_THAT(problem, testing::HasSubstr("1000000 bodies"));
  EXPECT_THAT(problem, testing::HasSubstr("334 seconds"));
  EXPECT_THAT(problem, testing::HasSubstr("at most 420000 bodies"));
}

TEST(ForceError, IsRejectedForNonFiniteBodies) {
  Bodies bodies = scene_bodies("plummer", 10);
  bodies[3].position[1] = std::nan("");
  EXPECT_THROW(direct_reference({.backend = kBackend}, {}, bodies, [](double) { return true; }), std::invalid_argument);
}

TEST_F(ForceErrorMeasurement, ScalarCarriesOverToTheNextSimulation) {
  session_.apply(request::ShowScalar{Scalar::interactions});
  load("plummer", 400, {.solver = "direct", .backend = kBackend});
  EXPECT_NEAR(shown()[9], std::log10(400), half_rounding(3));
  session_.apply(request::SetConfig{{.solver = "direct-pairs", .backend = kBackend}});
  EXPECT_NEAR(shown()[9], std::log10(399), half_rounding(3));
  session_.apply(request::LoadScene{"plummer", {.bodies = 100}});
  EXPECT_NEAR(shown()[9], std::log10(99), half_rounding(3));
  EXPECT_EQ(session_.state().scalar, Scalar::interactions);
}

TEST_F(ForceErrorMeasurement, ParameterChangesUpdateVertices) {
  load("plummer", 2000);
  session_.apply(request::ShowScalar{Scalar::interactions});
  session_.apply(request::SetParams{{.theta = 0.9}});
  const std::vector<double> few = shown();
  EXPECT_FALSE(session_.wants_to_publish(0));
  session_.apply(request::SetParams{{.theta = 0.3}});
  EXPECT_TRUE(session_.wants_to_publish(0));
  EXPECT_GT(shown()[100], few[100]);
}

}  // namespace
}  // namespace pericenter::test
