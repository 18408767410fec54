#include "app/headless/headless.h"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <iterator>
#include <optional>
#include <vector>

#include "app/base/atomic_file.h"
#include "app/base/log.h"
#include "app/base/progress_bar.h"
#include "app/base/signals.h"
#include "app/base/system_report.h"
#include "app/headless/headless_render.h"
#include "app/headless/headless_run.h"
#include "app/output/offscreen.h"
#include "app/output/recorder.h"
#include "app/output/snapshot_saver.h"
#include "app/output/subtitles.h"
#include "app/settings/command_line.h"
#include "app/settings/scene_string.h"
#include "sim/core/printable.h"

namespace pericenter::app {
namespace {

// About twenty seconds on two cores, with clearly visible tidal tails and bridge.
constexpr std::size_t kStillBodies = 60'000;
constexpr double kStillDt = 0.08;

/// Radius about the origin that contains 97 % of the visible bodies.
double visible_radius(const Simulation& simulation) {
  constexpr std::size_t kEnough = 1'000'000;
  const Bodies bodies = simulation.sampled_bodies(BodySample::of(simulation.size(), kEnough));
  std::vector<double> radii;
  for (const Body& body : bodies) {
    if (component_of(body.tag) != Component::halo) radii.push_back(length(body.position));
  }
  if (radii.empty()) return 1;
  const auto nearly_last = radii.begin() + static_cast<std::ptrdiff_t>(0.97 * static_cast<double>(radii.size()));
  std::nth_element(radii.begin(), nearly_last, radii.end());
  return *nearly_last;
}

/// Everything that --load needs for an exact restart.
Snapshot snapshot_to_save(HeadlessRun& run) {
  Snapshot snapshot = run.session().snapshot();
  const SessionState& state = run.session().state();
  const render::Camera camera = camera_of(run.options(), state, state.view_radius);
  snapshot.run->scene_string = scene_string(state, run.options().view, camera);
  return snapshot;
}

ShownRun shown(HeadlessRun& run) {
  return {run.options(), run.session()};
}

/// Writes the OpenGL context and the scene to the log.
void log_run(HeadlessRun& run, bool draws, Log& log) {
  if (draws) log.write("display", opengl_report());
  const SessionState& state = run.session().state();
  SessionLog(log).update(state, [&] {
    return scene_string(state, run.options().view, camera_of(run.options(), state, state.view_radius));
  });
}

/// Writes output files: one that fails does not prevent the others.
class Outputs {
 public:
  /// Whether the file could be written; prints the error otherwise.
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
  int code() const { return code_; }  ///< exit code of the last failure

 private:
  int code_ = kOk;
};

/// Writes the snapshots of --save-every. After an error the run continues without them.
class SeriesOutput {
 public:
  SeriesOutput(HeadlessRun& run, Outputs& outputs) : run_(run), outputs_(outputs) {}

  /// Writes the current state if it is due.
  void update() {
    const Options& options = run_.options();
    if (failed_ || options.save_every == 0 || run_.totals().steps % options.save_every != 0) return;
    const std::string path = series_file(options.save, run_.simulation().steps());
    failed_ = !outputs_.attempt([&] { save_snapshot(path, snapshot_to_save(run_), {}); });
  }

 private:
  HeadlessRun& run_;
  Outputs& outputs_;
  bool failed_ = false;
};

bool has_other_outputs_than_video(const Options& options) {
  return !options.csv.empty() || !options.screenshot.empty() || !options.save.empty();
}

struct Recording {
  Offscreen& offscreen;
  std::optional<VideoRecorder>& video;
  Outputs& outputs;
  SeriesOutput& series;
  Subtitles& subtitles;
};

/// Steps between two frames of a video: a part of a step where the steps are longer.
double steps_per_video_frame(const SessionState& state, int frames_per_second) {
  if (state.speed == 0) return state.steps_per_frame;
  return VideoPace::possible(steps_per_second(state.speed, state.params.dt) / frames_per_second);
}

/// Those of the command line, or of a video that lasts until the key moment of the scene.
double steps_of_video(const Options& options, const SessionState& state) {
  if (options.given.steps || options.steps > 0 || state.speed == 0) return static_cast<double>(options.steps);
  return std::min(kStorySeconds * steps_per_second(state.speed, state.params.dt), 1e18);
}

/// Steps and records a video frame before the first step and after the steps of each frame. If the video fails, the run
/// continues for its other outputs.
void advance_recorded(HeadlessRun& run, const Recording& recording) {
  const Options& options = run.options();
  const SessionState& state = run.session().state();
  const double steps = steps_of_video(options, state);
  const double per_frame = steps_per_video_frame(state, recording.video->video().frames_per_second());
  // The last step may last longer than the video.
  const double all = 1 + std::floor(steps / per_frame + 1e-9);
  HeadlessRenderer renderer(recording.offscreen, shown(run), run.session().state().view_radius,
                            options.annotations.value_or(true));
  renderer.begin_video();
  ProgressBar bar("recording", "frames", options.progress);
  const auto add_frame = [&] {
    std::optional<VideoRecorder>& video = recording.video;
    if (!video || static_cast<double>(video->frames()) >= all) return;
    const auto add = [&] {
      video->video().wait();
      const auto frames = static_cast<double>(video->frames());
      // Cells of the tree belong to a step.
      const bool between = state.speed > 0 && !options.view.tree.show;
      const double way = between ? frames * per_frame - static_cast<double>(run.totals().steps) : 0;
      video->add(renderer.shot(frames / video->video().frames_per_second(), way > 1e-6 ? std::min(way, 1.0) : 0));
    };
    if (!has_other_outputs_than_video(options)) {
      add();
    } else if (!recording.outputs.attempt(add)) {
      video.reset();
      return;
    }
    recording.subtitles.add_frame(run.simulation().time(), state.params.dt * std::max(1.0, per_frame));
    bar.show(static_cast<double>(video->frames()), all);
  };
  // A frame is at its moment or on the way to the next step, so that its step is the last one before it.
  const auto is_due = [&](double frame) {
    return frame < all && std::floor(frame * per_frame + 1e-9) <= static_cast<double>(run.totals().steps);
  };
  const auto add_due_frames = [&] {
    while (recording.video && is_due(static_cast<double>(recording.video->frames()))) add_frame();
  };
  add_due_frames();
  run.advance(static_cast<std::uint64_t>(std::ceil(steps)), {!options.csv.empty(), false, [&] {
                                                               add_due_frames();
                                                               recording.series.update();
                                                             }});
}

/// Also writes its subtitles.
void finish_video(HeadlessRun& run, VideoRecorder& video, const Subtitles& subtitles) {
  const int rate = video.video().frames_per_second();
  std::cout << video.finish();
  const SessionState& state = run.session().state();
  std::vector<Caption> captions;
  if (run.options().narrator && has_enough_bodies_for_events(state)) {
    captions = captions_of(run.session().run().encounter_events(), state.units);
    std::ranges::move(scene_captions(state), std::back_inserter(captions));
  }
  std::cout << write_subtitles(run.options().record, subtitles.srt(captions, rate)) << '\n';
}

void write_outputs(HeadlessRun& run, std::optional<Offscreen>& offscreen, Outputs& outputs) {
  const Options& options = run.options();
  if (!options.csv.empty()) outputs.attempt([&] { write_file(options.csv, run.table().csv()); });
  if (options.screenshot.empty()) return;
  HeadlessRenderer renderer(*offscreen, shown(run), run.session().state().view_radius,
                            options.annotations.value_or(false));
  outputs.attempt([&] { renderer.write(options.screenshot); });
}

void warn_of_cpu(const Options& options) {
  if (options.backend) return;  // avoids the initialisation of CUDA, which takes 0.2 s
  if (const std::string warning = cpu_instead_of_cuda(options, cuda_status()); !warning.empty()) print_message(warning);
}

int run_to_the_end(const Options& options, StopSignals& stop, Log& log) {
  // Created first, so that missing OpenGL or an invalid path of the video fails before a long run.
  std::optional<Offscreen> offscreen;
  std::optional<VideoRecorder> video;
  if (!options.screenshot.empty() || !options.record.empty()) offscreen.emplace(options.shader_dir);
  if (!options.record.empty()) {
    const auto patience = [&stop] { return stop.raised() ? kInterruptedPatience : kPatience; };
    video.emplace(offscreen->renderer(), options.annotations.value_or(true) ? &offscreen->annotator() : nullptr,
                  VideoRequest{options.record, options.width, options.height, options.frames_per_second, patience});
    if (!video->video().note().empty()) print_message(video->video().note());
  }
  warn_of_cpu(options);
  HeadlessRun run(options, stop);
  log_run(run, offscreen.has_value(), log);
  Outputs outputs;
  SeriesOutput series(run, outputs);
  Subtitles subtitles;
  series.update();
  if (video)
    advance_recorded(run, {*offscreen, video, outputs, series, subtitles});
  else
    run.advance(options.steps, {!options.csv.empty(), options.progress, [&] { series.update(); }});
  if (video) outputs.attempt([&] { finish_video(run, *video, subtitles); });
  write_outputs(run, offscreen, outputs);
  std::cout << run_report(run.session().state(), run.simulation(), run.totals()) << std::flush;
  int code = kOk;
  if (!options.save.empty()) outputs.attempt([&] { code = save_output(snapshot_to_save(run), options); });
  if (code != kOk || outputs.code() != kOk) return code != kOk ? code : outputs.code();
  if (run.totals().end.non_finite > 0)
    return fail(kDataError,
                "bodies are NaN or infinite. " + finer_settings(run.session().state(), run.totals().start) + ".");
  if (stop.raised()) return fail(stop.exit_code(), "interrupted; the output covers the completed steps only.");
  return print_result();
}

template <class Work>
int unless_cancelled(StopSignals& stop, const Work& work) {
  try {
    return work();
  } catch (const SceneCancelled&) {
    return fail(stop.exit_code(), "interrupted before the first step; nothing was written.");
  }
}

}  // namespace

int run_headless(const Options& options, Log& log) {
  StopSignals stop;
  return unless_cancelled(stop, [&] { return run_to_the_end(options, stop, log); });
}

int run_without_display(const Options& options, const std::string& why, Log& log) {
  print_message("cannot open a window: " + why);
  if (!options.screenshot.empty()) return run_headless(options, log);
  const bool is_scene = !options.reads_a_file();
  const std::string name = is_scene ? options.scene : input_name(options);
  std::cerr << "Rendering an image of " << (is_scene ? "scene " : "") << name
            << " instead; see --help for --headless.\n";
  StopSignals stop;
  return unless_cancelled(stop, [&] {
    Options still = options;
    still.bodies = options.bodies.value_or(kStillBodies);
    if (is_scene) still.dt = options.dt.value_or(kStillDt);
    const std::string path = new_output_path(name);
    check_can_create(path);
    Offscreen offscreen(options.shader_dir);
    HeadlessRun run(still, stop);
    log_run(run, true, log);
    const SessionState& state = run.session().state();
    const double dt = std::abs(state.params.dt);
    const double steps = dt > 0 ? std::ceil(std::max(0.0, state.highlight_time - state.time) / dt) : 0;
    run.advance(static_cast<std::uint64_t>(std::min(steps, 1e18)), {false, options.progress});
    if (stop.raised()) return fail(stop.exit_code(), "interrupted; nothing was written.");
    HeadlessRenderer(offscreen, shown(run), visible_radius(run.simulation()), false).write(path);
    if (const std::string doubt = doubt_about(run.session().state(), run.totals().start); !doubt.empty())
      print_message(doubt);
    return print_result("Image written to " + printable(path) + "\n");
  });
}

}  // namespace pericenter::app
