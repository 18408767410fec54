#include "app/bench.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <iostream>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "app/bench_input.h"
#include "app/bench_report.h"
#include "app/command_line.h"
#include "app/files.h"
#include "app/option_rows.h"
#include "app/progress_bar.h"
#include "app/stop_signals.h"
#include "sim/cuda/device.h"
#include "sim/force_error.h"
#include "sim/scenes/registry.h"
#include "sim/simulation.h"
#include "sim/solvers/registry.h"

namespace pericenter::app {
namespace {

constexpr std::size_t kMostForDirect = 100'000;  // on the CPU, when nobody asked for it
constexpr double kSecondsARow = 1;
constexpr std::size_t kFewestRepeats = 3;
// So small that thousands of steps leave the bodies where they are.
constexpr double kDt = 1e-9;

void say(const std::string& message) {
  std::cerr << "pericenter: " << message << '\n';
}

/// What to run, and a sentence without its full stop for each thing asked for that cannot.
struct Plan {
  std::vector<BenchRow> rows;  ///< with nothing measured yet, ordered by number of bodies
  std::vector<std::string> left_out;
};

std::vector<Backend> backends_here(const BenchOptions& options, const CudaStatus& cuda, Plan& plan) {
  std::vector<Backend> backends = options.backends;
  if (backends.empty()) backends = {Backend::cpu, Backend::cuda};
  if (cuda.available()) return backends;
  const bool had_cuda = std::erase(backends, Backend::cuda) > 0;
  if (had_cuda && !options.backends.empty()) plan.left_out.push_back("CUDA cannot be used: " + cuda.missing);
  return backends;
}

std::vector<Config> configs_here(const BenchOptions& options, Plan& plan) {
  const CudaStatus cuda = cuda_status();
  const std::vector<Backend> backends = backends_here(options, cuda, plan);
  std::vector<std::string> names = options.solvers;
  if (names.empty()) {
    for (const SolverInfo& solver : solvers()) names.emplace_back(solver.name);
  }
  std::vector<Config> configs;
  for (const std::string& solver : names) {
    std::vector<std::string> problems;
    for (const Backend backend : backends) {
      Config config = options.config;
      config.solver = solver;
      config.backend = backend;
      if (backend == Backend::cuda) config.device = cuda.devices.front().index;
      const std::string problem = problem_with(config);
      if (problem.empty())
        configs.push_back(config);
      else
        problems.push_back(problem);
    }
    // Only what was asked for is missed: a solver by name, on backends by name or on any.
    if (options.solvers.empty() || (options.backends.empty() && problems.size() < backends.size())) continue;
    if (options.backends.empty() && !cuda.available()) problems.back() += ", and CUDA cannot be used: " + cuda.missing;
    plan.left_out.insert(plan.left_out.end(), problems.begin(), problems.end());
  }
  return configs;
}

Plan make_plan(const BenchOptions& options) {
  Plan plan;
  const std::vector<Config> configs = configs_here(options, plan);
  for (const std::size_t bodies : options.bodies) {
    for (const Config& config : configs) {
      const bool has_tree = find_solver(config.solver)->has_tree;
      const bool slow = !has_tree && config.backend == Backend::cpu && bodies > kMostForDirect;
      if (slow && options.solvers.empty()) {
        plan.left_out.push_back(config.solver + " on the CPU with " + std::to_string(bodies) +
                                " bodies takes long; --solver " + config.solver + " measures it all the same");
        continue;
      }
      for (const double theta : has_tree ? options.thetas : std::vector<double>{0}) {
        BenchRow& row = plan.rows.emplace_back();
        row.config = config;
        row.has_tree = has_tree;
        row.theta = theta;
        row.bodies = bodies;
      }
    }
  }
  return plan;
}

struct Step {
  double ms = 0;  ///< wall clock
  StageTimings stages;
};

Step timed_step(Simulation& simulation, const Params& params) {
  const auto start = std::chrono::steady_clock::now();
  simulation.step(params);
  return {std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count(),
          simulation.timings()};
}

double force_ms(const Step& step) {
  StageTimings stages = step.stages;
  for (const Stage other : {Stage::kick_drift, Stage::publish, Stage::diagnostics}) stages[other] = 0;
  return static_cast<double>(stages.total_ms());
}

template <class Value>
double median(const std::vector<Step>& steps, const Value& value) {
  std::vector<double> values(steps.size());
  std::transform(steps.begin(), steps.end(), values.begin(), value);
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// As many steps as were asked for, or as fit in about a second; one at least.
std::vector<Step> timed_steps(Simulation& simulation, const Params& params, std::size_t repeats, StopSignals& stop) {
  std::vector<Step> steps;
  double seconds = 0;
  const auto enough = [&] {
    return repeats > 0 ? steps.size() >= repeats : steps.size() >= kFewestRepeats && seconds >= kSecondsARow;
  };
  do {
    steps.push_back(timed_step(simulation, params));
    seconds += steps.back().ms / 1e3;
  } while (!enough() && !stop.raised());
  return steps;
}

/// Of the forces on the bodies as they are now, which must be those of the input.
ForceErrors errors_of(Simulation& simulation, const Params& params, const BenchInput& input) {
  const std::vector<Vec3> accelerations = simulation.accelerations(params);
  std::vector<Vec3> sampled;
  for (const std::size_t i : input.sampled) sampled.push_back(accelerations[i]);
  return force_errors(sampled, input.exact);
}

void measure(const BenchOptions& options, const BenchInput& input, StopSignals& stop, BenchRow& row) {
  const std::unique_ptr<Simulation> simulation = Simulation::create(row.config, input.bodies);
  const Params params = {.dt = kDt, .theta = row.theta, .softening = options.softening};
  row.errors = errors_of(*simulation, params, input);
  row.samples = input.sampled.size();
  simulation->step(params);  // warms up
  const std::vector<Step> steps = timed_steps(*simulation, params, options.repeats, stop);
  row.repeats = steps.size();
  row.step_ms = median(steps, [](const Step& step) { return step.ms; });
  row.force_ms = median(steps, force_ms);
  for (std::size_t k = 0; k < kStageCount; ++k) {
    const auto stage_ms = [k](const Step& step) { return static_cast<double>(step.stages.ms[k]); };
    row.stages.ms[k] = static_cast<float>(median(steps, stage_ms));
  }
  row.body_interactions = simulation->body_interactions();
  row.cell_interactions = simulation->cell_interactions();
  row.device = row.config.backend == Backend::cpu ? "CPU" : simulation->device_name();
}

/// Measures the rows of the plan until a signal comes; what turns out not to fit is left out of them.
std::vector<BenchRow> measure_all(const BenchOptions& options, Plan& plan, StopSignals& stop) {
  ProgressBar bar("measuring", "rows", options.progress);
  std::vector<BenchRow> measured;
  BenchInput input;
  const Progress go_on = [&](double) { return !stop.raised(); };
  for (std::size_t k = 0; k < plan.rows.size() && !stop.raised(); ++k) {
    BenchRow& row = plan.rows[k];
    bar.show(static_cast<double>(k), static_cast<double>(plan.rows.size()));
    const auto leave_out = [&](const std::string& why) {
      const std::string backend(kBackendNames[static_cast<std::size_t>(row.config.backend)]);
      plan.left_out.push_back(row.config.solver + " on " + backend + " with " + std::to_string(row.bodies) +
                              " bodies: " + why);
    };
    try {
      if (input.bodies.size() != row.bodies) input = make_bench_input(options, row.bodies, go_on);
      measure(options, input, stop, row);
      measured.push_back(row);
    } catch (const SceneCancelled&) {
      break;
    } catch (const DeviceMemoryError& error) {
      leave_out(error.what());
    } catch (const std::bad_alloc&) {
      leave_out("out of memory");
    } catch (const std::invalid_argument& error) {
      leave_out(error.what());
    }
  }
  const double all = static_cast<double>(plan.rows.size());
  if (!stop.raised()) bar.show(all, all);
  return measured;
}

/// One line for each thing left out, from the given one on; returns how many there are.
std::size_t say_left_out(const Plan& plan, std::size_t first) {
  for (std::size_t k = first; k < plan.left_out.size(); ++k) say("left out: " + plan.left_out[k] + ".");
  return plan.left_out.size();
}

[[noreturn]] void refuse(const Plan& plan) {
  std::string why;
  for (const std::string& reason : plan.left_out) why += (why.empty() ? "" : "; ") + reason;
  throw CommandLineError("nothing is left to measure: " + why + ".", kUnavailable);
}

int finish(const BenchOptions& options, const std::vector<BenchRow>& rows, StopSignals& stop) {
  if (rows.empty()) {
    say(stop.raised() ? "interrupted before the first row; nothing was written." : "nothing was measured.");
    return stop.raised() ? stop.exit_code() : kUnavailable;
  }
  std::cout << bench_table(options, rows) << std::flush;
  if (!options.csv.empty()) {
    const std::string csv = bench_csv(options, rows);
    write_file(options.csv, {reinterpret_cast<const std::uint8_t*>(csv.data()), csv.size()});
  }
  if (stop.raised()) {
    say("interrupted; the table has the rows that were measured.");
    return stop.exit_code();
  }
  if (std::cout) return kOk;
  say("cannot write to the standard output.");
  return kIoError;
}

}  // namespace

int run_bench(const BenchOptions& options) {
  StopSignals stop;
  if (!options.csv.empty()) check_can_create(options.csv);
  Plan plan = make_plan(options);
  if (plan.rows.empty()) refuse(plan);
  const std::size_t said = say_left_out(plan, 0);
  const std::vector<BenchRow> rows = measure_all(options, plan, stop);
  say_left_out(plan, said);
  return finish(options, rows, stop);
}

}  // namespace pericenter::app
