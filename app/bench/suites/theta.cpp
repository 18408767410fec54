#include <cmath>

#include "app/base/format.h"
#include "app/bench/suites/suite_reports.h"

namespace pericenter::app {
namespace {

constexpr std::size_t kSamples = 10'000;
constexpr const char* kDirect = "direct-tiled";

SuiteCase theta_case(const SuiteRequest& request, Backend backend, std::size_t bodies, const char* solver) {
  SuiteCase one;
  one.input = "uniform";
  one.samples = kSamples;
  one.row.config = suite_config(request, backend, solver);
  one.row.bodies = bodies;
  one.curve = place(backend) + " " + solver;
  return one;
}

bool is_direct(const SuiteCase& one) {
  return one.row.config.solver == kDirect;
}

/// Speedup over the direct sum of the same bodies; NaN if it was not measured.
double speed_up(const SuiteCases& measured, const BenchRow& row) {
  for (const SuiteCase& other : measured) {
    const bool same = other.row.config.backend == row.config.backend && other.row.bodies == row.bodies;
    if (same && is_direct(other)) return other.row.step_ms / row.step_ms;
  }
  return NAN;
}

/// The direct sum does not depend on theta: a horizontal line.
std::vector<Curve> times(const SuiteCases& measured) {
  std::vector<Curve> curves;
  for (Curve& curve : curves_of(measured, [](const SuiteCase& one) { return Point{one.row.theta, one.row.step_ms}; })) {
    if (curve.name.ends_with(kDirect)) {
      curve.points = {{0, curve.points.front().y}, {0.8, curve.points.front().y}};
      curve.dash = 2;
    }
    curves.push_back(std::move(curve));
  }
  return curves;
}

std::vector<Curve> errors(const SuiteCases& measured) {
  std::vector<Curve> curves = curves_of(measured, [](const SuiteCase& one) {
    return Point{one.row.theta, one.row.errors.mean};
  });
  std::vector<Curve> largest = curves_of(measured, [](const SuiteCase& one) {
    return Point{one.row.theta, one.row.errors.max};
  });
  for (Curve& curve : largest) {
    curve.name += ", max";
    curve.dash = 1;
    curves.push_back(std::move(curve));
  }
  // The errors of the direct sum are rounding errors.
  std::erase_if(curves, [](const Curve& curve) { return curve.name.find(kDirect) != curve.name.npos; });
  return curves;
}

}  // namespace

SuiteCases plan_theta(const SuiteRequest& request) {
  SuiteCases cases;
  for (const Backend backend : request.backends) {
    for (const std::size_t bodies : request.bodies(backend)) {
      for (const char* solver : {"tree-sorted", "octree"}) {
        for (int tenths = 8; tenths >= 1; --tenths) {
          SuiteCase& one = cases.emplace_back(theta_case(request, backend, bodies, solver));
          const bool quadrupoles = solver == std::string_view("octree");
          if (quadrupoles) one.row.config.multipole = Multipole::quadrupole;
          one.curve += quadrupoles ? " (quadr.)" : "";
          one.row.theta = tenths / 10.0;
          one.label = text("theta %g", one.row.theta);
        }
      }
      cases.push_back(theta_case(request, backend, bodies, kDirect));
    }
  }
  return cases;
}

SuiteReport report_theta(const SuiteCases& measured) {
  const std::vector<std::string> columns = {"theta",          "step_ms",       "error_mean",
                                            "error_max",      "samples",       "speed_up_over_direct",
                                            "pairs_per_body", "cells_per_body"};
  Table table = suite_table(measured, columns, [&](const SuiteCase& one) {
    const BenchRow& row = one.row;
    return std::vector<Cell>{is_direct(one) ? Cell("") : Cell(row.theta),
                             row.step_ms,
                             row.errors.mean,
                             row.errors.max,
                             static_cast<double>(row.samples),
                             known(speed_up(measured, row)),
                             row.per_body(row.work.body_interactions),
                             row.per_body(row.work.cell_interactions)};
  });
  LinePanel time{"Time per step", {"theta", false}, {"ms", true}, times(measured)};
  LinePanel error{"Relative force error, mean and maximum", {"theta", false}, {"error", true}, errors(measured)};
  return {std::move(table), {std::move(time), std::move(error)}};
}

}  // namespace pericenter::app
