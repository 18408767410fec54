#include "app/headless.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iostream>
#include <memory>
#include <new>
#include <optional>
#include <vector>

#include "app/files.h"
#include "app/offscreen.h"
#include "app/progress_bar.h"
#include "app/run_report.h"
#include "app/stop_signals.h"

namespace pericenter::app {
namespace {

constexpr std::size_t kDefaultBodies = 20'000;
constexpr std::uint64_t kEnergyEvery = 10;  // steps; a potential costs about as much as the step

// Together some twenty seconds on two cores, with tails and a bridge that are plain to see.
constexpr std::size_t kPictureBodies = 60'000;
constexpr double kPictureDt = 0.08;

struct Run {
  const Options& options;
  Scene scene;
  Params params;
  std::unique_ptr<Simulation> simulation;
  RunTotals totals;
  StepTable table;
};

Scene make_scene(const SceneInfo& info, const Options& options, StopSignals& stop) {
  SceneRequest request = scene_request(options, info.allowed(options.bodies.value_or(kDefaultBodies)));
  ProgressBar bar("making " + options.scene, "", options.progress);
  request.progress = [&](double share) {
    bar.show(share, 1);
    return !stop.raised();
  };
  return info.make(request);
}

Run prepare(const Options& options, StopSignals& stop) {
  const SceneInfo& info = *find_scene(options.scene);
  Run run{options, make_scene(info, options, stop), {}, nullptr, {}, {}};
  run.params = with_options(run.scene.params, options);
  run.simulation = Simulation::create(options.config, run.scene.bodies);
  run.scene.bodies = {};
  run.totals.start = run.totals.end = run.simulation->diagnostics(run.params);
  return run;
}

/// Runs `steps` steps, or fewer when a signal comes; rows of the table only when `with_table`.
void advance(Run& run, std::uint64_t steps, bool with_table, bool progress, StopSignals& stop) {
  using Clock = std::chrono::steady_clock;
  Simulation& simulation = *run.simulation;
  ProgressBar bar("stepping", "steps", progress);
  for (std::uint64_t k = 1; k <= steps && !stop.raised(); ++k) {
    const bool with_energy = k == steps || (with_table && k % kEnergyEvery == 0);
    const auto start = Clock::now();
    simulation.step(run.params, with_energy);
    std::optional<Diagnostics> now;
    if (with_energy) now = run.totals.end = simulation.diagnostics(run.params);
    run.totals.seconds += std::chrono::duration<double>(Clock::now() - start).count();
    run.totals.add(simulation.timings());
    run.totals.steps = k;
    if (with_table) run.table.add(simulation, run.totals.start, now);
    bar.show(static_cast<double>(k), static_cast<double>(steps));
  }
  if (stop.raised()) run.totals.end = simulation.diagnostics(run.params);
}

/// Radius about the origin that holds nearly all bodies that the picture shows.
double visible_radius(const Bodies& bodies) {
  std::vector<double> radii;
  for (const Body& body : bodies) {
    if (component_of(body.tag) != Component::halo) radii.push_back(length(body.position));
  }
  if (radii.empty()) return 1;
  const auto nearly_last = radii.begin() + static_cast<std::ptrdiff_t>(0.97 * static_cast<double>(radii.size()));
  std::nth_element(radii.begin(), nearly_last, radii.end());
  return *nearly_last;
}

/// What the picture shows: a sphere of `radius` about the origin.
void write_picture(Offscreen& offscreen, const Run& run, double radius, const std::string& path) {
  std::vector<Vertex> vertices(run.simulation->size());
  run.simulation->publish(host_target(vertices));
  const PictureRequest request = {run.options.width, run.options.height, radius, run.scene.speed_scale,
                                  run.options.config.dimension == 2};
  write_file(path, render::encode_png(offscreen.picture(vertices, request)));
}

void write_table(const Run& run, const std::string& path) {
  const std::string& text = run.table.csv();
  write_file(path, {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
}

int fail(int code, const std::string& message) {
  std::cerr << "pericenter: " << message << '\n';
  return code;
}

int run_to_the_end(const Options& options, StopSignals& stop) {
  // Made first: a long run should not end in finding that there is no OpenGL.
  std::optional<Offscreen> offscreen;
  if (!options.screenshot.empty()) offscreen.emplace(options.shader_dir);
  Run run = prepare(options, stop);
  advance(run, options.steps, !options.csv.empty(), options.progress, stop);
  if (!options.csv.empty()) write_table(run, options.csv);
  if (offscreen) write_picture(*offscreen, run, run.scene.view_radius, options.screenshot);
  std::cout << run_report(options.scene, run.scene.units, run.params, *run.simulation, run.totals) << std::flush;
  if (stop.raised()) return fail(stop.exit_code(), "interrupted; the table is of the steps that were done.");
  return std::cout ? kOk : fail(kIoError, "cannot write to the standard output.");
}

/// Turns what may go wrong in any run without a window into a message and an exit code.
template <class Work>
int guarded(StopSignals& stop, const Work& work) {
  try {
    return work();
  } catch (const OffscreenError& error) {
    return fail(error.code, error.what());
  } catch (const SceneCancelled&) {
    return fail(stop.exit_code(), "interrupted before the first step; nothing was written.");
  } catch (const std::bad_alloc&) {
    return fail(kInternal, "out of memory; fewer bodies (-n) need less.");
  } catch (const DeviceMemoryError& error) {
    return fail(kInternal, error.what() + std::string("; fewer bodies (-n) need less, and --backend cpu needs none."));
  }
}

}  // namespace

int run_headless(const Options& options) {
  StopSignals stop;
  return guarded(stop, [&] { return run_to_the_end(options, stop); });
}

int run_without_display(const Options& options, const std::string& why) {
  std::cerr << "pericenter: no window can be opened: " << why << '\n';
  if (!options.screenshot.empty()) return run_headless(options);
  std::cerr << "Rendering a picture of scene " << options.scene << " instead; see --help for --headless.\n";
  StopSignals stop;
  return guarded(stop, [&] {
    Options picture = options;
    picture.bodies = options.bodies.value_or(kPictureBodies);
    picture.dt = options.dt.value_or(kPictureDt);
    const std::string path = new_picture_path(options.scene);
    check_can_create(path);
    Offscreen offscreen(options.shader_dir);
    Run run = prepare(picture, stop);
    const double dt = std::abs(run.params.dt);
    const double steps = dt > 0 ? std::ceil(run.scene.highlight_time / dt) : 0;
    advance(run, static_cast<std::uint64_t>(steps), false, options.progress, stop);
    if (stop.raised()) return fail(stop.exit_code(), "interrupted; nothing was written.");
    write_picture(offscreen, run, visible_radius(run.simulation->bodies()), path);
    std::cout << "The picture is in " << path << "\n";
    return static_cast<int>(kOk);
  });
}

}  // namespace pericenter::app
