#include "app/bench/bench.h"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <limits>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "app/base/atomic_file.h"
#include "app/base/format.h"
#include "app/base/progress_bar.h"
#include "app/base/signals.h"
#include "app/bench/input.h"
#include "app/bench/plan.h"
#include "app/bench/report.h"
#include "app/settings/command_line_error.h"
#include "app/settings/option_parser.h"
#include "sim/core/counted_bodies.h"

namespace pericenter::app {
namespace {

constexpr double kSecondsPerRow = 1;
constexpr std::size_t kMinRepeats = 3;
// A row computes the initial forces and at least one step.
constexpr double kMinStepsPerRow = 2;
// Exponents of the step time in the number of bodies; upper estimates.
constexpr double kDirectGrowth = 2, kTreeGrowth = 1.1;

InputRequest input_for(const BenchOptions& options, const std::string& name, std::size_t bodies) {
  return {.name = name,
          .bodies = bodies,
          .seed = options.seed,
          .dimension = options.config.dimension,
          .precision = options.config.precision,
          .softening = options.softening,
          .samples = options.samples,
          .test_particles = options.test_particles};
}

TimedSteps timed_steps(const BenchOptions& options, const Units& units) {
  const double dt = options.dt.empty() ? 0 : time_step_of(options.dt, units);
  if (options.repeats > 0)
    return {options.repeats, options.repeats, 0, options.max_seconds, dt, !options.positions.empty()};
  return {kMinRepeats, std::numeric_limits<std::size_t>::max(), kSecondsPerRow, options.max_seconds};
}

/// Reads all bodies of a file.
BenchInput read_input(const BenchOptions& options, const std::string& name, StopSignals& stop) {
  try {
    return read_bench_input(input_for(options, name, 0), {options.skip_bad, [&](double) { return !stop.raised(); }});
  } catch (const InputError& error) {
    const std::string what = error.what(), file = name + ": ";
    throw CommandLineError(what.starts_with(file) ? what : file + what, error.missing ? kNoInput : kDataError);
  }
}

std::size_t bodies_of(const BenchInput& input) {
  return input.bodies.size();
}

/// Reads options.files and sets options.bodies to their numbers of bodies.
std::vector<BenchInput> read_inputs(BenchOptions& options, StopSignals& stop) {
  std::vector<BenchInput> inputs;
  for (const std::string& file : options.files) {
    BenchInput input = read_input(options, file, stop);
    const auto same = std::ranges::find(inputs, bodies_of(input), bodies_of);
    if (same != inputs.end())
      throw CommandLineError(same->request.name + " and " + file + " have " + counted_bodies(bodies_of(input)) +
                             " each. Rows are identified by the number of bodies: measure one file at a time.");
    options.bodies.push_back(bodies_of(input));
    inputs.push_back(std::move(input));
  }
  return inputs;
}

/// Why the row would exceed the time limit, judged by the same row with fewer bodies; otherwise empty.
std::string too_slow(const BenchRow& next, const std::vector<BenchRow>& measured, double limit) {
  double step = 0;
  for (const BenchRow& row : measured) {
    const bool same = row.config == next.config && row.theta == next.theta && row.accuracy == next.accuracy;
    if (!same || row.bodies >= next.bodies) continue;
    const double more = static_cast<double>(next.bodies) / static_cast<double>(row.bodies);
    step = row.step_ms / 1e3 * std::pow(more, row.has_tree() ? kTreeGrowth : kDirectGrowth);
  }
  if (step * kMinStepsPerRow <= limit) return {};
  return text("a step would take about %.*f s", step < 10 ? 1 : 0, step);
}

/// Measures the rows of the plan until a signal arrives. Rows that fail are moved to plan.left_out. `inputs`: those of
/// files; others are made for their rows.
std::vector<BenchRow> measure_all(const BenchOptions& options, BenchPlan& plan, std::vector<BenchInput> inputs,
                                  StopSignals& stop) {
  ProgressBar bar("measuring", "rows", options.progress);
  std::vector<BenchRow> measured;
  const Progress progress = [&](double) { return !stop.raised(); };
  for (std::size_t k = 0; k < plan.rows.size() && !stop.raised(); ++k) {
    BenchRow& row = plan.rows[k];
    bar.show(static_cast<double>(k), static_cast<double>(plan.rows.size()));
    std::string why;
    try {
      why = too_slow(row, measured, options.max_seconds);
      auto input = std::ranges::find(inputs, row.bodies, bodies_of);
      if (why.empty() && input == inputs.end()) {
        inputs.clear();
        inputs.push_back(make_bench_input(input_for(options, options.input, row.bodies), progress));
        input = inputs.begin();
      }
      if (why.empty()) why = measure(*input, timed_steps(options, input->units), stop, row);
    } catch (const SceneCancelled&) {
      break;
    } catch (const std::bad_alloc&) {
      why = "out of memory";
    }
    const std::string backend(enum_name(row.config.backend));
    const std::string name = row.config.solver + " on " + backend + " with " + std::to_string(row.bodies) + " bodies: ";
    if (!why.empty()) {
      plan.left_out.push_back(name + why);
      continue;
    }
    if (!row.warning.empty()) print_message(name + row.warning);
    measured.push_back(std::move(row));
  }
  const double all = static_cast<double>(plan.rows.size());
  if (!stop.raised()) bar.show(all, all);
  return measured;
}

/// Prints plan.left_out from index `first` on; returns its size.
std::size_t print_left_out(const BenchPlan& plan, std::size_t first) {
  for (std::size_t k = first; k < plan.left_out.size(); ++k) print_message("skipped: " + plan.left_out[k] + ".");
  return plan.left_out.size();
}

[[noreturn]] void refuse(const BenchPlan& plan) {
  std::string why;
  for (const std::string& reason : plan.left_out) why += (why.empty() ? "" : "; ") + reason;
  throw CommandLineError("nothing to measure: " + why + ".", kUnavailable);
}

/// The positions at the end of all runs, as they are in memory.
std::string positions_of(const std::vector<BenchRow>& rows) {
  std::string bytes;
  for (const BenchRow& row : rows)
    bytes.append(reinterpret_cast<const char*>(row.positions.data()), row.positions.size() * sizeof(double));
  return bytes;
}

/// Prints and writes the results.
int finish(const BenchOptions& options, const std::vector<BenchRow>& rows, StopSignals& stop) {
  if (rows.empty()) {
    if (!stop.raised()) return fail(kUnavailable, "nothing was measured.");
    return fail(stop.exit_code(), "interrupted before the first row; nothing was written.");
  }
  std::cout << bench_table(options, rows) << std::flush;
  if (!options.csv.empty()) write_file(options.csv, bench_csv(options, rows));
  if (!options.positions.empty()) write_file(options.positions, positions_of(rows));
  if (stop.raised()) return fail(stop.exit_code(), "interrupted; the table contains the rows measured so far.");
  return kOk;
}

}  // namespace

int run_bench(BenchOptions options) {
  if (options.kind == BenchKind::render) return run_render_bench(options);
  if (options.kind == BenchKind::scenes) return run_scene_bench(options);
  StopSignals stop;
  for (const std::string& file : {options.csv, options.positions}) {
    if (!file.empty()) check_can_create(file);
  }
  std::vector<BenchInput> inputs;
  try {
    inputs = read_inputs(options, stop);
  } catch (const SceneCancelled&) {
    return finish(options, {}, stop);
  }
  BenchPlan plan = make_bench_plan(options);
  if (plan.rows.empty()) refuse(plan);
  for (const std::string& option : plan.unused) print_message(option + ".");
  const std::size_t printed = print_left_out(plan, 0);
  const std::vector<BenchRow> rows = measure_all(options, plan, std::move(inputs), stop);
  print_left_out(plan, printed);
  return finish(options, rows, stop);
}

}  // namespace pericenter::app
