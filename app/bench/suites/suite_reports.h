#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "app/bench/suites.h"

namespace pericenter::app {

// Plans and reports of the suites.
SuiteCases plan_scaling(const SuiteRequest& request);
SuiteReport report_scaling(const SuiteCases& measured);
SuiteCases plan_threads(const SuiteRequest& request);
SuiteReport report_threads(const SuiteCases& measured);
SuiteCases plan_theta(const SuiteRequest& request);
SuiteReport report_theta(const SuiteCases& measured);
SuiteCases plan_ordering(const SuiteRequest& request);
SuiteReport report_ordering(const SuiteCases& measured);
SuiteCases plan_throughput(const SuiteRequest& request);
SuiteReport report_throughput(const SuiteCases& measured);
SuiteCases plan_ablation(const SuiteRequest& request);
SuiteReport report_ablation(const SuiteCases& measured);

// Shared helpers.

/// "CPU" or "GPU".
std::string place(Backend backend);
/// request.base for a solver with monopoles, as in the publications.
Config suite_config(const SuiteRequest& request, Backend backend, std::string_view solver);
/// Index of the value of the option with this number.
int choice_for(SolverOption which, std::uint32_t number);

/// A table with `columns` between the common columns; `cells` returns their cells of a case.
Table suite_table(const SuiteCases& measured, const std::vector<std::string>& columns,
                  const std::function<std::vector<Cell>(const SuiteCase&)>& cells);
/// A cell with the number; empty if it is not finite.
Cell known(double number);

/// One curve per SuiteCase::curve, in order of appearance, with different colours.
std::vector<Curve> curves_of(const SuiteCases& measured, const std::function<Point(const SuiteCase&)>& point);

/// Names of the parts of a step, groups of stages.
std::vector<std::string> step_parts();
/// Milliseconds per part; the last part is the time outside all stages.
std::vector<double> step_parts_ms(const BenchRow& row);

}  // namespace pericenter::app
