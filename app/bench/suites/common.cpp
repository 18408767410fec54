#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "app/bench/suites/suite_reports.h"

namespace pericenter::app {
namespace {

/// Part of a step that a stage belongs to.
enum class Part { motion, order, build, moments, copies, forces, rest };

constexpr std::array<const char*, 7> kPartNames = {"kick and drift", "keys and sort", "build tree", "moments",
                                                   "copies",         "forces",        "rest"};

Part part_of(Stage stage) {
  switch (stage) {
    case Stage::kick_drift:
      return Part::motion;
    case Stage::bounds:
    case Stage::keys:
    case Stage::sort:
      return Part::order;
    case Stage::build:
      return Part::build;
    case Stage::moments:
      return Part::moments;
    case Stage::download:
    case Stage::upload:
      return Part::copies;
    case Stage::walk:
    case Stage::near:
    case Stage::far:
    case Stage::direct:
      return Part::forces;
    case Stage::write_vertices:
    case Stage::diagnostics:
    case Stage::count:
      break;
  }
  return Part::rest;
}

}  // namespace

std::string place(Backend backend) {
  return backend == Backend::cpu ? "CPU" : "GPU";
}

Config suite_config(const SuiteRequest& request, Backend backend, std::string_view solver) {
  Config config = request.base;
  config.backend = backend;
  config.solver = solver;
  config.multipole = Multipole::monopole;
  return config;
}

int choice_for(SolverOption which, std::uint32_t number) {
  const auto choices = solver_option_info(which).values;
  const auto found = std::find_if(choices.begin(), choices.end(),
                                  [&](const SolverOptionValue& choice) { return choice.number == number; });
  return static_cast<int>(found - choices.begin());
}

Table suite_table(const SuiteCases& measured, const std::vector<std::string>& columns,
                  const std::function<std::vector<Cell>(const SuiteCase&)>& cells) {
  std::vector<std::string> all = {"curve", "n"};
  all.insert(all.end(), columns.begin(), columns.end());
  all.insert(all.end(), {"steps_timed", "threads", "note", "device"});
  Table table(all, 1);
  for (const SuiteCase& one : measured) {
    const BenchRow& row = one.row;
    std::vector<Cell> line = {one.curve, static_cast<double>(row.bodies)};
    for (Cell& cell : cells(one)) line.push_back(std::move(cell));
    line.emplace_back(static_cast<double>(row.repeats));
    line.push_back(row.config.backend == Backend::cpu ? Cell(threads_of(row.config) * 1.0) : Cell(""));
    line.emplace_back(row.note);
    line.emplace_back(row.device);
    table.add(std::move(line));
  }
  return table;
}

Cell known(double number) {
  return std::isfinite(number) ? Cell(number) : Cell("");
}

std::vector<Curve> curves_of(const SuiteCases& measured, const std::function<Point(const SuiteCase&)>& point) {
  std::vector<Curve> curves;
  for (const SuiteCase& one : measured) {
    auto curve =
        std::find_if(curves.begin(), curves.end(), [&](const Curve& other) { return other.name == one.curve; });
    if (curve == curves.end()) {
      curves.push_back({one.curve, static_cast<int>(curves.size()), 0, {}});
      curve = curves.end() - 1;
    }
    curve->points.push_back(point(one));
  }
  return curves;
}

std::vector<std::string> step_parts() {
  return {kPartNames.begin(), kPartNames.end()};
}

std::vector<double> step_parts_ms(const BenchRow& row) {
  std::vector<double> ms(kPartNames.size());
  for (std::size_t k = 0; k < kStageCount; ++k) {
    ms[static_cast<std::size_t>(part_of(static_cast<Stage>(k)))] += static_cast<double>(row.stages.ms[k]);
  }
  ms.back() = std::max(0.0, row.step_ms - std::accumulate(ms.begin(), ms.end() - 1, 0.0));
  return ms;
}

}  // namespace pericenter::app
