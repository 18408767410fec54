#include <algorithm>

#include "app/bench/suites/suite_reports.h"

namespace pericenter::app {
namespace {

constexpr double kAblationTheta = 1;
constexpr std::size_t kAblationSteps = 11;

std::string choice_name(SolverOption which, int choice) {
  return std::string(solver_option_info(which).values[static_cast<std::size_t>(choice)].name);
}

/// One step of the ablation: a value, set on top of the previous ones.
struct Variant {
  SolverOption which;
  int choice;
};

template <class Choice>
Variant variant(SolverOption which, Choice choice) {
  return {which, static_cast<int>(choice)};
}

std::vector<Variant> slowest(Backend backend) {
  if (backend == Backend::cpu) return {variant(SolverOption::order, Order::none)};
  return {variant(SolverOption::order, Order::none),
          variant(SolverOption::node, NodeLayout::full),
          variant(SolverOption::upper_levels, UpperLevels::global),
          variant(SolverOption::block, choice_for(SolverOption::block, 64)),
          variant(SolverOption::host_memory, HostMemory::pageable),
          variant(SolverOption::streams, choice_for(SolverOption::streams, 1)),
          variant(SolverOption::buffers, Buffers::per_step),
          variant(SolverOption::integration, Integration::host)};
}

std::vector<Variant> variants(Backend backend) {
  std::vector<Variant> all = {variant(SolverOption::order, Order::morton10),
                              variant(SolverOption::order, Order::morton)};
  if (backend == Backend::cpu) return all;
  const std::vector<Variant> more = {variant(SolverOption::node, NodeLayout::compact),
                                     variant(SolverOption::upper_levels, UpperLevels::shared),
                                     variant(SolverOption::block, choice_for(SolverOption::block, 128)),
                                     variant(SolverOption::block, choice_for(SolverOption::block, 256)),
                                     variant(SolverOption::block, choice_for(SolverOption::block, 512)),
                                     variant(SolverOption::host_memory, HostMemory::pinned),
                                     variant(SolverOption::streams, choice_for(SolverOption::streams, 2)),
                                     variant(SolverOption::buffers, Buffers::kept),
                                     variant(SolverOption::integration, Integration::device)};
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

void plan_ablation(const SuiteRequest& request, Backend backend, std::size_t bodies, SuiteCases& cases) {
  SuiteCase one;
  one.curve = place(backend);
  one.label = "slowest values";
  one.input = kDisc;
  one.max_steps = kAblationSteps;
  one.row.config = suite_config(request, backend, "hybrid");
  one.row.config.dimension = 2;
  if (backend == Backend::cpu) one.row.config.threads = 1;
  one.row.theta = kAblationTheta;
  one.row.bodies = bodies;
  for (const Variant& start : slowest(backend)) one.row.config.solver_options.set(start.which, start.choice);
  cases.push_back(one);
  for (const Variant& next : variants(backend)) {
    one.label = std::string(solver_option_info(next.which).name) + " " + choice_name(next.which, next.choice);
    one.row.config.solver_options.set(next.which, next.choice);
    cases.push_back(one);
  }
  if (backend == Backend::cuda) return;
  one.label = "all cores";
  one.row.config.threads = 0;
  cases.push_back(one);
}

/// Index of the first case of the same curve and size.
std::size_t start_of(const SuiteCases& measured, std::size_t k) {
  const auto same = [&](const SuiteCase& other) {
    return other.curve == measured[k].curve && other.row.bodies == measured[k].row.bodies;
  };
  return static_cast<std::size_t>(std::find_if(measured.begin(), measured.end(), same) - measured.begin());
}

std::vector<Cell> ablation_cells(const SuiteCases& measured, std::size_t k) {
  const BenchRow& row = measured[k].row;
  const std::size_t start = start_of(measured, k);
  const Cell change = k > start ? Cell(row.step_ms - measured[k - 1].row.step_ms) : Cell("");
  std::vector<Cell> cells = {measured[k].label, row.step_ms, change, measured[start].row.step_ms / row.step_ms};
  for (const float ms : row.stages.ms) cells.push_back(ms > 0 ? Cell(static_cast<double>(ms)) : Cell(""));
  return cells;
}

}  // namespace

SuiteCases plan_ablation(const SuiteRequest& request) {
  SuiteCases cases;
  for (const Backend backend : request.backends) {
    for (const std::size_t bodies : request.bodies(backend)) plan_ablation(request, backend, bodies, cases);
  }
  return cases;
}

SuiteReport report_ablation(const SuiteCases& measured) {
  std::vector<std::string> columns = {"variant", "step_ms", "change_ms", "speed_up"};
  for (std::string stage : std::vector<std::string>(kStageNames.begin(), kStageNames.end())) {
    std::replace(stage.begin(), stage.end(), ' ', '_');
    columns.push_back(stage + "_ms");
  }
  Table table = suite_table(measured, columns, [&](const SuiteCase& one) {
    return ablation_cells(measured, static_cast<std::size_t>(&one - measured.data()));
  });
  SuiteReport report{std::move(table), {}};
  for (const Backend backend : {Backend::cpu, Backend::cuda}) {
    BarPanel panel{"Time per step on the " + place(backend), "ms", step_parts(), {}};
    for (const SuiteCase& one : measured) {
      if (one.row.config.backend == backend) panel.bars.push_back({one.label, step_parts_ms(one.row)});
    }
    if (!panel.bars.empty()) report.panels.emplace_back(std::move(panel));
  }
  return report;
}

}  // namespace pericenter::app
