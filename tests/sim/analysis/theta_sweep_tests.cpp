#include "sim/analysis/theta_sweep.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "sim/solvers/registry.h"
#include "tests/support/reference.h"

namespace pericenter::test {
namespace {

SweepRequest sweep_of(std::vector<std::string> solvers) {
  return {.config = {}, .params = {.softening = 0.02}, .solvers = std::move(solvers), .progress = [](double) {
            return true;
          }};
}

TEST(ThetaSweep, HasErrorAndTimeOfEachAngle) {
  SweepRequest wanted = sweep_of({"octree", "fmm", "direct"});
  double last = 0;
  wanted.progress = [&](double share) {
    EXPECT_GT(share, last);
    last = share;
    return true;
  };
  const std::vector<SweepCurve> curves = measure_sweep(wanted, scene_bodies("plummer", 2000));
  EXPECT_EQ(last, 1);
  ASSERT_EQ(curves.size(), 3u);
  for (const SweepCurve& curve : curves) {
    for (const SweepPoint& point : curve.points) {
      EXPECT_GT(point.ms, 0) << curve.config.solver << ' ' << point.theta;
      EXPECT_LE(point.errors.mean, point.errors.max);
    }
  }
  ASSERT_EQ(curves[0].points.size(), kSweptThetas.size());
  for (std::size_t k = 1; k < kSweptThetas.size(); ++k) {
    EXPECT_EQ(curves[0].points[k].theta, kSweptThetas[k]);
    EXPECT_GT(curves[0].points[k].errors.mean, curves[0].points[k - 1].errors.mean) << kSweptThetas[k];
  }
  ASSERT_EQ(curves[2].points.size(), 1u) << "a direct sum has no angle";
  EXPECT_LT(curves[2].points[0].errors.mean, 1e-5);
}

// The error of each point is that of a simulation with this angle.
TEST(ThetaSweep, MeasuresTheSolver) {
  const Bodies bodies = scene_bodies("plummer", 800);
  const std::vector<SweepCurve> curves = measure_sweep(sweep_of({"octree"}), bodies);
  ASSERT_EQ(curves.size(), 1u);
  for (const SweepPoint& point : curves[0].points) {
    const ForceErrors expected = force_errors({}, {.theta = point.theta, .softening = 0.02}, bodies, 800);
    EXPECT_NEAR(point.errors.mean / expected.mean, 1, 1e-3) << point.theta;
  }
}

TEST(ThetaSweep, KeepsOptionsOfCurrentSolverAlone) {
  Config now{.solver = "fmm", .precision = Precision::float64};
  now.solver_options.set(SolverOption::opening, Opening::error);
  now.solver_options.set(SolverOption::expansion, 1);
  const Config fmm = swept_config(now, "fmm");
  EXPECT_FALSE(opens_by_error(fmm));
  EXPECT_EQ(fmm.solver_options[SolverOption::expansion], 1);
  const Config octree = swept_config(now, "octree");
  EXPECT_EQ(octree.precision, Precision::float64);
  EXPECT_EQ(octree.solver_options, SolverOptions());
  EXPECT_EQ(problem_with(octree), "");
}

TEST(ThetaSweep, SkipsUnknownSolvers) {
  EXPECT_TRUE(measure_sweep(sweep_of({"none"}), scene_bodies("plummer", 10)).empty());
}

TEST(ThetaSweep, CanBeCancelled) {
  SweepRequest wanted = sweep_of({"octree"});
  int calls = 0;
  wanted.progress = [&](double) { return ++calls < 3; };
  EXPECT_THROW(measure_sweep(wanted, scene_bodies("plummer", 100)), Cancelled);
  EXPECT_EQ(calls, 3);
}

TEST(ThetaSweep, RefusesNonFiniteBodies) {
  Bodies bodies = scene_bodies("plummer", 100);
  bodies[5].position[0] = std::numeric_limits<double>::infinity();
  EXPECT_THROW(measure_sweep(sweep_of({"octree"}), bodies), std::invalid_argument);
}

}  // namespace
}  // namespace pericenter::test
