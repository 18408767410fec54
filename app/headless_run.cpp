#include "app/headless_run.h"

#include <chrono>
#include <utility>

#include "app/progress_bar.h"
#include "app/run_files.h"
#include "sim/scenes/registry.h"

namespace pericenter::app {
namespace {

constexpr std::size_t kDefaultBodies = 20'000;
constexpr std::uint64_t kEnergyEvery = 10;  // steps; a potential costs about as much as the step

Scene make_scene(const SceneInfo& info, const Options& options, StopSignals& stop) {
  SceneRequest request = scene_request(options, info.allowed(options.bodies.value_or(kDefaultBodies)));
  ProgressBar bar("making " + options.scene, "", options.progress);
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
  run.simulation = Simulation::create(config_for(run.scene.bodies, options), run.scene.bodies);
  return run;
}

}  // namespace

HeadlessRun prepare(const Options& options, StopSignals& stop) {
  HeadlessRun run = options.reads_a_file() ? run_of_file(options, stop) : run_of_scene(options, stop);
  run.request = scene_request(options, run.simulation->size());
  run.request.dimension = run.simulation->config().dimension;
  run.params = with_options(run.scene.params, options);
  run.scene.bodies = {};
  run.totals.start = run.totals.end = run.simulation->diagnostics(run.params);
  return run;
}

void advance(HeadlessRun& run, std::uint64_t steps, const Watch& watch, StopSignals& stop) {
  using Clock = std::chrono::steady_clock;
  Simulation& simulation = *run.simulation;
  ProgressBar bar("stepping", "steps", watch.with_progress);
  for (std::uint64_t k = 1; k <= steps && !stop.raised(); ++k) {
    const bool with_energy = k == steps || (watch.with_table && k % kEnergyEvery == 0);
    const auto start = Clock::now();
    simulation.step(run.params, with_energy);
    std::optional<Diagnostics> now;
    if (with_energy) now = run.totals.end = simulation.diagnostics(run.params);
    run.totals.seconds += std::chrono::duration<double>(Clock::now() - start).count();
    run.totals.add(simulation.timings());
    run.totals.steps = k;
    if (watch.with_table) run.table.add(simulation, run.totals.start, now);
    bar.show(static_cast<double>(k), static_cast<double>(steps));
    if (watch.after_step) watch.after_step();
  }
  if (stop.raised()) run.totals.end = simulation.diagnostics(run.params);
}

SimulationState state_of(const HeadlessRun& run) {
  SimulationState state;
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
