#include "app/ui/cost_accuracy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "sim/solvers/registry.h"

namespace pericenter::app {
namespace {

/// Time 10 / theta ms, error 0.01 theta^4.
SweepCurve curve_of(const Config& config = {}) {
  SweepCurve curve{.config = config, .points = {}};
  for (const double theta : kSweptThetas) {
    SweepPoint point{.theta = theta, .ms = 10 / theta};
    point.errors.mean = 0.01 * std::pow(theta, 4);
    curve.points.push_back(point);
  }
  return curve;
}

SessionState state_with_sample() {
  SessionState state;
  state.params.theta = 0.7;
  state.bodies = 20'000;
  state.force_sample = {.bodies = 1000,
                        .errors = {.mean = 2e-3},
                        .seconds = 0,
                        .share = 0,
                        .time = 0,
                        .steps = 0,
                        .params = state.params};
  return state;
}

std::deque<StageTimings> steps_of(float walk_ms) {
  StageTimings step;
  step[Stage::walk] = walk_ms;
  step[Stage::write_vertices] = step[Stage::diagnostics] = step[Stage::kick_drift] = 100;
  return std::deque<StageTimings>(20, step);
}

TEST(CostAccuracy, PlaceIsBetweenMeasuredPoints) {
  const SweepCurve curve = curve_of();
  for (const double theta : {0.2, 0.45, 0.7, 0.93, 1.2}) {
    EXPECT_NEAR(place_at(curve, theta).ms, 10 / theta, 1e-9);
    EXPECT_NEAR(place_at(curve, theta).error, 0.01 * std::pow(theta, 4), 1e-12);
  }
  EXPECT_EQ(place_at(curve, 0).ms, 50);
  EXPECT_EQ(place_at(curve, 3).ms, 10 / 1.2);
}

TEST(CostAccuracy, AxesAreLogarithmic) {
  const CostAxes axes{{1, 1e-4}, {100, 1e-2}};
  EXPECT_DOUBLE_EQ(axes.x(10), 0.5);
  EXPECT_DOUBLE_EQ(axes.y(1e-3), 0.5);
  EXPECT_DOUBLE_EQ(axes.error_at(0.5), 1e-3);
  EXPECT_EQ(axes.x(1e9), 1);
  EXPECT_EQ(axes.y(0), 0);
}

TEST(CostAccuracy, AxesShowCurvesAndCurrentPlace) {
  ThetaSweep sweep;
  sweep.curves = {curve_of(), {.config = {.solver = "direct"}, .points = {{.theta = 0, .ms = 500}}}};
  sweep.curves[1].points[0].errors.mean = 1e-15;
  const CostAxes axes = axes_for(&sweep, CostAccuracy{2, 0.5});
  EXPECT_LT(axes.low.ms, 2);
  EXPECT_GT(axes.high.ms, 500);
  EXPECT_GT(axes.high.error, 0.5);
  EXPECT_LT(axes.low.error, 1.6e-5);
  EXPECT_GT(axes.low.error, 1e-7) << "rounding errors of the direct sum would flatten the curves";
  for (const CostAxes& alone :
       {axes_for(nullptr, CostAccuracy{3, 1e-3}), axes_for(nullptr, {}), axes_for(nullptr, CostAccuracy{0, 0})}) {
    EXPECT_GT(alone.high.ms, 5 * alone.low.ms);
    EXPECT_GT(alone.high.error, 100 * alone.low.error);
    EXPECT_TRUE(std::isfinite(alone.high.error) && alone.low.error > 0);
  }
}

TEST(CostAccuracy, NearestAngleFollowsTheCurve) {
  const SweepCurve curve = curve_of();
  ThetaSweep sweep;
  sweep.curves = {curve};
  const CostAxes axes = axes_for(&sweep, {});
  for (const double theta : {0.2, 0.35, 0.61, 1.04, 1.2}) {
    const CostAccuracy place = place_at(curve, theta);
    EXPECT_NEAR(nearest_theta(curve, axes, axes.x(place.ms), axes.y(place.error)), theta, 0.006);
  }
}

TEST(CostAccuracy, AngleWithoutACurveFollowsThePowerLaw) {
  EXPECT_EQ(theta_for_error(1e-3, 1e-3, 0.7), 0.7);
  EXPECT_GT(theta_for_error(4e-3, 1e-3, 0.7), 0.9);
  EXPECT_EQ(theta_for_error(1e9, 1e-3, 0.7), 1.5);
  EXPECT_EQ(theta_for_error(1e-20, 1e-3, 0.7), 0.1);
  EXPECT_EQ(theta_for_error(1e-3, 0, 0.7), 0.7) << "an error of 0 says nothing";
}

TEST(CostAccuracy, CurrentPlaceIsMeasured) {
  const SessionState state = state_with_sample();
  const auto place = current_place(state, state.config, state.params, steps_of(8));
  ASSERT_TRUE(place);
  EXPECT_TRUE(place->measured);
  EXPECT_DOUBLE_EQ(place->place.ms, 8) << "vertices, diagnostics and motion are no forces";
  EXPECT_DOUBLE_EQ(place->place.error, 2e-3);
  EXPECT_FALSE(current_place(state, state.config, state.params, {}));
  EXPECT_FALSE(current_place({}, {}, {}, steps_of(8)));
}

TEST(CostAccuracy, CurrentPlaceMovesAsThetaIsDragged) {
  SessionState state = state_with_sample();
  auto sweep = std::make_shared<ThetaSweep>();
  sweep->curves = {curve_of()};
  state.sweep = sweep;
  Params dragged = state.params;
  dragged.theta = 1;
  const auto place = current_place(state, state.config, dragged, steps_of(8));
  ASSERT_TRUE(place);
  EXPECT_FALSE(place->measured);
  EXPECT_DOUBLE_EQ(place->place.ms, 10);
  EXPECT_DOUBLE_EQ(place->place.error, 0.01);
  EXPECT_EQ(current_curve(state, {.solver = "fmm"}), nullptr);
}

TEST(CostAccuracy, OffersSolversOfTheBackend) {
  for (const Backend backend : {Backend::cpu, Backend::cuda}) {
    const std::vector<std::string> offered = swept_solvers(backend);
    EXPECT_EQ(offered.back(), "direct");
    EXPECT_THAT(offered, testing::IsSupersetOf({"octree", "fmm"}));
    for (const std::string& solver : offered) EXPECT_TRUE(find_solver(solver)->runs_on(backend)) << solver;
  }
  SessionState state;
  state.bodies = 20'000;
  EXPECT_EQ(problem_with_sweep("direct", state), "");
  state.bodies = 1'000'000;
  EXPECT_NE(problem_with_sweep("direct", state), "");
  EXPECT_EQ(problem_with_sweep("octree", state), "");
  state.config.backend = Backend::cuda;
  EXPECT_EQ(problem_with_sweep("direct", state), "");
}

}  // namespace
}  // namespace pericenter::app
