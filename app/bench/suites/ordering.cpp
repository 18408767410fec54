#include <array>
#include <cmath>

#include "app/bench/suites/suite_reports.h"

namespace pericenter::app {
namespace {

constexpr double kOrderingTheta = 0.5;
constexpr std::array<Order, 4> kOrders = {Order::tree, Order::regular, Order::none, Order::shuffled};

std::string name_of(SolverOption which, int choice) {
  return std::string(solver_option_info(which).values[static_cast<std::size_t>(choice)].name);
}

std::vector<Walk> walks_of(Backend backend) {
  if (backend == Backend::cpu) return {Walk::skip};
  return {Walk::warp, Walk::skip};
}

std::string order_name(const BenchRow& row) {
  return name_of(SolverOption::order, row.config.solver_options[SolverOption::order]);
}

/// Walk time relative to tree order; NaN if tree order was not measured.
double slowdown(const SuiteCases& measured, const SuiteCase& one) {
  for (const SuiteCase& other : measured) {
    const bool same = other.curve == one.curve && other.row.bodies == one.row.bodies;
    if (same && order_name(other.row) == "tree") return one.row.walk_ms() / other.row.walk_ms();
  }
  return NAN;
}

}  // namespace

SuiteCases plan_ordering(const SuiteRequest& request) {
  SuiteCases cases;
  for (const Backend backend : request.backends) {
    for (const std::size_t bodies : request.bodies(backend)) {
      for (const Walk walk : walks_of(backend)) {
        for (const Order order : kOrders) {
          SuiteCase& one = cases.emplace_back();
          one.curve = place(backend) + " " + name_of(SolverOption::walk, static_cast<int>(walk));
          one.label = "order " + name_of(SolverOption::order, static_cast<int>(order));
          one.input = "uniform";
          one.row.config = suite_config(request, backend, "tree-sorted");
          one.row.config.solver_options.set(SolverOption::walk, walk);
          one.row.config.solver_options.set(SolverOption::order, order);
          one.row.theta = kOrderingTheta;
          one.row.bodies = bodies;
        }
      }
    }
  }
  return cases;
}

SuiteReport report_ordering(const SuiteCases& measured) {
  const std::vector<std::string> columns = {"order",           "walk_ms",         "step_ms",
                                            "visits_per_body", "lane_efficiency", "slowdown"};
  Table table = suite_table(measured, columns, [&](const SuiteCase& one) {
    const BenchRow& row = one.row;
    const Cell lanes = row.work.lane_slots > 0 ? Cell(row.work.lane_efficiency()) : Cell("");
    return std::vector<Cell>{order_name(row), row.walk_ms(),
                             row.step_ms,     row.per_body(row.work.node_visits),
                             lanes,           known(slowdown(measured, one))};
  });
  BarPanel panel{"Walk time relative to tree order", "slowdown", {"walk"}, {}};
  for (const SuiteCase& one : measured) {
    const double value = slowdown(measured, one);
    if (std::isfinite(value)) panel.bars.push_back({one.curve + ", " + order_name(one.row), {value}});
  }
  return {std::move(table), {std::move(panel)}};
}

}  // namespace pericenter::app
