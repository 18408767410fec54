#include "app/bench/measure.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <map>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "app/base/format.h"
#include "app/base/long_step.h"
#include "app/base/system_report.h"
#include "sim/core/median.h"
#include "sim/core/simulation.h"
#include "sim/core/timestep_criterion.h"
#include "sim/core/tree_box.h"
#include "sim/solvers/registry.h"

namespace pericenter::app {
namespace {

// So small that the bodies hardly move in thousands of steps.
constexpr double kDt = 1e-9;

using Clock = std::chrono::steady_clock;

struct Step {
  double ms = 0;  ///< wall clock
  StageTimings stages;
  bool noted = false;     ///< the solver reported a note
  std::size_t cells = 0;  ///< cells of the tree, in a run
};

Step timed_step(Simulation& simulation, const Params& params) {
  const auto start = Clock::now();
  simulation.step(params);
  const double ms = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
  return {ms, simulation.timings(), !simulation.note().empty(), 0};
}

double force_ms(const Step& step) {
  StageTimings stages = step.stages;
  for (const Stage other : {Stage::kick_drift, Stage::write_vertices, Stage::diagnostics}) stages[other] = 0;
  return static_cast<double>(stages.total_ms());
}

template <class Value>
double median_of(const std::vector<Step>& steps, const Value& value) {
  std::vector<double> values(steps.size());
  std::transform(steps.begin(), steps.end(), values.begin(), value);
  return median(std::move(values));
}

template <class Value>
double mean(const std::vector<Step>& steps, const Value& value) {
  return std::transform_reduce(steps.begin(), steps.end(), 0.0, std::plus<>(), value) /
         static_cast<double>(steps.size());
}

std::vector<TreeBox> boxes_of(const Simulation& simulation) {
  std::vector<TreeBox> boxes;
  simulation.tree_boxes(0, simulation.tree_levels(), std::numeric_limits<std::size_t>::max(), boxes);
  return boxes;
}

/// Share of the bodies in the fullest cell of the last level.
double largest_leaf_of(const Simulation& simulation) {
  const std::vector<TreeBox> boxes = boxes_of(simulation);
  if (boxes.empty()) return 0;
  const TreeBox& root = *std::ranges::min_element(boxes, {}, &TreeBox::level);
  const int levels = std::ranges::max_element(boxes, {}, &TreeBox::level)->level - root.level;
  const double cells = std::ldexp(1.0, levels),
               side = 2 * static_cast<double>(*std::ranges::max_element(root.half_width));
  std::map<std::array<double, 3>, std::size_t> counts;
  std::size_t largest = 0;
  const Bodies bodies = simulation.bodies();
  for (const Body& body : bodies) {
    std::array<double, 3> cell{};
    for (int k = 0; k < 3; ++k)
      cell[static_cast<std::size_t>(k)] =
          std::floor((body.position[k] - static_cast<double>(root.center[k])) / side * cells);
    largest = std::max(largest, ++counts[cell]);
  }
  return static_cast<double>(largest) / static_cast<double>(bodies.size());
}

/// What only a run has: its trees, its energy, and whether its steps were short enough.
void add_run(const std::vector<Step>& steps, const Params& params, const Diagnostics& start, Simulation& simulation,
             BenchRow& row) {
  for (const Step& step : steps) row.cells.push_back(step.cells);
  row.largest_leaf = largest_leaf_of(simulation);
  const Diagnostics end = simulation.diagnostics(params);
  row.energy_error = std::abs(end.energy() - start.energy()) / std::abs(start.energy());
  constexpr double kMuch = 0.1;
  if (row.energy_error > kMuch) row.warning = text("the energy has changed by %.2g of itself. ", row.energy_error);
  if (exceeds_timestep_criterion(params, end)) row.warning += long_step_warning(params, end, true);
}

std::vector<Step> timed_steps(Simulation& simulation, const Params& params, const TimedSteps& count,
                              StopSignals& stop) {
  const bool run = count.dt > 0;
  std::vector<Step> steps;
  double seconds = 0;
  do {
    steps.push_back(timed_step(simulation, params));
    seconds += steps.back().ms / 1e3;
    if (run) steps.back().cells = boxes_of(simulation).size();
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

/// Bytes of the last step and the median time.
Transfer transfer_in(const std::vector<Step>& steps, Transfer StageTimings::*which) {
  Transfer transfer = steps.back().stages.*which;
  transfer.ms = static_cast<float>(
      median_of(steps, [which](const Step& step) { return static_cast<double>((step.stages.*which).ms); }));
  return transfer;
}

/// `same`: all steps do the same work, so that the median is the typical one.
void fill_in(const std::vector<Step>& steps, bool same, const Simulation& simulation, BenchRow& row) {
  const auto step_ms = [](const Step& step) { return step.ms; };
  const auto typical = [&](const auto& value) { return same ? median_of(steps, value) : mean(steps, value); };
  row.repeats = steps.size();
  row.step_ms = typical(step_ms);
  row.mean_ms = mean(steps, step_ms);
  row.force_ms = typical(force_ms);
  row.noted_steps = static_cast<std::size_t>(std::ranges::count(steps, true, &Step::noted));
  for (std::size_t k = 0; k < kStageCount; ++k) {
    const auto stage_ms = [k](const Step& step) { return static_cast<double>(step.stages.ms[k]); };
    row.stages.ms[k] = static_cast<float>(typical(stage_ms));
  }
  row.stages.on_gpu = steps.back().stages.on_gpu;
  row.stages.uploaded = transfer_in(steps, &StageTimings::uploaded);
  row.stages.downloaded = transfer_in(steps, &StageTimings::downloaded);
  row.work = simulation.work();
  row.note = simulation.note();
  row.device = row.config.backend == Backend::cpu ? "CPU" : simulation.device_name();
}

void measure_or_throw(const BenchInput& input, const TimedSteps& steps, StopSignals& stop, BenchRow& row) {
  const std::unique_ptr<Simulation> simulation = Simulation::create(row.config, input.bodies);
  const bool run = steps.dt > 0;
  const Params params = {
      .dt = run ? steps.dt : kDt, .theta = row.theta, .accuracy = row.accuracy, .softening = input.request.softening};
  row.samples = input.sampled.size();
  const auto start = Clock::now();
  const std::vector<Vec3> accelerations = simulation->accelerations(params);
  const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
  if (row.samples > 0) row.errors = errors_of(accelerations, input);
  Diagnostics first;
  if (run) {
    row.first_cells = boxes_of(*simulation).size();
    first = simulation->diagnostics(params);
  }
  // Warm-up, unless the first evaluation was already long.
  if (!run && seconds <= std::max(steps.seconds, 1.0)) simulation->step(params);
  const std::vector<Step> timed = timed_steps(*simulation, params, steps, stop);
  fill_in(timed, !run, *simulation, row);
  if (!run) return;
  add_run(timed, params, first, *simulation, row);
  row.dt = steps.dt;
  row.length_unit = input.length_unit();
  if (!steps.positions) return;
  for (const Body& body : simulation->bodies()) {
    for (int k = 0; k < 3; ++k) row.positions.push_back(body.position[k] * input.unit_length());
  }
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
  return static_cast<double>(stages[Stage::walk] + stages[Stage::near] + stages[Stage::far] + stages[Stage::direct] +
                             stages[Stage::exchange]);
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
  const int cores = usable_threads();
  return config.threads > 0 ? std::min(config.threads, cores) : cores;
}

std::string measure(const BenchInput& input, const TimedSteps& steps, StopSignals& stop, BenchRow& row) {
  return refusal_of([&] { measure_or_throw(input, steps, stop, row); });
}

}  // namespace pericenter::app
