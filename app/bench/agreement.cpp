#include "app/bench/agreement.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iostream>
#include <utility>
#include <vector>

#include "app/base/atomic_file.h"
#include "app/base/format.h"
#include "app/base/progress_bar.h"
#include "app/base/signals.h"
#include "app/bench/agreement_input.h"
#include "app/bench/measure.h"
#include "app/bench/plan.h"
#include "app/bench/table.h"
#include "app/settings/command_line_error.h"
#include "app/settings/option_parser.h"
#include "sim/core/clock.h"
#include "sim/core/device.h"
#include "sim/core/simulation.h"
#include "sim/files/unit_system.h"
#include "sim/solvers/registry.h"

namespace pericenter::app {
namespace {

constexpr std::size_t kPilotBodies = 8192;  // bodies in the short measurement that predicts the time of a solver

using AgreementClock = std::chrono::steady_clock;

/// A solver that completed all steps.
struct AgreementRow {
  Config config;
  std::string label;  ///< unique: solver, backend and options as far as rows differ
  std::string device = {}, note = {};
  double seconds = 0;  ///< time of all steps
  double energy_error = 0;
  std::vector<Vec3> positions = {};
};

/// Requests of one table.
struct AgreementRun {
  const BenchOptions& options;
  const AgreementInput& input;
  StopSignals& stop;
  ProgressBar& bar;
  double steps_done = 0, all_steps = 0;

  std::size_t steps() const { return options.agreement.steps; }
  double limit() const { return options.agreement.limit_seconds; }
};

/// Why a solver has no row.
struct AgreementSkipped {
  std::string why;
};

AgreementSkipped too_long(double seconds, double limit) {
  return {text("the steps would take about %.0f s, more than the %.0f s of --limit", seconds, limit)};
}

/// Time of all steps, predicted from a step of the first bodies; 0 if there are so few that no prediction is needed.
/// A tree takes N log N. A direct sum takes as long as its sources times N: some leave out bodies without mass.
double predicted_seconds(const AgreementRun& run, const Config& config) {
  const Bodies& bodies = run.input.bodies;
  if (bodies.size() <= 2 * kPilotBodies) return 0;
  const auto size = static_cast<double>(bodies.size());
  constexpr auto kPilot = static_cast<double>(kPilotBodies);
  const Bodies first(bodies.begin(), bodies.begin() + kPilotBodies);
  const auto simulation = Simulation::create(config, first);
  simulation->step(run.input.params);
  const auto start = AgreementClock::now();
  simulation->step(run.input.params);
  const double seconds =
      seconds_between(start, AgreementClock::now()) * static_cast<double>(run.steps()) * size / kPilot;
  if (find_solver(config.solver)->has_tree()) return seconds * std::log(size) / std::log(kPilot);
  const auto massive = [](const Bodies& of) {
    return static_cast<double>(std::ranges::count_if(of, [](const Body& body) { return body.mass != 0; }));
  };
  const double sources = static_cast<double>(simulation->work().body_interactions) / kPilot;
  const bool all_act = sources > kPilot / 2 || sources < 1;
  return seconds * (all_act ? size / kPilot : std::max(1.0, massive(bodies)) / std::max(1.0, massive(first)));
}

/// Advances the bodies and fills in the results. Throws AgreementSkipped.
void advance(AgreementRun& run, AgreementRow& row) {
  const Params& params = run.input.params;
  if (const double seconds = predicted_seconds(run, row.config); seconds > run.limit())
    throw too_long(seconds, run.limit());
  const auto simulation = Simulation::create(row.config, run.input.bodies);
  const Diagnostics before = simulation->diagnostics(params);
  for (std::size_t step = 0; step < run.steps(); ++step) {
    const auto start = AgreementClock::now();
    simulation->step(params);
    row.seconds += seconds_between(start, AgreementClock::now());
    run.bar.show(run.steps_done + static_cast<double>(step + 1), run.all_steps);
    if (run.stop.raised()) throw AgreementSkipped{"interrupted"};
    const double whole = row.seconds * static_cast<double>(run.steps()) / static_cast<double>(step + 1);
    if (whole > run.limit() && step + 1 < run.steps()) throw too_long(whole, run.limit());
  }
  row.energy_error = energy_error(before, simulation->diagnostics(params));
  row.note = simulation->note();
  row.device = row.config.backend == Backend::cpu ? "CPU" : simulation->device_name();
  const Bodies bodies = simulation->bodies();
  row.positions.resize(bodies.size());
  std::ranges::transform(bodies, row.positions.begin(), &Body::position);
}

/// Returns the reason if the solver has no row, otherwise an empty string.
std::string why_skipped(AgreementRun& run, AgreementRow& row) {
  try {
    return refusal_of([&] { advance(run, row); });
  } catch (const AgreementSkipped& skipped) {
    return skipped.why;
  }
}

/// The rows of a plan with unique labels: "octree", "octree cuda", "tree-sorted walk=skip".
std::vector<AgreementRow> rows_of(const BenchOptions& options, const BenchPlan& plan) {
  std::vector<AgreementRow> rows;
  const auto differs = [&](const auto& value) {
    return std::ranges::any_of(
        plan.rows, [&](const BenchRow& row) { return value(row.config) != value(plan.rows.front().config); });
  };
  const bool backends = differs([](const Config& config) { return config.backend; });
  const bool threads = differs([](const Config& config) { return config.threads; });
  for (const BenchRow& planned : plan.rows) {
    const Config& config = planned.config;
    std::string label = config.solver;
    if (backends) label += ' ' + std::string(enum_name(config.backend));
    if (threads && config.backend == Backend::cpu) label += " threads=" + std::to_string(threads_of(config));
    for (std::size_t k = 0; k < kSolverOptionCount; ++k) {
      if (options.solver_options[k].size() < 2) continue;
      const auto which = static_cast<SolverOption>(k);
      const std::string value = solver_option_text(config, which);
      if (!value.empty()) label += ' ' + std::string(solver_option_info(which).name) + '=' + value;
    }
    rows.push_back({.config = config, .label = label});
  }
  return rows;
}

/// Advances with all solvers, and reports those without a row on stderr.
std::vector<AgreementRow> advance_all(const BenchOptions& options, const AgreementInput& input, StopSignals& stop) {
  const BenchPlan plan = make_bench_plan(options);
  std::vector<std::string> skipped = plan.left_out;
  std::vector<AgreementRow> complete;
  {
    ProgressBar bar("advancing", "steps", options.progress);
    AgreementRun run{.options = options, .input = input, .stop = stop, .bar = bar};
    run.all_steps = static_cast<double>(plan.rows.size() * run.steps());
    for (AgreementRow& row : rows_of(options, plan)) {
      if (stop.raised()) break;
      bar.show(run.steps_done, run.all_steps);
      const std::string why = why_skipped(run, row);
      run.steps_done += static_cast<double>(run.steps());
      if (why.empty()) complete.push_back(std::move(row));
      if (!why.empty() && !stop.raised()) skipped.push_back(row.label + ": " + why);
    }
    if (!stop.raised()) bar.show(run.all_steps, run.all_steps);
  }
  for (const std::string& each : skipped) print_message("skipped: " + each + ".");
  return complete;
}

std::string settings_line(const BenchOptions& options, const AgreementInput& input, const AgreementRow& row) {
  const Params& params = input.params;
  std::string line = options.input_is_file ? options.input : options.agreement.scene;
  line += text(", %s bodies (%s with mass), %zu steps of %s", with_thousands(input.bodies.size()).c_str(),
               with_thousands(input.massive).c_str(), options.agreement.steps, options.agreement.dt.c_str());
  line += text(", theta %g, softening %g, %s, %s", params.theta, params.softening,
               std::string(enum_name(row.config.precision)).c_str(), row.device.c_str());
  if (row.config.backend == Backend::cpu) line += text(" with %d threads", threads_of(row.config));
  return line + '\n';
}

/// Largest differences of a solver to the others, and its relative difference to each.
struct AgreementDifferences {
  PositionDifference most;
  std::string farthest;  ///< label; empty if there is no other
  std::vector<Cell> relative;
};

AgreementDifferences differences_of(const AgreementRow& row, const std::vector<AgreementRow>& rows) {
  AgreementDifferences all;
  for (const AgreementRow& other : rows) {
    const PositionDifference to = position_difference(row.positions, other.positions);
    all.relative.emplace_back(to.relative);
    PositionDifference& most = all.most;
    if (&other != &row && to.norm >= most.norm) all.farthest = other.label;
    most = {std::max(most.norm, to.norm), std::max(most.relative, to.relative), std::max(most.largest, to.largest)};
  }
  return all;
}

/// The table, and the matrix of relative differences. The CSV file has both in one, and the settings.
struct AgreementReport {
  Table table, matrix;
};

std::vector<Cell> setting_cells(const BenchOptions& options, const AgreementInput& input, const AgreementRow& row) {
  const Config& config = row.config;
  return {row.device,
          config.backend == Backend::cpu ? std::to_string(threads_of(config)) : std::string(),
          static_cast<double>(input.bodies.size()),
          static_cast<double>(input.massive),
          std::string(enum_name(config.precision)),
          static_cast<double>(config.dimension),
          input.params.theta,
          input.params.softening,
          input.params.dt,
          static_cast<double>(options.agreement.steps),
          options.input_is_file ? options.input : options.agreement.scene,
          row.note};
}

AgreementReport report_of(const BenchOptions& options, const AgreementInput& input,
                          const std::vector<AgreementRow>& rows) {
  std::vector<std::string> columns = {"solver",      "step_ms",          "total_s",           "energy_error",
                                      "l2_relative", "l2_" + input.unit, "max_" + input.unit, "farthest"};
  std::vector<std::string> matrix_columns = {"l2_relative to"}, csv_columns;
  for (const AgreementRow& row : rows) {
    matrix_columns.push_back(row.label);
    csv_columns.push_back("to " + row.label);
  }
  csv_columns.insert(csv_columns.end(), {"device", "threads", "n", "massive", "precision", "dimension", "theta",
                                         "softening", "dt", "steps", "input", "note"});
  columns.insert(columns.end(), csv_columns.begin(), csv_columns.end());
  AgreementReport report{Table(columns, csv_columns.size()), Table(matrix_columns)};
  for (const AgreementRow& row : rows) {
    const AgreementDifferences found = differences_of(row, rows);
    const auto value = [&](double number) { return found.farthest.empty() ? Cell() : Cell(number); };
    std::vector<Cell> cells = {row.label,
                               row.seconds * 1e3 / static_cast<double>(options.agreement.steps),
                               row.seconds,
                               row.energy_error,
                               value(found.most.relative),
                               value(found.most.norm * input.unit_length),
                               value(found.most.largest * input.unit_length),
                               found.farthest};
    const std::vector<Cell> settings = setting_cells(options, input, row);
    cells.insert(cells.end(), found.relative.begin(), found.relative.end());
    cells.insert(cells.end(), settings.begin(), settings.end());
    report.table.add(std::move(cells));
    std::vector<Cell> line = {row.label};
    line.insert(line.end(), found.relative.begin(), found.relative.end());
    report.matrix.add(std::move(line));
  }
  return report;
}

}  // namespace

PositionDifference position_difference(std::span<const Vec3> a, std::span<const Vec3> b) {
  PositionDifference difference;
  double sum = 0, squares = 0, largest = 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    const Vec3 apart = a[i] - b[i];
    const double square = dot(apart, apart);
    sum += square;
    squares += dot(b[i], b[i]);
    largest = std::isnan(square) ? square : std::max(largest, square);
  }
  difference.norm = std::sqrt(sum);
  difference.relative = squares > 0 ? std::sqrt(sum / squares) : difference.norm;
  difference.largest = std::sqrt(largest);
  return difference;
}

int run_agreement(BenchOptions options) {
  StopSignals stop;
  if (!options.csv.empty()) check_can_create(options.csv);
  AgreementInput input;
  try {
    input = make_agreement_input(options, [&](double) { return !stop.raised(); });
  } catch (const SceneCancelled&) {
    return fail(stop.exit_code(), "interrupted before the first solver; nothing was written.");
  }
  options.bodies = {input.bodies.size()};
  const std::vector<AgreementRow> rows = advance_all(options, input, stop);
  if (rows.empty())
    return fail(stop.raised() ? stop.exit_code() : kUnavailable, "no solver completed the steps; nothing was written.");
  const AgreementReport report = report_of(options, input, rows);
  std::cout << settings_line(options, input, rows.front()) << report.table.aligned();
  if (rows.size() > 2) std::cout << '\n' << report.matrix.aligned();
  std::cout << std::flush;
  if (!options.csv.empty()) write_file(options.csv, report.table.csv());
  if (!stop.raised()) return kOk;
  return fail(stop.exit_code(), "interrupted; the table contains the solvers that were complete.");
}

}  // namespace pericenter::app
