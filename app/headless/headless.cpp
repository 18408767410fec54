#include "app/headless/headless.h"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <new>
#include <optional>
#include <vector>

#include "app/base/atomic_file.h"
#include "app/base/progress_bar.h"
#include "app/base/signals.h"
#include "app/cli/command_line_checks.h"
#include "app/cli/scene_string.h"
#include "app/headless/headless_render.h"
#include "app/headless/headless_run.h"
#include "app/headless/run_output_files.h"
#include "app/headless/run_report.h"
#include "app/output/offscreen.h"
#include "app/output/recorder.h"
#include "app/view/camera_control.h"
#include "sim/session/run_snapshot.h"

namespace pericenter::app {
namespace {

// Together some twenty seconds on two cores, with tails and a bridge that are plain to see.
constexpr std::size_t kPictureBodies = 60'000;
constexpr double kPictureDt = 0.08;

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

std::string scene_string_of(const HeadlessRun& run) {
  render::Camera camera;
  fit({run.scene.view_radius, run.simulation->config().dimension == 2, run.scene.angles}, camera);
  if (run.options.camera) camera.set_pose(*run.options.camera);
  return scene_string(state_of(run), run.options.view, camera);
}

/// Everything that --load needs to go on exactly from here.
Snapshot snapshot_to_save(const HeadlessRun& run) {
  Snapshot snapshot = snapshot_of(state_of(run), *run.simulation);
  snapshot.run->scene_string = scene_string_of(run);
  return snapshot;
}

void write_table(const HeadlessRun& run, const std::string& path) {
  const std::string& text = run.table.csv();
  write_file(path, {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
}

int fail(int code, const std::string& message) {
  std::cerr << "pericenter: " << message << '\n';
  return code;
}

/// One file that cannot be written does not take the others of a long run with it.
class Outputs {
 public:
  /// Whether it could be written; else what is wrong is told at once.
  template <class Write>
  bool attempt(const Write& write) {
    try {
      write();
      return true;
    } catch (const FileError& error) {
      code_ = fail(error.code, error.what());
      return false;
    }
  }
  int code() const { return code_; }  ///< of the last failure

 private:
  int code_ = kOk;
};

bool has_more_than_a_film(const Options& options) {
  return !options.csv.empty() || !options.screenshot.empty() || !options.save.empty();
}

struct Filming {
  Offscreen& offscreen;
  std::optional<VideoRecorder>& film;
  Outputs& outputs;
};

/// Steps, with a frame of the film before the first and after each steps_per_frame of them. A film that breaks off is
/// gone, and the run goes on for what else was asked of it.
void advance_filmed(HeadlessRun& run, const Filming& filming, StopSignals& stop) {
  const Options& options = run.options;
  const auto every = static_cast<std::uint64_t>(options.steps_per_frame);
  RunPictures pictures(filming.offscreen, run, run.scene.view_radius, options.annotations.value_or(true));
  ProgressBar bar("recording", "frames", options.progress);
  const auto add_frame = [&] {
    std::optional<VideoRecorder>& film = filming.film;
    if (!film || run.totals.steps % every != 0) return;
    const auto add = [&] {
      film->add(pictures.shot(static_cast<double>(film->frames()) / film->video().frames_per_second()));
    };
    if (!has_more_than_a_film(options)) {
      add();
    } else if (!filming.outputs.attempt(add)) {
      film.reset();
      return;
    }
    bar.show(static_cast<double>(film->frames()), static_cast<double>(1 + options.steps / every));
  };
  add_frame();
  advance(run, options.steps, {!options.csv.empty(), false, add_frame}, stop);
}

/// What the run was for, once it is over.
void write_outputs(const HeadlessRun& run, std::optional<Offscreen>& offscreen, Outputs& outputs) {
  const Options& options = run.options;
  if (!options.csv.empty()) outputs.attempt([&] { write_table(run, options.csv); });
  if (options.screenshot.empty()) return;
  RunPictures picture(*offscreen, run, run.scene.view_radius, options.annotations.value_or(false));
  outputs.attempt([&] { picture.write(options.screenshot); });
}

int run_to_the_end(const Options& options, StopSignals& stop) {
  // Made first: a long run should not end in finding that there is no OpenGL, or no place for the film.
  std::optional<Offscreen> offscreen;
  std::optional<VideoRecorder> film;
  if (!options.screenshot.empty() || !options.record.empty()) offscreen.emplace(options.shader_dir);
  if (!options.record.empty()) {
    film.emplace(offscreen->renderer(), options.annotations.value_or(true) ? &offscreen->annotator() : nullptr,
                 VideoRequest{options.record, options.width, options.height, options.frames_per_second});
    if (!film->video().note().empty()) std::cerr << "pericenter: " << film->video().note() << '\n';
  }
  if (const std::string words = cpu_instead_of_cuda(options, cuda_status()); !words.empty())
    std::cerr << "pericenter: " << words << '\n';
  HeadlessRun run = prepare(options, stop);
  Outputs outputs;
  if (film)
    advance_filmed(run, {*offscreen, film, outputs}, stop);
  else
    advance(run, options.steps, {!options.csv.empty(), options.progress, {}}, stop);
  if (film) outputs.attempt([&] { std::cout << film->finish() << '\n'; });
  write_outputs(run, offscreen, outputs);
  std::cout << run_report(run.name, run.scene.units, run.params, *run.simulation, run.totals) << std::flush;
  int code = kOk;
  if (!options.save.empty()) outputs.attempt([&] { code = save_output(snapshot_to_save(run), options); });
  if (code != kOk || outputs.code() != kOk) return code != kOk ? code : outputs.code();
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
    HeadlessRun run = prepare(picture, stop);
    const double dt = std::abs(run.params.dt);
    const double steps = dt > 0 ? std::ceil(std::max(0.0, run.scene.highlight_time - run.simulation->time()) / dt) : 0;
    advance(run, static_cast<std::uint64_t>(steps), {false, options.progress, {}}, stop);
    if (stop.raised()) return fail(stop.exit_code(), "interrupted; nothing was written.");
    RunPictures(offscreen, run, visible_radius(run.simulation->bodies()), false).write(path);
    std::cout << "The picture is in " << path << "\n";
    return static_cast<int>(kOk);
  });
}

}  // namespace pericenter::app
