#include "app/bench/measure.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <new>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <vector>

#include "sim/core/device.h"
#include "sim/core/simulation.h"
#include "sim/solvers/registry.h"

namespace pericenter::app {
namespace {

// So small that the bodies hardly move in thousands of steps.
constexpr double kDt = 1e-9;

using Clock = std::chrono::steady_clock;

struct Step {
  double ms = 0;  ///< wall clock
  StageTimings stages;
};

Step timed_step(Simulation& simulation, const Params& params) {
  const auto start = Clock::now();
  simulation.step(params);
  const double ms = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
  return {ms, simulation.timings()};
}

double force_ms(const Step& step) {
  StageTimings stages = step.stages;
  for (const Stage other : {Stage::kick_drift, Stage::write_vertices, Stage::diagnostics}) stages[other] = 0;
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

std::vector<Step> timed_steps(Simulation& simulation, const Params& params, const TimedSteps& count,
                              StopSignals& stop) {
  std::vector<Step> steps;
  double seconds = 0;
  do {
    steps.push_back(timed_step(simulation, params));
    seconds += steps.back().ms / 1e3;
  } while (steps.size() < count.max && (steps.size() < count.min || seconds < count.seconds) &&
           seconds + steps.back().ms / 1e3 <= count.limit && !stop.raised());
  return steps;
}

/// Errors of the sampled forces.
ForceErrors errors_of(const std::vector<Vec3>& accelerations, const BenchInput& input) {
  std::vector<Vec3> sampled;
  for (const std::size_t i : input.sampled) sampled.push_back(accelerations[i]);
  return force_errors(sampled, input.exact);
}

void fill_in(const std::vector<Step>& steps, const Simulation& simulation, BenchRow& row) {
  const auto step_ms = [](const Step& step) { return step.ms; };
  row.repeats = steps.size();
  row.step_ms = median(steps, step_ms);
  row.mean_ms = std::transform_reduce(steps.begin(), steps.end(), 0.0, std::plus<>(), step_ms) /
                static_cast<double>(steps.size());
  row.force_ms = median(steps, force_ms);
  for (std::size_t k = 0; k < kStageCount; ++k) {
    const auto stage_ms = [k](const Step& step) { return static_cast<double>(step.stages.ms[k]); };
    row.stages.ms[k] = static_cast<float>(median(steps, stage_ms));
  }
  row.work = simulation.work();
  row.note = simulation.note();
  row.device = row.config.backend == Backend::cpu ? "CPU" : simulation.device_name();
}

void measure_or_throw(const BenchInput& input, const TimedSteps& steps, StopSignals& stop, BenchRow& row) {
  const std::unique_ptr<Simulation> simulation = Simulation::create(row.config, input.bodies);
  const Params params = {.dt = kDt, .theta = row.theta, .accuracy = row.accuracy, .softening = input.request.softening};
  row.samples = input.sampled.size();
  const auto start = Clock::now();
  const std::vector<Vec3> accelerations = simulation->accelerations(params);
  const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
  if (row.samples > 0) row.errors = errors_of(accelerations, input);
  // Warm-up, unless the first evaluation was already long.
  if (seconds <= std::max(steps.seconds, 1.0)) simulation->step(params);
  fill_in(timed_steps(*simulation, params, steps, stop), *simulation, row);
}

}  // namespace

bool BenchRow::has_tree() const {
  return find_solver(config.solver)->has_tree();
}

bool BenchRow::has_theta() const {
  return has_tree() && !opens_by_error(config);
}

Multipole BenchRow::multipole() const {
  return find_solver(config.solver)->quadrupoles ? config.multipole : Multipole::monopole;
}

double BenchRow::walk_ms() const {
  return static_cast<double>(stages[Stage::walk] + stages[Stage::near] + stages[Stage::far] + stages[Stage::direct]);
}

double BenchRow::bodies_per_second() const {
  return static_cast<double>(bodies) / step_ms * 1e3;
}

double BenchRow::interactions_per_second() const {
  const auto interactions = static_cast<double>(work.body_interactions + work.cell_interactions);
  return walk_ms() > 0 ? interactions / walk_ms() * 1e3 : 0;
}

double BenchRow::per_body(std::uint64_t count) const {
  return static_cast<double>(count) / static_cast<double>(bodies);
}

int threads_of(const Config& config) {
  const int cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  return config.threads > 0 ? std::min(config.threads, cores) : cores;
}

std::string measure(const BenchInput& input, const TimedSteps& steps, StopSignals& stop, BenchRow& row) {
  try {
    measure_or_throw(input, steps, stop, row);
    return {};
  } catch (const DeviceMemoryError& error) {
    return error.what();
  } catch (const std::bad_alloc&) {
    return "out of memory";
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
}

}  // namespace pericenter::app
