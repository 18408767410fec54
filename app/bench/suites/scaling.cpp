#include <array>
#include <cmath>

#include "app/bench/suites/suite_reports.h"

namespace pericenter::app {
namespace {

constexpr double kScalingTheta = 1;
constexpr std::size_t kScalingSteps = 100;

struct ScalingCurve {
  const char* name;
  const char* solver;
  bool quadrupoles = false;
};
constexpr std::array<ScalingCurve, 3> kCurves = {
    {{"direct", "direct"}, {"tree (hybrid)", "hybrid"}, {"octree", "octree", true}}};

double hundred_steps_ms(const BenchRow& row) {
  return row.mean_ms * kScalingSteps;
}

}  // namespace

SuiteCases plan_scaling(const SuiteRequest& request) {
  SuiteCases cases;
  for (const Backend backend : request.backends) {
    for (const std::size_t bodies : request.bodies(backend)) {
      for (const ScalingCurve& curve : kCurves) {
        SuiteCase& one = cases.emplace_back();
        one.curve = place(backend) + " " + curve.name;
        one.input = kDisc;
        one.max_steps = kScalingSteps;
        one.row.config = suite_config(request, backend, curve.solver);
        one.row.config.dimension = 2;
        if (curve.quadrupoles) one.row.config.multipole = Multipole::quadrupole;
        one.row.theta = kScalingTheta;
        one.row.bodies = bodies;
      }
    }
  }
  return cases;
}

SuiteReport report_scaling(const SuiteCases& measured) {
  Table table = suite_table(measured, {"ms_100_steps", "step_ms"}, [](const SuiteCase& one) {
    return std::vector<Cell>{hundred_steps_ms(one.row), one.row.step_ms};
  });
  LinePanel panel{"Time of 100 steps", {"bodies", true}, {"ms", true}, {}};
  panel.curves = curves_of(measured, [](const SuiteCase& one) {
    return Point{static_cast<double>(one.row.bodies), hundred_steps_ms(one.row)};
  });
  return {std::move(table), {std::move(panel)}};
}

}  // namespace pericenter::app
