#include "app/headless/headless_run.h"

#include <chrono>
#include <iostream>
#include <memory>
#include <utility>

#include "app/base/format.h"
#include "app/base/progress_bar.h"
#include "app/headless/run_output_files.h"
#include "sim/auto_solver.h"
#include "sim/core/clock.h"
#include "sim/core/timestep_criterion.h"
#include "sim/scenes/model/procedural_source.h"
#include "sim/scenes/registry.h"
#include "sim/session/run_snapshot.h"
#include "sim/solvers/registry.h"

namespace pericenter::app {
namespace {

constexpr std::size_t kDefaultBodies = 20'000;
constexpr std::uint64_t kEnergyEvery = 10;  // steps; a potential costs about as much as the step

Scene make_scene(const SceneInfo& info, const Options& options, StopSignals& stop) {
  SceneRequest request = scene_request(options, info.allowed(options.bodies.value_or(kDefaultBodies)));
  ProgressBar bar("making " + options.scene, "", options.progress);
  request.allow_procedural = created_on_gpu(options.config, request.bodies);
  request.progress = [&](double share) {
    bar.show(share, 1);
    return !stop.raised();
  };
  return info.make(request);
}

/// A run of what is in a file; its scene keeps the settings alone.
HeadlessRun run_of_file(const Options& options, StopSignals& stop) {
  LoadedScene loaded = load_input(options, stop);
  HeadlessRun run{options, input_name(options), std::move(loaded.scene), {}, nullptr, {}, {}, {}, loaded.steps, {}};
  if (loaded.recording) {
    run.simulation = std::move(loaded.recording);
    run.recorded = loaded.recorded;
  } else {
    run.simulation = Simulation::create(*loaded.config, run.scene.bodies, {.time = loaded.time, .steps = loaded.steps});
  }
  return run;
}

HeadlessRun run_of_scene(const Options& options, StopSignals& stop) {
  const SceneInfo& info = *find_scene(options.scene);
  HeadlessRun run{options, options.scene, make_scene(info, options, stop), {}, nullptr, {}, {}, {}, 0, {}};
  run.simulation = Simulation::create_from(
      options.automatic_solver ? with_auto_solver(options.config, run.scene) : options.config, run.scene);
  return run;
}

/// Once a run, and not of what the scene suggests: who always gets a warning reads none.
void warn_of_long_steps(HeadlessRun& run, const Diagnostics& now) {
  if (run.warned || run.recorded || !exceeds_suggested(run.params, run.scene.params)) return;
  if (!exceeds_timestep_criterion(run.params, now)) return;
  run.warned = true;
  std::cerr << text(
      "pericenter: the fastest body crosses %.2g softening lengths a step; with --dt below %.2g it stays "
      "under half of one.\n",
      softenings_per_step(run.params, now), max_safe_dt(run.params, now));
}

}  // namespace

HeadlessRun prepare(const Options& options, StopSignals& stop) {
  HeadlessRun run = options.reads_a_file() ? run_of_file(options, stop) : run_of_scene(options, stop);
  run.request = scene_request(options, run.simulation->size());
  run.request.dimension = run.simulation->config().dimension;
  run.params = with_options(run.scene.params, options);
  run.scene.bodies = {};
  run.scene.source.reset();
  run.totals.start = run.totals.end = run.simulation->diagnostics(run.params);
  warn_of_long_steps(run, run.totals.start);
  return run;
}

namespace {

/// Goes on from the last copy on the CPU. Throws `error` on where there is none, or where no step was done since.
void recover(HeadlessRun& run, const DeviceLost& error) {
  run.good.finish();
  const std::shared_ptr<const Snapshot> good = run.good.latest();
  if (!good || std::exchange(run.recovered, true)) throw error;
  const Config config = on_cpu(run.simulation->config());
  const Scalar shown = run.simulation->shown();
  run.simulation = Simulation::create(config, good->bodies, {.time = good->time, .steps = good->run->steps});
  run.simulation->show(shown);
  std::cerr << "pericenter: the GPU was lost (" << error.what() << "); the run goes on from "
            << time_text(good->time, run.scene.units) << " on the CPU.\n";
}

void step_once(HeadlessRun& run, bool with_energy) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  run.simulation->step(run.params, with_energy);
  run.recovered = false;
  if (with_energy) {
    run.totals.end = run.simulation->diagnostics(run.params);
    warn_of_long_steps(run, run.totals.end);
  }
  run.totals.seconds += seconds_between(start, Clock::now());
  run.totals.add(run.simulation->timings());
  if (run.recorded) return;
  run.good.keep_when_due(run.simulation->size(), [&] { return pending_checkpoint_of(state_of(run), *run.simulation); });
}

}  // namespace

void advance(HeadlessRun& run, std::uint64_t steps, const Watch& watch, StopSignals& stop) {
  ProgressBar bar("stepping", "steps", watch.with_progress);
  const std::uint64_t first = run.simulation->steps();
  if (!run.recorded) run.good.keep(run.simulation->size(), [&] { return snapshot_of(state_of(run), *run.simulation); });
  for (std::uint64_t k = 1, done = 0; k <= steps && !stop.raised(); ++k) {
    const bool with_energy = k == steps || (watch.with_table && k % kEnergyEvery == 0);
    try {
      step_once(run, with_energy);
    } catch (const DeviceLost& error) {
      recover(run, error);
      k = run.simulation->steps() - first;
      continue;
    }
    bar.show(static_cast<double>(k), static_cast<double>(steps));
    if (k <= done) continue;  // before the GPU was lost
    run.totals.steps = done = k;
    if (watch.with_table)
      run.table.add(*run.simulation, run.totals.start, with_energy ? std::optional(run.totals.end) : std::nullopt);
    if (watch.after_step) watch.after_step();
  }
  if (stop.raised()) run.totals.end = run.simulation->diagnostics(run.params);
}

SessionState state_of(const HeadlessRun& run) {
  SessionState state;
  state.scene = run.name;
  state.file = run.options.input();
  state.recorded = run.recorded;
  state.steps_before = run.first_steps;
  state.scene_request = run.request;
  state.units = run.scene.units;
  state.suggested = run.scene.params;
  state.view_radius = run.scene.view_radius;
  state.angles = run.scene.angles;
  state.highlight_time = run.scene.highlight_time;
  state.config = run.simulation->config();
  state.params = run.params;
  state.steps_per_frame = run.options.steps_per_frame;
  state.bodies = run.simulation->size();
  state.time = run.simulation->time();
  state.steps = run.simulation->steps();
  state.timings = run.simulation->timings();
  state.work = run.simulation->work();
  state.note = run.simulation->note();
  state.diagnostics = run.totals.end;
  state.energy_error = energy_error(run.totals.start, run.totals.end);
  state.tree_levels = run.simulation->tree_levels();
  state.device_name = run.simulation->device_name();
  state.scalar = run.simulation->shown();
  return state;
}

}  // namespace pericenter::app
