#include "app/settings/command_line.h"

#include <filesystem>
#include <system_error>
#include <utility>

#include "app/base/atomic_file.h"
#include "app/base/memory_budget.h"
#include "app/settings/command_line_error.h"
#include "app/settings/comparison_options.h"
#include "app/settings/file_uses.h"
#include "app/settings/option_values.h"
#include "app/settings/scene_string.h"
#include "sim/playback/series.h"
#include "sim/scenes/registry.h"
#include "sim/scenes/suggested_softening.h"
#include "sim/solvers/registry.h"

namespace pericenter::app {
namespace {

constexpr std::uint64_t kDefaultSteps = 100;
constexpr std::size_t kMaxBodiesThatWait = 10'000'000;  // creating more on the CPU takes longer than starting CUDA

/// The option that requires CUDA; empty if none does.
std::string cuda_option(const Options& options) {
  if (options.backend == Backend::cuda) return "--backend cuda";
  if (options.config.gpus > 1) return "--gpus " + std::to_string(options.config.gpus);
  return options.bridge == Bridge::interop && !options.headless ? "--bridge interop" : "";
}

/// Whether the window may open before CUDA has started: both backends support the options.
bool can_await_cuda(const Options& options) {
  if (options.headless || !cuda_starts_slowly()) return false;
  if (options.backend || options.bridge == Bridge::interop || !options.automatic_solver) return false;
  if (options.config.gpus > 1) return false;
  if (options.reads_a_file() || !options.scene_string.empty() || !options.compare.empty()) return false;
  if (!options.lesson.empty() || options.station || options.bodies.value_or(0) > kMaxBodiesThatWait) return false;
  Config config = options.config;
  for (const Backend backend : {Backend::cuda, Backend::cpu}) {
    config.backend = backend;
    if (!problem_with(config).empty()) return false;
  }
  return options.bodies.value_or(0) <= max_bodies({for_many_bodies(config, true)});
}

/// Selects CUDA if it is required, or if it is available and the solver supports it.
void choose_backend(Options& options) {
  const std::string option = cuda_option(options);
  if (options.backend == Backend::cpu) {
    if (!option.empty()) throw CommandLineError(option + " needs --backend cuda.");
    return;
  }
  const SolverInfo& solver = *find_solver(options.config.solver);
  const CudaStatus cuda = cuda_status();
  if (!cuda.available() && !option.empty()) {
    const char* advice = options.backend           ? ". Use --backend auto or cpu."
                         : options.config.gpus > 1 ? ". Leave out --gpus."
                                                   : ". Use --bridge auto.";
    throw CommandLineError(option + ": " + cuda.missing + advice, kUnavailable);
  }
  if (!cuda.available() && !solver.cpu) {
    throw CommandLineError("--solver " + options.config.solver + " runs only on CUDA: " + cuda.missing + ".",
                           kUnavailable);
  }
  if (!cuda.available() || ((!solver.cuda || has_internal_steps(options.config)) && option.empty())) return;
  options.config.backend = Backend::cuda;
  options.config.device = cuda.devices.front().index;
  if (const std::string problem = problem_with_gpus(cuda, options.config.gpus); !problem.empty())
    throw CommandLineError(problem + ".", kUnavailable);
}

}  // namespace

void set_awaited_device(Options& options, std::optional<int> cuda_device) {
  options.awaits_cuda = false;
  options.config = on_device(options.config, cuda_device);
}

void choose_awaited_backend(Options& options) {
  if (std::exchange(options.awaits_cuda, false)) choose_backend(options);
}

std::string cpu_instead_of_cuda(const Options& options, const CudaStatus& cuda) {
  if (options.backend || !cuda.fixable) return {};
  return "CUDA is not available, using the CPU: " + cuda.missing + ".";
}

namespace {

/// A scene string may come from a machine with another backend: solver options that only the string sets and this
/// machine does not support revert to the solver's default.
void reset_unsupported_options(Options& options) {
  Options from_string;
  read_scene_string(options.scene_string, from_string);
  const Config possible = without_unsupported_values(options.config);
  for (std::size_t k = 0; k < kSolverOptionCount; ++k) {
    const auto which = static_cast<SolverOption>(k);
    if (options.config.solver_options[which] == from_string.config.solver_options[which])
      options.config.solver_options.set(which, possible.solver_options[which]);
  }
}

/// Checks the options that a file of bodies excludes.
void check_input(const Options& options) {
  const std::string option = options.load.empty() ? "--play" : "--load";
  if (options.read.skip_bad && !options.reads_a_file()) throw CommandLineError("--skip-bad needs --load or --play.");
  if ((options.read.stated.any() || options.read.selection.any()) && !options.reads_a_file())
    throw CommandLineError("--units, --periodic, --every, --types and --region need --load or --play.");
  if (!options.reads_a_file()) return;
  if (!options.load.empty() && !options.play.empty()) {
    throw CommandLineError(
        "--load and --play cannot be combined: one continues from a file, the other plays a series.");
  }
  const GivenOptions& given = options.given;
  const char* other = given.scene ? "--scene" : given.bodies ? "-n" : given.seed ? "--seed" : nullptr;
  if (other) throw CommandLineError(option + " and " + other + " cannot be combined: the bodies come from the file.");
  std::error_code error;
  if (!options.play.empty() && !std::filesystem::is_regular_file(options.play, error))
    throw CommandLineError("--play: '" + options.play + "' is no file; a playback reads its files again and again.",
                           kNoInput);
}

void check_softening(const Options& options) {
  if (!options.softening_by_bodies) return;
  if (options.reads_a_file())
    throw CommandLineError("--softening is auto, but the bodies come from a file; give a length, or omit it.");
  if (suggested_softening(*find_scene(options.scene), 1) == 0) {
    throw CommandLineError("--softening is auto, but scene " + options.scene +
                           " has no softening for a number of bodies; give a length, or omit it.");
  }
}

void check_follow(const Options& options) {
  if (!options.follow) return;
  if (options.play.empty()) throw CommandLineError("--follow needs --play, which names a snapshot of the series.");
  if (options.headless || !options.record.empty() || !options.screenshot.empty())
    throw CommandLineError(
        "--follow needs a window, without --headless, --record and --screenshot: a running simulation has no last "
        "snapshot at which these could end. Repeat the command without --follow when the simulation has ended.");
  if (options.files.size() > 1 && without_further_parts(options.files).size() != series_of(options.play).size())
    throw CommandLineError("--follow takes one file, and finds the others of its series; remove all but one.");
}

/// The frames of --record and the files of --save-every have names of their own.
void check_numbered_outputs(const Options& options, const FileUses& uses) {
  const std::string frames = options.record.empty() ? "" : FileUses::resolved(frame_folder(options.record));
  const std::string save = options.save_every == 0 || options.save.empty() ? "" : FileUses::resolved(options.save);
  for (const FileUses::File& file : uses.files()) {
    if (!frames.empty() && (file.path == frames || file.path.starts_with(frames + '/')))
      throw CommandLineError(file.option + " and --record use the same folder " + frames + "; choose another name.");
    if (!save.empty() && file.option != "--load" && is_series_file(save, file.path))
      throw CommandLineError(file.option + " and --save-every name the same file " + file.path +
                             "; choose another name.");
  }
}

/// Only --save may replace an input, --load: a run continues in its own file.
void check_files(const Options& options) {
  FileUses uses;
  const bool continues = !options.save.empty() && !options.load.empty() &&
                         FileUses::resolved(options.save) == FileUses::resolved(options.load);
  uses.write("--log", options.log);
  uses.write("--csv", options.csv);
  uses.write("--screenshot", options.screenshot);
  uses.write("--record", options.record);
  if (!continues) uses.write("--save", options.save);
  uses.read("--load", options.load);
  if (!options.play.empty()) {
    for (const std::string& snapshot : series_of(options.play)) uses.read("--play", snapshot);
  }
  for (const std::string& file : options.files)
    if (!continues || FileUses::resolved(file) != FileUses::resolved(options.load)) uses.read("the file to open", file);
  if (options.lesson.ends_with(".toml")) uses.read("--lesson", options.lesson);
  uses.read("--camera-path", options.camera_path);
  check_numbered_outputs(options, uses);
}

void check_comparison(const Options& options) {
  if (options.compare.empty()) {
    if (options.side_by_side) throw CommandLineError("--compare-view needs --compare, such as --compare theta=1.2.");
    return;
  }
  if (options.headless) throw CommandLineError("--compare needs a window; remove --headless.");
  if (!options.play.empty())
    throw CommandLineError("--compare and --play cannot be combined: a playback does not simulate.");
  const SceneOptions b = compared_options(options);
  for (const std::string& problem : {problem_with(with_options({}, b)), problem_with(b.config)})
    if (!problem.empty()) throw CommandLineError("--compare: " + problem + ".");
}

void check_lesson(const Options& options) {
  const std::string option = options.lesson.empty() ? options.station     ? "--station"
                                                      : options.presenter ? "--presenter"
                                                      : options.monitor   ? "--monitor"
                                                                          : ""
                                                    : "--lesson";
  if (option.empty()) return;
  if (options.headless) throw CommandLineError(option + " needs a window; remove --headless.");
  if (!options.screenshot.empty()) throw CommandLineError(option + " and --screenshot cannot be combined.");
  if (options.station && options.presenter)
    throw CommandLineError("--station and --presenter cannot be combined: a station has no teacher.");
  if (options.lesson.empty()) return;
  const char* other = options.reads_a_file() ? "--load or --play" : options.compare.empty() ? nullptr : "--compare";
  if (other)
    throw CommandLineError("--lesson and " + std::string(other) + " cannot be combined: a lesson has its own scenes.");
}

}  // namespace

PlannedRun planned_run(const Options& options) {
  PlannedRun run{for_many_bodies(options.config, options.automatic_solver), true};
  if (options.headless) {
    run.vertex_buffers = !options.record.empty() ? 2 : options.screenshot.empty() ? 0 : 1;
    run.max_vertices = max_addressable_bodies(run.config);
  } else if (options.bridge == Bridge::interop) {
    run.vertex_buffers = 0;  // never copied to host memory
  }
  run.whole_copies = options.save.empty() ? 0 : 1;
  return run;
}

void check_together(Options& options) {
  if (const std::string problem = problem_with(with_options({}, options)); !problem.empty())
    throw CommandLineError(problem + ".");
  check_input(options);
  check_softening(options);
  check_follow(options);
  check_files(options);
  options.awaits_cuda = can_await_cuda(options);
  if (!options.awaits_cuda) choose_backend(options);
  // With CUDA, only the window knows the device.
  const bool device_is_known = options.awaits_cuda || !cuda_starts_slowly();
  options.early_scene = device_is_known && !options.headless && !options.reads_a_file() && options.lesson.empty();
  if (!options.scene_string.empty()) reset_unsupported_options(options);
  if (const std::string problem = problem_with(options.config); !problem.empty()) throw CommandLineError(problem + ".");
  check_comparison(options);
  check_lesson(options);
  if (options.bodies) {
    check_bodies(*find_scene(options.scene), *options.bodies, planned_run(options));
  }
  if (!options.headless && !options.csv.empty()) throw CommandLineError("--csv needs --headless.");
  if (!options.headless && !options.save.empty()) {
    throw CommandLineError("--save needs --headless; in the window press Ctrl+S.");
  }
  if (options.given.energy_every && options.csv.empty())
    throw CommandLineError("--energy-every needs --csv, whose rows contain the energy.");
  if (options.save_every > 0 && options.save.empty())
    throw CommandLineError("--save-every needs --save, which names the files.");
  if (!options.headless && options.given.steps && options.screenshot.empty()) {
    throw CommandLineError("--steps needs --headless or --screenshot.");
  }
  if (options.view.image.color == render::ColorMode::force_error && (options.headless || !options.screenshot.empty())) {
    throw CommandLineError("--color-by force-error needs a measurement, which only the panel can start.");
  }
  const bool tells_story = !options.record.empty() && !options.steps_per_frame;  // until the key moment
  if (options.headless && !options.given.steps && options.steps == 0 && !tells_story) options.steps = kDefaultSteps;
}

}  // namespace pericenter::app
