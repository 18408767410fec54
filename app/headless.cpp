#include "app/headless.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <iostream>
#include <memory>
#include <new>
#include <optional>
#include <vector>

#include "app/camera_control.h"
#include "app/camera_file.h"
#include "app/color_range.h"
#include "app/files.h"
#include "app/offscreen.h"
#include "app/picture_text.h"
#include "app/picture_view.h"
#include "app/progress_bar.h"
#include "app/recorder.h"
#include "app/run_files.h"
#include "app/run_report.h"
#include "app/scene_string.h"
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
  std::string name;  ///< of the scene, or of the file
  Scene scene;
  Params params;
  std::unique_ptr<Simulation> simulation;
  RunTotals totals;
  StepTable table;
  SceneRequest request;
  std::uint64_t first_steps = 0;      ///< that a saved run had when it was loaded
  std::optional<TimeRange> recorded;  ///< of a series that is played
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

/// A run of what is in a file; its scene keeps the settings alone.
Run run_of_file(const Options& options, StopSignals& stop) {
  LoadedScene loaded = load_input(options, stop);
  Run run{options, input_name(options), std::move(loaded.scene), {}, nullptr, {}, {}, {}, loaded.steps, {}};
  if (loaded.recording) {
    run.simulation = std::move(loaded.recording);
    run.recorded = loaded.recorded;
  } else {
    run.simulation = Simulation::create(*loaded.config, run.scene.bodies, loaded.time, loaded.steps);
  }
  return run;
}

Run run_of_scene(const Options& options, StopSignals& stop) {
  const SceneInfo& info = *find_scene(options.scene);
  Run run{options, options.scene, make_scene(info, options, stop), {}, nullptr, {}, {}, {}, 0, {}};
  run.simulation = Simulation::create(options.config, run.scene.bodies);
  return run;
}

Run prepare(const Options& options, StopSignals& stop) {
  Run run = options.reads_a_file() ? run_of_file(options, stop) : run_of_scene(options, stop);
  run.request = scene_request(options, run.simulation->size());
  run.request.dimension = run.simulation->config().dimension;
  run.params = with_options(run.scene.params, options);
  run.scene.bodies = {};
  run.totals.start = run.totals.end = run.simulation->diagnostics(run.params);
  return run;
}

/// How a run is watched: rows of the table only when `with_table`; `after_step` sees each step.
struct Watch {
  bool with_table = false, with_progress = false;
  std::function<void()> after_step;
};

/// Runs `steps` steps, or fewer when a signal comes.
void advance(Run& run, std::uint64_t steps, const Watch& watch, StopSignals& stop) {
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

/// What the window would be told of the run.
SimulationState state_of(const Run& run) {
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

/// What panel and keys would have been set to: this is where options of the look come in.
UiState look_of(const Run& run, bool annotated) {
  const Options& options = run.options;
  UiState ui;
  set_look(options.look, ui);
  ui.theme = options.theme.value_or(Theme::dark);
  ui.picture.ground = ground_of(ui.theme);
  ui.output.annotated = annotated;
  if (!options.camera_path.empty()) ui.camera.path = read_camera_path(options.camera_path);
  return ui;
}

/// The pictures of a run: all look from the same place.
class Pictures {
 public:
  /// They show a sphere of `radius` about the origin.
  Pictures(Offscreen& offscreen, const Run& run, double radius, bool annotated)
      : offscreen_(offscreen),
        annotator_(annotated ? &offscreen.annotator() : nullptr),
        run_(run),
        ui_(look_of(run, annotated)),
        vertices_(run.simulation->size()) {
    fit({radius, run.simulation->config().dimension == 2, run.scene.angles}, camera_);
    if (run.options.look.camera) camera_.set_pose(*run.options.look.camera);
    if (render::is_scalar(ui_.picture.color)) run.simulation->show(scalar_of(ui_.picture.color));
  }

  /// The bodies as they are now, `seconds` after the begin of the camera's path.
  Shot shot(double seconds = 0) {
    vertices_.resize(run_.simulation->size());  // that of a recording changes
    run_.simulation->publish(host_target(vertices_));
    state_ = state_of(run_);
    ui_.sample = sample_of(vertices_);
    if (!ui_.fixed_range)
      fit_range(*ui_.sample, scale_of(state_.scalar, state_.units, state_.config.dimension), ui_.picture);
    if (!ui_.camera.path.empty()) camera_.set_pose(path_pose(ui_.camera.path, seconds));
    render::Picture picture{.stars = offscreen_.upload(vertices_),
                            .camera = camera_,
                            .settings = ui_.picture,
                            .boxes = ui_.boxes,
                            .trails = ui_.trails};
    picture.boxes.flat = state_.config.dimension == 2;
    if (ui_.tree.show) show_tree();
    if (ui_.trails.show) offscreen_.renderer().record_trails(picture.stars, state_.time, ui_.trails);
    return {picture, state_, ui_, state_.time};
  }

  void write(const std::string& path) {
    const Options& options = run_.options;
    const Shot now = shot();
    const render::Image image = still(offscreen_.renderer(), annotator_, now, options.width, options.height);
    write_file(path, render::encode_png(image, picture_texts(state_, ui_, camera_)));
  }

 private:
  void show_tree() {
    run_.simulation->accelerations(run_.params);  // a tree that was never built is built now
    std::vector<TreeBox> cells;
    run_.simulation->tree_boxes(ui_.tree.first_level, ui_.tree.last_level, ui_.tree.limit, cells);
    offscreen_.renderer().set_boxes(boxes_of(cells));
  }

  Offscreen& offscreen_;
  Annotator* annotator_;  ///< null without annotations
  const Run& run_;
  UiState ui_;
  render::Camera camera_;
  std::vector<Vertex> vertices_;
  SimulationState state_;
};

std::string scene_string_of(const Run& run) {
  render::Camera camera;
  fit({run.scene.view_radius, run.simulation->config().dimension == 2, run.scene.angles}, camera);
  if (run.options.look.camera) camera.set_pose(*run.options.look.camera);
  return scene_string(state_of(run), look_of(run, false), camera);
}

/// Everything that --load needs to go on exactly from here.
Snapshot snapshot_of(const Run& run) {
  return {.bodies = run.simulation->bodies(),
          .ids = {},
          .units = {},
          .time = run.simulation->time(),
          .softening = run.params.softening,
          .format = {},
          .notes = {},
          .skipped = 0,
          .run = SavedRun{.scene = run.name,
                          .request = run.request,
                          .config = run.simulation->config(),
                          .params = run.params,
                          .suggested = run.scene.params,
                          .steps = run.simulation->steps(),
                          .units = run.scene.units,
                          .view_radius = run.scene.view_radius,
                          .angles = run.scene.angles,
                          .highlight_time = run.scene.highlight_time,
                          .scene_string = scene_string_of(run)}};
}

void write_table(const Run& run, const std::string& path) {
  const std::string& text = run.table.csv();
  write_file(path, {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
}

int fail(int code, const std::string& message) {
  std::cerr << "pericenter: " << message << '\n';
  return code;
}

/// Steps, with a frame of the film before the first and after each steps_per_frame of them.
void advance_filmed(Run& run, Offscreen& offscreen, Recorder& film, StopSignals& stop) {
  const Options& options = run.options;
  const auto every = static_cast<std::uint64_t>(options.steps_per_frame);
  Pictures pictures(offscreen, run, run.scene.view_radius, options.annotations.value_or(true));
  ProgressBar bar("recording", "frames", options.progress);
  const auto add_frame = [&] {
    if (run.totals.steps % every != 0) return;
    film.add(pictures.shot(static_cast<double>(film.frames()) / film.film().frames_per_second()));
    bar.show(static_cast<double>(film.frames()), static_cast<double>(1 + options.steps / every));
  };
  add_frame();
  advance(run, options.steps, {!options.csv.empty(), false, add_frame}, stop);
}

int run_to_the_end(const Options& options, StopSignals& stop) {
  // Made first: a long run should not end in finding that there is no OpenGL, or no place for the film.
  std::optional<Offscreen> offscreen;
  std::optional<Recorder> film;
  if (!options.screenshot.empty() || !options.record.empty()) offscreen.emplace(options.shader_dir);
  if (!options.record.empty()) {
    film.emplace(offscreen->renderer(), options.annotations.value_or(true) ? &offscreen->annotator() : nullptr,
                 FilmRequest{options.record, options.width, options.height, options.frames_per_second});
    if (!film->film().note().empty()) std::cerr << "pericenter: " << film->film().note() << '\n';
  }
  Run run = prepare(options, stop);
  if (film)
    advance_filmed(run, *offscreen, *film, stop);
  else
    advance(run, options.steps, {!options.csv.empty(), options.progress, {}}, stop);
  if (film) std::cout << film->finish() << '\n';
  if (!options.csv.empty()) write_table(run, options.csv);
  if (!options.screenshot.empty())
    Pictures(*offscreen, run, run.scene.view_radius, options.annotations.value_or(false)).write(options.screenshot);
  std::cout << run_report(run.name, run.scene.units, run.params, *run.simulation, run.totals) << std::flush;
  if (const int code = options.save.empty() ? kOk : save_output(snapshot_of(run), options); code != kOk) return code;
  if (stop.raised()) return fail(stop.exit_code(), "interrupted; what was written is of the steps that were done.");
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
  } catch (const InputError& error) {
    return fail(error.missing ? kNoInput : kDataError, error.what());
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
  const bool is_scene = !options.reads_a_file();
  const std::string name = is_scene ? options.scene : input_name(options);
  std::cerr << "Rendering a picture of " << (is_scene ? "scene " : "") << name
            << " instead; see --help for --headless.\n";
  StopSignals stop;
  return guarded(stop, [&] {
    Options picture = options;
    picture.bodies = options.bodies.value_or(kPictureBodies);
    if (is_scene) picture.dt = options.dt.value_or(kPictureDt);
    const std::string path = new_picture_path(name);
    check_can_create(path);
    Offscreen offscreen(options.shader_dir);
    Run run = prepare(picture, stop);
    const double dt = std::abs(run.params.dt);
    const double steps = dt > 0 ? std::ceil(std::max(0.0, run.scene.highlight_time - run.simulation->time()) / dt) : 0;
    advance(run, static_cast<std::uint64_t>(steps), {false, options.progress, {}}, stop);
    if (stop.raised()) return fail(stop.exit_code(), "interrupted; nothing was written.");
    Pictures(offscreen, run, visible_radius(run.simulation->bodies()), false).write(path);
    std::cout << "The picture is in " << path << "\n";
    return static_cast<int>(kOk);
  });
}

}  // namespace pericenter::app
