#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "app/bench/suites.h"

namespace pericenter::app {

// The functions of the rows of the table of suites.
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
SuiteCases plan_ladder(const SuiteRequest& request);
SuiteReport report_ladder(const SuiteCases& measured);

// What they share.

/// "CPU" or "GPU".
std::string place(Backend backend);
/// request.base for a solver with monopoles, the standard of all that is published.
Config suite_config(const SuiteRequest& request, Backend backend, std::string_view solver);
/// The choice of solver_option_info(which) that stands for the number.
int choice_for(SolverOption which, std::uint32_t number);

/// A table of `columns` between those that every suite has; `cells` gives them for a case.
Table suite_table(const SuiteCases& measured, const std::vector<std::string>& columns,
                  const std::function<std::vector<Cell>(const SuiteCase&)>& cells);
/// A cell of the number, or an empty one when there is none.
Cell known(double number);

/// A curve for each SuiteCase::curve in order of appearance, all with colors of their own.
std::vector<Curve> curves_of(const SuiteCases& measured, const std::function<Point(const SuiteCase&)>& point);

/// The stages of a step in a few parts, for bars.
std::vector<std::string> step_parts();
/// Milliseconds of each, as many as step_parts(); the last is what lies between the stages.
std::vector<double> step_parts_ms(const BenchRow& row);

}  // namespace pericenter::app
