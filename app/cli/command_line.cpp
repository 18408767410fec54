#include "app/cli/command_line.h"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "app/cli/command_line_checks.h"
#include "app/cli/listings.h"
#include "app/cli/option_parser.h"
#include "app/cli/scene_string.h"
#include "app/output/video_writer.h"
#include "app/view/camera_file.h"
#include "sim/scenes/registry.h"
#include "sim/solvers/registry.h"

namespace pericenter::app {
namespace {

constexpr const char* kExamples = R"(Examples:
  pericenter                                     two galaxies collide in a window
  pericenter --scene plummer -n 50000            another scene, with 50,000 bodies
  pericenter --headless -n 100000 -s 200         measure: no window, stage timings at the end
  pericenter --headless -s 400 --csv run.csv     one row a step: times and energy
  pericenter --headless -s 350 --screenshot a.png --size 1920x1080
  pericenter -s 1500 --record a.mp4 --size 1920x1080 --fps 60      a film, one step a frame
  pericenter --solver tree-sorted --order shuffled --walk skip     a rung of the optimization ladder
  pericenter --load snapshot_010.hdf5            bodies of GADGET, AREPO, SWIFT, TIPSY, CSV ..., or your own saved run
  pericenter --headless -s 500 --save run.hdf5   and later: pericenter --load run.hdf5, with the same bits
  pericenter --play snap_000.hdf5                show all of snap_NNN.hdf5, with a slider for the time
  pericenter bench                               speed and force errors of the solvers; see bench --help
  pericenter bench --suite scaling               a published table or figure; see bench --list-suites
  pericenter export --for swift DIR              the same encounter on a cluster; see export --help

Exit codes: 0 fine, 64 wrong command line, 65 wrong input file, 66 no such input, 69 not available here (OpenGL 4.5,
CUDA), 70 defect of the program, 73 output file cannot be made, 74 output cannot be written, 75 the display went away,
128 + signal when interrupted.)";

void take_scene_string(const Argument& argument, Options& options) {
  try {
    read_scene_string(argument.text, options);
  } catch (const CommandLineError& error) {
    throw CommandLineError(argument.option + ": " + error.what());
  }
  options.scene_string = argument.text;
}

/// The name of a file of bodies that may be read; the reader finds out the rest.
std::string checked_input(const std::string& option, const std::string& file) {
  std::error_code error;
  if (std::filesystem::is_directory(file, error)) {
    throw CommandLineError(option + ": '" + file + "' is a folder; name a file in it.", kNoInput);
  }
  if (::access(file.c_str(), R_OK) != 0) {
    throw CommandLineError(option + ": cannot read '" + file + "': " + std::strerror(errno) + ".", kNoInput);
  }
  return file;
}

void add_system_options(Options& options, ValueOptions& rows) {
  const char* group = "The system";
  // First, so that every other option wins.
  rows.push_back({group, "--scene-string", "TEXT",
                  "all that a scene string tells, which Ctrl+C and every picture have; other options win",
                  [&](const Argument& a) { take_scene_string(a, options); }});
  rows.push_back(
      {group, "--scene", "NAME", "scene to start with, see --list-scenes (collision)", [&](const Argument& a) {
         const auto names = names_of(scenes());
         options.scene = names[one_of(a, names)];
         options.load.clear();
         options.play.clear();
       }});
  rows.push_back({group, "-n,--bodies", "N", "number of bodies (window: what suits the machine; headless: 20000)",
                  [&](const Argument& a) { options.bodies = whole_number(a, "a number of bodies", 1, UINT64_MAX); }});
  rows.push_back(seed_option(group, options.seed));
  rows.push_back(dimension_option(group, options.config));
  rows.push_back({group, "--load", "FILE", "bodies from a file, or a saved run, which goes on where it was",
                  [&](const Argument& a) { options.load = checked_input("--load", a.text); }});
  rows.push_back({group, "--play", "FILE", "show the series of snapshots that this file belongs to",
                  [&](const Argument& a) { options.play = checked_input("--play", a.text); }});
}

void add_solver_options(Options& options, ValueOptions& rows) {
  const char* group = "How it is computed";
  rows.push_back({group, "--solver", "NAME", "algorithm, see --list-solvers (auto: what suits the bodies)",
                  [&](const Argument& a) {
                    std::vector<std::string_view> names = names_of(solvers());
                    names.insert(names.begin(), "auto");
                    const std::size_t chosen = one_of(a, names);
                    options.automatic_solver = chosen == 0;
                    options.config.solver = chosen == 0 ? Config().solver : std::string(names[chosen]);
                  }});
  rows.push_back({group, "--backend", "auto|cpu|cuda", "where it is computed; auto is CUDA where it can be used (auto)",
                  [&](const Argument& a) {
                    constexpr std::array<std::string_view, 3> names = {"auto", "cpu", "cuda"};
                    const std::size_t chosen = one_of(a, names);
                    options.backend.reset();
                    if (chosen != 0) options.backend = chosen == 1 ? Backend::cpu : Backend::cuda;
                  }});
  add_config_options(group, options.config, rows);
  rows.push_back({group, "--threads", "N", "threads on the CPU; 0 is one a core (0)",
                  [&](const Argument& a) { options.config.threads = thread_count(a); }});
  rows.push_back({group, "--theta", "ANGLE", "opening angle of the tree, 0 to 2; smaller is more exact and slower",
                  [&](const Argument& a) { options.theta = real_number(a); }});
  rows.push_back({group, "--accuracy", "ERROR",
                  "mean relative error of the forces with --opening error, 1e-6 to 0.1 (0.001)",
                  [&](const Argument& a) { options.accuracy = real_number(a); }});
  rows.push_back({group, "--softening", "LENGTH",
                  "softening length, 0 or more; smaller is sharper and needs a smaller dt", [&](const Argument& a) {
                    options.softening = real_number(a);
                    options.softening_now.reset();
                  }});
  rows.push_back({group, "--dt", "TIME", "length of a step; negative runs backwards",
                  [&](const Argument& a) { options.dt = real_number(a); }});
}

void add_run_options(Options& options, ValueOptions& rows) {
  const char* group = "Without a window";
  rows.push_back({group, "-s,--steps", "N", "steps to run (100), or to run before the window's --screenshot",
                  [&](const Argument& a) { options.steps = whole_number(a, "a number of steps", 0, UINT64_MAX); }});
  rows.push_back({group, "--csv", "FILE", "write one row a step: times of all stages; energy every tenth step",
                  [&](const Argument& a) { options.csv = a.text; }});
  rows.push_back({group, "--save", "FILE", "write a snapshot (GADGET HDF5) after the steps, which --load goes on from",
                  [&](const Argument& a) { options.save = a.text; }});
  rows.push_back({group, "--screenshot", "FILE", "write a picture (PNG) after the steps, then end",
                  [&](const Argument& a) { options.screenshot = a.text; }});
  rows.push_back({group, "--record", "FILE", "write a film of the steps: .mp4, .gif, or .png for numbered pictures",
                  [&](const Argument& a) {
                    if (!video_format(a.text)) {
                      throw CommandLineError("--record cannot write '" + a.text +
                                             "'; the name must end in .mp4, .gif or .png.");
                    }
                    options.record = a.text;
                  }});
  rows.push_back({group, "--fps", "N", "frames a second of the film, 1 to 240 (60)", [&](const Argument& a) {
                    options.frames_per_second = static_cast<int>(whole_number(a, "a number of frames", 1, 240));
                  }});
}

/// The name of a file that has a path of the camera.
std::string checked_path(const std::string& file) {
  try {
    read_camera_path(file);
  } catch (const CameraFileError& error) {
    throw CommandLineError("--camera-path: " + std::string(error.what()), error.missing ? kNoInput : kDataError);
  }
  return file;
}

void add_picture_options(Options& options, ValueOptions& rows) {
  const char* group = "The picture";
  rows.push_back({group, "--size", "WxH", "size of the window or the picture in pixels (1280x720)",
                  [&](const Argument& a) { std::tie(options.width, options.height) = picture_size(a); }});
  rows.push_back({group, "--color-by", "NAME", "what colours mean: " + list_of(names_of(kColorNames)) + " (stars)",
                  [&](const Argument& a) {
                    options.view.image.color = static_cast<render::ColorMode>(one_of(a, names_of(kColorNames)));
                  }});
  rows.push_back({group, "--color-map", "NAME", "colours of numbers: " + list_of(names_of(kMapNames)) + " (viridis)",
                  [&](const Argument& a) {
                    options.view.image.map = static_cast<render::ColorMap>(one_of(a, names_of(kMapNames)));
                  }});
  rows.push_back({group, "--ui-scale", "SCALE", "size of text and controls, 0.75 to 3 (what suits the display)",
                  [&](const Argument& a) {
                    const double scale = real_number(a);
                    if (!(scale >= 0.75 && scale <= 3)) {
                      throw CommandLineError("--ui-scale is " + a.text + "; it must be between 0.75 and 3.");
                    }
                    options.ui_scale = static_cast<float>(scale);
                  }});
  rows.push_back({group, "--steps-per-frame", "N", "steps between two pictures, 1 to 1000 (1)", [&](const Argument& a) {
                    options.steps_per_frame = static_cast<int>(whole_number(a, "a number of steps", 1, 1000));
                  }});
  rows.push_back({group, "--theme", "dark|light", "of panel and picture; light is for bright rooms (as last time)",
                  [&](const Argument& a) { options.view.theme = static_cast<Theme>(one_of(a, kThemeNames)); }});
  rows.push_back({group, "--camera-path", "FILE", "move the camera along this path, as it is kept in cameras.csv",
                  [&](const Argument& a) { options.camera_path = checked_path(a.text); }});
  rows.push_back({group, "--bridge", "auto|interop|staged",
                  "stars from CUDA: in memory shared with OpenGL (interop) or copied (auto)", [&](const Argument& a) {
                    constexpr std::array<std::string_view, 3> names = {"auto", "interop", "staged"};  // as in Bridge
                    options.bridge = static_cast<Bridge>(one_of(a, names));
                  }});
  rows.push_back(
      {group, "--shader-dir", "FOLDER", "read the shaders from here and not from the program", [&](const Argument& a) {
         if (!std::filesystem::is_directory(a.text)) {
           throw CommandLineError("--shader-dir: there is no folder '" + a.text + "'.", kNoInput);
         }
         options.shader_dir = a.text;
       }});
}

struct Flags {
  bool list_scenes = false, list_solvers = false, version = false, no_progress = false;
  bool annotations = false;
};

void add_flags(CLI::App& cli, Options& options, Flags& flags) {
  cli.add_flag("--headless", options.headless, "run without a window and print timings and the energy error")
      ->group("Without a window");
  cli.add_flag("--no-progress", flags.no_progress, "no progress bar")->group("Without a window");
  cli.add_flag("--annotations,!--no-annotations", flags.annotations,
               "scale bar, clock and legend on the film (yes) or the screenshot (no)")
      ->group("Without a window");
  cli.add_flag("--skip-bad", options.skip_bad,
               "leave out bodies of --load or --play with numbers that cannot be used, and count them")
      ->group("The system");
  cli.add_flag("--paused", options.paused, "start paused")->group("The picture");
  cli.add_flag("--list-scenes", flags.list_scenes, "what --scene may be")->group("Help");
  cli.add_flag("--list-solvers", flags.list_solvers, "what --solver may be")->group("Help");
  cli.add_flag("--version", flags.version, "version of the program")->group("Help");
  cli.set_help_flag("-h,--help", "this text")->group("Help");
}

void set_given(const std::vector<std::string>& names, GivenOptions& given) {
  const auto has = [&](const char* name) { return std::ranges::count(names, name) > 0; };
  given.scene = has("--scene");
  given.bodies = has("-n");
  given.seed = has("--seed");
  given.solver = has("--solver");
  given.precision = has("--precision");
  given.dimension = has("--dimension");
  given.multipole = has("--multipole");
  given.simd = has("--simd");
  given.theme = given.theme || has("--theme");
}

}  // namespace

CommandLine parse_command_line(int argc, const char* const* argv) {
  CommandLine result;
  Options& options = result.options;
  ValueOptions rows;
  add_system_options(options, rows);
  add_solver_options(options, rows);
  const auto set = [&](SolverOption which, const Argument& a) {
    options.config.solver_options.set(which, solver_option_value(which, a));
  };
  add_switch_options("CHOICE", set, rows);
  add_run_options(options, rows);
  add_picture_options(options, rows);

  CLI::App cli("Pericenter: watch galaxies collide, live.", "pericenter");
  cli.footer(kExamples);
  OptionReader reader(cli, std::move(rows));
  Flags flags;
  add_flags(cli, options, flags);
  if ((result.answer = reader.read(argc, argv))) return result;
  if (flags.version) result.answer = "pericenter " PERICENTER_VERSION "\n";
  if (flags.list_scenes) result.answer = list_of_scenes();
  if (flags.list_solvers) result.answer = list_of_solvers();
  if (result.answer) return result;
  set_given(reader.given(), options.given);
  options.progress = !flags.no_progress;
  if (cli.count("--annotations") > 0) options.annotations = flags.annotations;
  options.headless = options.headless || !options.record.empty();
  check_together(options, cli.count("--steps") > 0);
  return result;
}

}  // namespace pericenter::app
