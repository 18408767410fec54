#include <algorithm>
#include <array>

#include "app/bench/suites/suite_reports.h"

namespace pericenter::app {
namespace {

constexpr double kThroughputTheta = 0.5;

struct Algorithm {
  const char* name;  ///< in the publication
  const char* solver;
};
constexpr std::array kAlgorithms = {
    Algorithm{"all-pairs", "direct"},
    Algorithm{"all-pairs-col", "direct-pairs"},
    Algorithm{"octree", "concurrent-octree"},
    Algorithm{"bvh", "hilbert-bvh"},
};

/// Hardware and number of threads.
struct Execution {
  const char* name;
  Backend backend;
  int threads;
  const char* short_name;
};
constexpr std::array<Execution, 3> kExecutions = {{{"GPU", Backend::cuda, 0, "GPU"},
                                                   {"CPU parallel", Backend::cpu, 0, "parallel"},
                                                   {"CPU sequential", Backend::cpu, 1, "sequential"}}};

const Execution& execution_of(const BenchRow& row) {
  if (row.config.backend == Backend::cuda) return kExecutions[0];
  return row.config.threads == 1 ? kExecutions[2] : kExecutions[1];
}

const Algorithm& algorithm_of(const BenchRow& row) {
  return *std::find_if(kAlgorithms.begin(), kAlgorithms.end(),
                       [&](const Algorithm& algorithm) { return row.config.solver == algorithm.solver; });
}

/// Colour: algorithm; dash: hardware.
LinePanel throughput_panel(const SuiteCases& measured) {
  LinePanel panel{"Bodies per second", {"bodies", true}, {"bodies/s", true}, {}};
  panel.curves = curves_of(measured, [](const SuiteCase& one) {
    return Point{static_cast<double>(one.row.bodies), one.row.bodies_per_second()};
  });
  for (Curve& curve : panel.curves) {
    const auto one = std::find_if(measured.begin(), measured.end(),
                                  [&](const SuiteCase& other) { return other.curve == curve.name; });
    curve.color = static_cast<int>(&algorithm_of(one->row) - kAlgorithms.data());
    curve.dash = static_cast<int>(&execution_of(one->row) - kExecutions.data());
  }
  return panel;
}

/// For the largest measured size of each curve.
BarPanel shares_panel(const SuiteCases& measured) {
  BarPanel panel{"Fractions of a step, at the largest measured number of bodies", "%", step_parts(), {}, false};
  for (std::size_t k = 0; k < measured.size(); ++k) {
    const SuiteCase& one = measured[k];
    const bool more_follow = std::any_of(measured.begin() + static_cast<std::ptrdiff_t>(k) + 1, measured.end(),
                                         [&](const SuiteCase& other) { return other.curve == one.curve; });
    if (more_follow) continue;
    std::vector<double> parts = step_parts_ms(one.row);
    for (double& part : parts) part *= 100 / one.row.step_ms;
    panel.bars.push_back({one.curve, std::move(parts)});
  }
  return panel;
}

}  // namespace

SuiteCases plan_throughput(const SuiteRequest& request) {
  SuiteCases cases;
  for (const Execution& execution : kExecutions) {
    const auto& wanted = request.backends;
    if (std::find(wanted.begin(), wanted.end(), execution.backend) == wanted.end()) continue;
    for (const std::size_t bodies : request.bodies(execution.backend)) {
      for (const Algorithm& algorithm : kAlgorithms) {
        SuiteCase& one = cases.emplace_back();
        one.curve = std::string(algorithm.name) + " " + execution.short_name;
        one.input = "collision";
        one.row.config = suite_config(request, execution.backend, algorithm.solver);
        one.row.config.precision = Precision::float64;
        one.row.config.threads = execution.threads;
        one.row.theta = kThroughputTheta;
        one.row.bodies = bodies;
      }
    }
  }
  return cases;
}

SuiteReport report_throughput(const SuiteCases& measured) {
  std::vector<std::string> columns = {"algorithm", "execution", "step_ms", "bodies_per_s"};
  for (std::string part : step_parts()) {
    std::replace(part.begin(), part.end(), ' ', '_');
    columns.push_back(part + "_percent");
  }
  Table table = suite_table(measured, columns, [](const SuiteCase& one) {
    const BenchRow& row = one.row;
    std::vector<Cell> cells = {algorithm_of(row).name, execution_of(row).name, row.step_ms, row.bodies_per_second()};
    for (const double ms : step_parts_ms(row)) cells.emplace_back(100 * ms / row.step_ms);
    return cells;
  });
  return {std::move(table), {throughput_panel(measured), shares_panel(measured)}};
}

}  // namespace pericenter::app
