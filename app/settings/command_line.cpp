#include "app/settings/command_line.h"

#include <array>
#include <cmath>
#include <filesystem>
#include <string_view>
#include <tuple>
#include <utility>

#include "app/settings/command_line_error.h"
#include "app/settings/input_files.h"
#include "app/settings/listings.h"
#include "app/settings/option_parser.h"
#include "app/settings/scene_string.h"
#include "app/settings/setting_values.h"
#include "app/settings/settings_table.h"
#include "app/view/camera_file.h"
#include "app/view/output_settings.h"
#include "sim/solvers/registry.h"

namespace pericenter::app {
namespace {

constexpr const char* kDescription = "Pericenter: interactive N-body simulation of colliding galaxies.";
constexpr const char* kExamples = R"(Examples:
  pericenter                                     two galaxies collide in a window
  pericenter --scene plummer -n 50000            another scene, with 50,000 bodies
  pericenter --headless -n 100000 -s 200         no window: measure, print the time of each stage
  pericenter --headless -s 400 --csv run.csv     one row per step: times and energy
  pericenter --headless -s 350 --screenshot a.png --size 1920x1080
  pericenter --record a.mp4 --size 1920x1080     a video of 25 s, until the key moment of the scene
  pericenter --pace 31 --record b.mp4            the same at 31 Myr per second
  pericenter --solver tree-sorted --order shuffled --walk skip     a variant of a solver
  pericenter snapshot_010.hdf5                   a file, as from the file manager: snapshot, lesson or scene string
  pericenter --load snapshot_010.hdf5            bodies of GADGET, GIZMO, SWIFT, RAMSES, TIPSY ..., or your own saved run
  pericenter --headless -s 500 --save run.hdf5   restarting with --load run.hdf5 reproduces the run bit for bit
  pericenter --headless -s 500 --save run.hdf5 --save-every 20     a series that --play run_000000.hdf5 shows
  pericenter --load big.hdf5 --every 100 --types halo              one of 100 bodies, without reading the rest
  pericenter --play snap_000.hdf5                play all of snap_NNN.hdf5, with a time slider
  pericenter --play snap_000.hdf5 --follow       the same, and those that a running simulation writes
  pericenter --compare theta=1.2                 two simulations in one image: A as usual, B with another setting
  pericenter bench                               speed and force errors of the solvers; see bench --help
  pericenter export --for swift DIR              the same encounter on a cluster; see export --help

Exit codes: 0 success, 64 invalid command line, 65 invalid input file, 66 input file cannot be read, 69 not available on
this machine (OpenGL 4.5, CUDA), 70 internal error, 73 output file cannot be created, 74 output cannot be written,
75 lost connection to the display, 128 + signal when interrupted.)";

void apply_scene_string(const Argument& argument, Options& options) {
  try {
    read_scene_string(argument.text, options);
  } catch (const CommandLineError& error) {
    throw CommandLineError(argument.option + ": " + error.what());
  }
  options.scene_string = argument.text;
}

/// --camera-path: a readable file, the path of the scene, or none.
void set_camera_path(const Argument& argument, Options& options) {
  options.camera_path.clear();
  options.on_scene_path.reset();
  if (argument.text == "scene" || argument.text == "off") {
    options.on_scene_path = argument.text == "scene";
    options.view.follow = {.what = *options.on_scene_path ? Follow::What::path : Follow::What::nothing};
    return;
  }
  try {
    read_camera_path(argument.text);
  } catch (const CameraFileError& error) {
    throw CommandLineError(argument.option + ": " + error.what(), error.missing ? kNoInput : kDataError);
  }
  options.camera_path = argument.text;
}

std::string checked_folder(const Argument& argument) {
  std::error_code error;  // such as a name that is too long
  if (std::filesystem::is_directory(argument.text, error)) return argument.text;
  throw CommandLineError(argument.option + ": there is no folder '" + argument.text + "'.", kNoInput);
}

std::string checked_video(const Argument& argument) {
  if (video_format(argument.text)) return argument.text;
  throw CommandLineError(argument.option + " cannot write '" + argument.text +
                         "'; the name must end in .mp4, .gif or .png.");
}

/// Values of --solver.
std::vector<std::string> solver_names() {
  std::vector<std::string> names = copies_of(names_of(solvers()));
  names.insert(names.begin(), "auto");
  return names;
}

void set_solver(const Argument& argument, Options& options) {
  const std::vector<std::string> names = solver_names();
  const std::size_t chosen = one_of(argument, std::vector<std::string_view>(names.begin(), names.end()));
  options.automatic_solver = chosen == 0;
  options.config.solver = chosen == 0 ? Config().solver : names[chosen];
  options.given.solver = true;
}

void set_backend(const Argument& argument, Options& options) {
  constexpr std::array<std::string_view, 3> kNames = {"auto", "cpu", "cuda"};
  const std::size_t chosen = one_of(argument, kNames);
  options.backend.reset();
  if (chosen != 0) options.backend = chosen == 1 ? Backend::cpu : Backend::cuda;
}

/// --softening: a length, or that which the scene suggests for its number of bodies.
void set_softening(const Argument& argument, Options& options) {
  options.softening_by_bodies = argument.text == "auto";
  options.softening.reset();
  options.softening_now.reset();
  if (!options.softening_by_bodies) options.softening = real_number(argument);
}

/// The settings that are options.
void add_settings(Options& options, OptionRows& rows) {
  for (const SettingRow& setting : settings_table()) {
    if (setting.help.empty()) continue;
    rows.push_back({setting.group, setting.names.empty() ? "--" + setting.key : setting.names, setting.type,
                    setting.help,
                    [&](const Argument& a) {
                      setting.read(a, options);
                      if (setting.given) options.given.*setting.given = true;
                    },
                    false, setting.values});
  }
}

void add_solver_rows(Options& options, OptionRows& rows) {
  rows.push_back({kSolverGroup, "--solver", "NAME",
                  "algorithm, see --list-solvers (default: auto, chosen by the number of bodies)",
                  [&](const Argument& a) { set_solver(a, options); }, false, solver_names()});
  rows.push_back({kSolverGroup, "--backend", "auto|cpu|cuda", "processor; auto: CUDA if available (default: auto)",
                  [&](const Argument& a) { set_backend(a, options); }});
  rows.push_back(gpus_option(kSolverGroup, options.config));
  rows.push_back(config_option(kSolverGroup, "threads", options.config));
  rows.push_back({kSolverGroup, "--softening", "LENGTH|auto",
                  "softening length, 0 or more; smaller is sharper and needs a smaller dt; auto: that of the scene for "
                  "20,000 bodies, smaller for more (default: that of the scene for any number)",
                  [&](const Argument& a) { set_softening(a, options); }});
}

void add_input_rows(Options& options, OptionRows& rows) {
  rows.push_back(
      {kSceneGroup, "--load", "FILE",
       "load bodies from a file or from a folder with one snapshot, or resume a saved run; a note states the units of "
       "--dt and --softening",
       [&](const Argument& a) { options.load = checked_input(a, false); }});
  rows.push_back({kSceneGroup, "--play", "FILE",
                  "play the series of snapshots that this file belongs to or that a folder has, or all named files",
                  [&](const Argument& a) { options.play = checked_input(a, true); }});
  rows.push_back(flag(kSceneGroup, "--follow", "with --play, show new snapshots of a running simulation as they appear",
                      options.follow));
  rows.push_back(flag(kSceneGroup, "--skip-bad", "skip invalid bodies of --load or --play, and count them",
                      options.read.skip_bad));
}

void add_output_rows(Options& options, OptionRows& rows) {
  const char* group = kHeadlessGroup;
  rows.push_back(
      flag(group, "--headless", "run without a window; print timings and the energy error", options.headless));
  rows.push_back({group, "--csv", "FILE", "write one row per step: stage times, and in some rows energy and momentum",
                  [&](const Argument& a) { options.csv = a.text; }});
  rows.push_back({group, "--energy-every", "N", "steps between two rows of --csv with energy (default: 10)",
                  [&](const Argument& a) {
                    options.energy_every = whole_number(a, 1);
                    options.given.energy_every = true;
                  }});
  rows.push_back({group, "--save", "FILE", "write a snapshot (GADGET HDF5) after the last step, for --load",
                  [&](const Argument& a) { options.save = a.text; }});
  rows.push_back({group, "--save-every", "N", "also write FILE_000000, FILE_0000NN ... every N steps, for --play",
                  [&](const Argument& a) { options.save_every = whole_number(a, 1); }});
  rows.push_back({group, "--screenshot", "FILE",
                  "write an image after the last step, then exit: PNG, or, headless, .pfm for light as numbers",
                  [&](const Argument& a) { options.screenshot = a.text; }});
  rows.push_back({group, "--record", "FILE", "write a video of the run: .mp4, .gif, or .png for numbered images",
                  [&](const Argument& a) { options.record = checked_video(a); }});
  rows.push_back({group, "--fps", "N", "frames per second of the video, 1 to 240 (default: 60)",
                  [&](const Argument& a) { options.frames_per_second = static_cast<int>(whole_number(a, 1, 240)); }});
  rows.push_back({group, "--annotations,!--no-annotations", "",
                  "scale bar, clock and legend (default: on for --record, off for --screenshot)",
                  [&](const Argument& a) { options.annotations = a.text == "on"; }});
  rows.push_back({group, "--no-progress", "", "no progress bar", [&](const Argument&) { options.progress = false; }});
}

void add_view_rows(Options& options, OptionRows& rows) {
  const char* group = kViewGroup;
  rows.push_back({group, "--size", "WxH", "size of the window or image in pixels (default: 1280x720)",
                  [&](const Argument& a) { std::tie(options.width, options.height) = picture_size(a); }});
  rows.push_back({group, "--ui-scale", "SCALE",
                  "size of text and controls, 0.75 to 3 (default: chosen for the display)", [&](const Argument& a) {
                    options.ui_scale = number_in<float>(a, {0.75, 3});
                  }});
  rows.push_back({group, "--projector-size", "X",
                  "size of clock, captions and legend in lessons and full screen, 0.5 to 2 (default: 1)",
                  [&](const Argument& a) {
                    options.projector_size = number_in<float>(a, {0.5, 2});
                  }});
  rows.push_back({group, "--camera-path", "FILE|scene|off",
                  "camera path: a file in the format of cameras.csv; scene: the path of the scene; off: the camera "
                  "rests (default: "
                  "it keeps the story in the frame, unless the scene string has a camera)",
                  [&](const Argument& a) { set_camera_path(a, options); }});
  rows.push_back({group, "--compare", "KEY=VALUE,...",
                  "split the view between these settings (A) and the same with changes (B), such as theta=1.2",
                  [&](const Argument& a) {
                    options.compare = a.text;
                    if (a.text.empty()) throw CommandLineError("--compare must be KEY=VALUE, such as theta=1.2.");
                  }});
  rows.push_back({group, "--compare-view", "wipe|side-by-side",
                  "wipe: A and B are parts of one view; side-by-side: each half shows its whole scene (default: "
                  "side-by-side if the encounters differ)",
                  [&](const Argument& a) {
                    options.side_by_side = one_of(a, std::array<std::string_view, 2>{"wipe", "side-by-side"}) == 1;
                  }});
  rows.push_back({group, "--lesson", "NAME|FILE", "present a lesson: its name in the list of F6, or its file (.toml)",
                  [&](const Argument& a) {
                    options.lesson = a.text;
                    if (a.text.empty()) throw CommandLineError("--lesson must be the name or the file of a lesson.");
                  }});
  rows.push_back(flag(group, "--station",
                      "exhibition mode: full screen without controls; restarts after two idle minutes",
                      options.station));
  rows.push_back(flag(group, "--presenter",
                      "a second window for the teacher: notes, answer, next slide and clock of the lesson",
                      options.presenter));
  rows.push_back({group, "--monitor", "N",
                  "full screen on monitor N, 1 for the first; --presenter is then shown on another one",
                  [&](const Argument& a) { options.monitor = static_cast<int>(whole_number(a, 1, 64)); }});
  rows.push_back({group, "--language", "CODE",
                  "language of lessons, such as de, if available (default: LC_ALL, LC_MESSAGES or LANG)",
                  [&](const Argument& a) { options.language = language_code(a); }});
  rows.push_back({group, "--bridge", "auto|interop|staged",
                  "path from CUDA to OpenGL: a shared buffer (interop) or copies (staged) (default: auto)",
                  [&](const Argument& a) {
                    constexpr std::array<std::string_view, 3> kNames = {"auto", "interop", "staged"};  // see Bridge
                    options.bridge = static_cast<Bridge>(one_of(a, kNames));
                  }});
  rows.push_back({group, "--shader-dir", "FOLDER", "load shaders from this folder instead of the built-in ones",
                  [&](const Argument& a) { options.shader_dir = checked_folder(a); }});
  rows.push_back(flag(group, "--paused", "start paused", options.paused));
  rows.push_back(flag(group, "--describe", "describe the scene in sentences on standard output, for screen readers",
                      options.describe));
  rows.push_back({group, "--no-narrator", "",
                  "do not report pericentre, tails, apocentre and merger in sentences; no video subtitles",
                  [&](const Argument&) { options.narrator = false; }});
  rows.push_back(flag(group, "--reduced-motion", "no automatic motion of the camera", options.reduced_motion));
}

void add_help_rows(CommandLine& result, OptionRows& rows) {
  std::optional<std::string>& answer = result.answer;
  Options& options = result.options;
  rows.push_back({"Help", "--list-scenes", "", "list the scenes", [&](const Argument&) { answer = list_of_scenes(); }});
  rows.push_back(
      {"Help", "--list-solvers", "", "list the solvers", [&](const Argument&) { answer = list_of_solvers(); }});
  rows.push_back({"Help", "--version", "", "print the version",
                  [&](const Argument&) { answer = "pericenter " PERICENTER_VERSION "\n"; }});
  rows.push_back({"Help", "--generate", "man|bash|zsh|fish", "print the manual page, or the completions for a shell",
                  [&](const Argument& a) {
                    constexpr std::array<std::string_view, 4> kTexts = {"man", "bash", "zsh", "fish"};
                    result.generate = kTexts[one_of(a, kTexts)];
                  }});
  rows.push_back(flag("Help", "--system-report",
                      "print versions, system, GPU, OpenGL and CUDA, without user name and host name",
                      options.system_report));
  rows.push_back({"Help", "--log", "FILE",
                  "append system report, timestamped messages and exit code to this file, for support",
                  [&](const Argument& a) {
                    options.log = a.text;
                    if (a.text.empty()) throw CommandLineError("--log must be the name of a file.");
                  }});
}

/// All options of the program, in the order in which they are applied.
OptionRows make_rows(CommandLine& result) {
  Options& options = result.options;
  OptionRows rows;
  // First, so that all other options override them.
  rows.push_back({"", "FILE", "",
                  "file to open, as if it were dropped on the window: a snapshot or several, a lesson (.toml), or a "
                  "scene string (.pericenter)",
                  [&](const Argument& a) { add_given_file(a.text, options); }, true});
  rows.push_back({kSceneGroup, "--scene-string", "TEXT", "load settings from a scene string; other options override it",
                  [&](const Argument& a) { apply_scene_string(a, options); }});
  add_solver_rows(options, rows);
  add_settings(options, rows);
  add_input_rows(options, rows);
  add_output_rows(options, rows);
  add_view_rows(options, rows);
  add_help_rows(result, rows);
  return rows;
}

}  // namespace

CommandInfo program_command() {
  CommandLine unused;
  return command_info("", kDescription, kExamples, make_rows(unused));
}

CommandLine parse_command_line(int argc, const char* const* argv) {
  CommandLine result;
  Options& options = result.options;
  OptionParser parser({kDescription, "pericenter", kExamples}, make_rows(result));
  if (auto help = parser.read(argc, argv)) result.answer = std::move(help);
  if (result.answer || !result.generate.empty()) return result;
  options.headless = options.headless || !options.record.empty();
  open_given_files(options);
  check_together(options);
  return result;
}

}  // namespace pericenter::app
