#include "app/command_line.h"

#include <CLI/CLI.hpp>
#include <array>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <limits>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "app/argument_values.h"
#include "app/memory.h"
#include "sim/scenes/registry.h"
#include "sim/solvers/registry.h"

namespace pericenter::app {
namespace {

constexpr std::size_t kMostBodies = std::numeric_limits<std::int32_t>::max();  // indices of bodies are 32 bits wide
constexpr std::uint64_t kDefaultSteps = 100;
constexpr std::array<std::string_view, 4> kSimdNames = {"plain", "avx2", "avx512", "best"};  // in the order of Simd

constexpr const char* kExamples = R"(Examples:
  pericenter                                     two galaxies collide in a window
  pericenter --scene plummer -n 50000            another scene, with 50,000 bodies
  pericenter --headless -n 100000 -s 200         measure: no window, stage timings at the end
  pericenter --headless -s 400 --csv run.csv     one row a step: times and energy
  pericenter --headless -s 350 --screenshot a.png --size 1920x1080

Exit codes: 0 fine, 64 wrong command line, 66 no such input, 69 not available here (OpenGL 4.5, CUDA),
70 defect of the program, 73 output file cannot be made, 74 output cannot be written, 128 + signal when interrupted.)";

/// One option that takes a value: where --help shows it, and what its text does.
struct ValueOption {
  const char* group;
  const char* names;
  const char* type;
  const char* help;
  std::function<void(const Argument&)> apply;
};

using ValueOptions = std::vector<ValueOption>;

/// Names of a table's rows: scenes() or solvers().
template <class Rows>
std::vector<std::string_view> names_of(const Rows& rows) {
  std::vector<std::string_view> names;
  for (const auto& row : rows) names.push_back(row.name);
  return names;
}

void add_system_options(Options& options, ValueOptions& rows) {
  const char* group = "The system";
  rows.push_back(
      {group, "--scene", "NAME", "scene to start with, see --list-scenes (collision)", [&](const Argument& a) {
         const auto names = names_of(scenes());
         options.scene = names[one_of(a, names)];
       }});
  rows.push_back({group, "-n,--bodies", "N", "number of bodies (window: what suits the machine; headless: 20000)",
                  [&](const Argument& a) { options.bodies = whole_number(a, "a number of bodies", 1, UINT64_MAX); }});
  rows.push_back({group, "--seed", "SEED", "seed of the random numbers; the same seed gives the same bodies (1)",
                  [&](const Argument& a) { options.seed = whole_number(a, "a seed", 0, UINT64_MAX); }});
  rows.push_back(
      {group, "--dimension", "2|3", "2: bodies in a plane under the same softened force (3)", [&](const Argument& a) {
         constexpr std::array<std::string_view, 2> names = {"2", "3"};
         options.config.dimension = static_cast<int>(2 + one_of(a, names));
       }});
}

void add_solver_options(Options& options, ValueOptions& rows) {
  const char* group = "How it is computed";
  rows.push_back({group, "--solver", "NAME", "algorithm, see --list-solvers (octree)", [&](const Argument& a) {
                    const auto names = names_of(solvers());
                    options.config.solver = names[one_of(a, names)];
                  }});
  rows.push_back({group, "--backend", "auto|cpu|cuda", "where it is computed (auto)", [&](const Argument& a) {
                    constexpr std::array<std::string_view, 3> names = {"auto", "cpu", "cuda"};
                    if (one_of(a, names) != 2) return;
                    throw CommandLineError("--backend cuda: this build has no CUDA; auto or cpu runs on the processor.",
                                           kUnavailable);
                  }});
  rows.push_back({group, "--precision", "float|double", "of the solver (float)", [&](const Argument& a) {
                    constexpr std::array<std::string_view, 2> names = {"float", "double"};
                    options.config.precision = one_of(a, names) == 0 ? Precision::float32 : Precision::float64;
                  }});
  rows.push_back({group, "--multipole", "NAME", "what far cells act with: monopole or quadrupole (quadrupole)",
                  [&](const Argument& a) {
                    constexpr std::array<std::string_view, 2> names = {"monopole", "quadrupole"};
                    options.config.multipole = static_cast<Multipole>(one_of(a, names));
                  }});
  rows.push_back({group, "--threads", "N", "threads; 0 is one a core (0)", [&](const Argument& a) {
                    options.config.threads = static_cast<int>(whole_number(a, "a number of threads", 0, 1024));
                  }});
  rows.push_back({group, "--simd", "NAME", "vector instructions: plain, avx2, avx512 or best (best)",
                  [&](const Argument& a) { options.config.simd = static_cast<Simd>(one_of(a, kSimdNames)); }});
  rows.push_back({group, "--theta", "ANGLE", "opening angle of the tree, 0 to 2; smaller is more exact and slower",
                  [&](const Argument& a) { options.theta = real_number(a); }});
  rows.push_back({group, "--softening", "LENGTH",
                  "softening length, 0 or more; smaller is sharper and needs a smaller dt",
                  [&](const Argument& a) { options.softening = real_number(a); }});
  rows.push_back({group, "--dt", "TIME", "length of a step; negative runs backwards",
                  [&](const Argument& a) { options.dt = real_number(a); }});
}

void add_run_options(Options& options, ValueOptions& rows) {
  const char* group = "Without a window";
  rows.push_back({group, "-s,--steps", "N", "steps to run (100), or to run before the window's --screenshot",
                  [&](const Argument& a) { options.steps = whole_number(a, "a number of steps", 0, UINT64_MAX); }});
  rows.push_back({group, "--csv", "FILE", "write one row a step: times of all stages; energy every tenth step",
                  [&](const Argument& a) { options.csv = a.text; }});
  rows.push_back({group, "--screenshot", "FILE", "write a picture (PNG) after the steps, then end",
                  [&](const Argument& a) { options.screenshot = a.text; }});
}

void add_picture_options(Options& options, ValueOptions& rows) {
  const char* group = "The picture";
  rows.push_back({group, "--size", "WxH", "size of the window or the picture in pixels (1280x720)",
                  [&](const Argument& a) { std::tie(options.width, options.height) = picture_size(a); }});
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
  rows.push_back(
      {group, "--shader-dir", "FOLDER", "read the shaders from here and not from the program", [&](const Argument& a) {
         if (!std::filesystem::is_directory(a.text)) {
           throw CommandLineError("--shader-dir: there is no folder '" + a.text + "'.", kNoInput);
         }
         options.shader_dir = a.text;
       }});
}

[[noreturn]] void refuse_extra(const std::string& extra, const CLI::App& cli) {
  if (extra.empty() || extra.front() != '-') {
    throw CommandLineError("'" + extra + "' is not an option; options begin with --, see --help.");
  }
  std::vector<std::string> known;
  for (const CLI::Option* option : cli.get_options()) {
    for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
  }
  const std::string hint =
      did_you_mean(extra.substr(0, extra.find('=')), std::vector<std::string_view>(known.begin(), known.end()));
  throw CommandLineError("there is no option " + extra + (hint.empty() ? "; see --help." : hint));
}

/// What is wrong with the number of bodies for this scene and this machine.
void check_bodies(const Options& options) {
  if (!options.bodies) return;
  const std::size_t n = *options.bodies;
  const SceneInfo& scene = *find_scene(options.scene);
  const std::string name(scene.name);
  if (scene.fixed_bodies != 0 && n != scene.fixed_bodies) {
    throw CommandLineError("-n is " + std::to_string(n) + "; scene " + name + " has just " +
                           std::to_string(scene.fixed_bodies) + " bodies, so leave -n out.");
  }
  if (n < scene.min_bodies) {
    throw CommandLineError("-n is " + std::to_string(n) + "; scene " + name + " needs at least " +
                           std::to_string(scene.min_bodies) + " bodies.");
  }
  const double needed = memory_for(n), available = available_memory();
  if (available > 0 && needed > available) {
    constexpr double kGib = 1 << 30;
    std::array<char, 200> text;
    std::snprintf(text.data(), text.size(),
                  "-n is %zu; so many bodies need about %.1f GiB of memory, and %.1f GiB are free.", n, needed / kGib,
                  available / kGib);
    throw CommandLineError(text.data());
  }
  if (n > kMostBodies) {
    throw CommandLineError("-n is " + std::to_string(n) + "; at most " + std::to_string(kMostBodies) +
                           " are possible.");
  }
}

/// What is wrong with values together, after each was read for itself.
void check_together(Options& options, bool steps_given) {
  if (const std::string problem = problem_with(with_options({}, options)); !problem.empty())
    throw CommandLineError(problem + ".");
  if (const std::string problem = problem_with(options.config); !problem.empty()) throw CommandLineError(problem + ".");
  check_bodies(options);
  if (!options.headless && !options.csv.empty()) throw CommandLineError("--csv needs --headless.");
  if (!options.headless && steps_given && options.screenshot.empty()) {
    throw CommandLineError("--steps needs --headless or --screenshot.");
  }
  if (options.headless && !steps_given) options.steps = kDefaultSteps;
}

std::string list_of_scenes() {
  std::string text;
  for (const SceneInfo& scene : scenes()) {
    text += std::string(scene.name) + "\n    " + std::string(scene.title) + ". " + std::string(scene.summary) + "\n";
  }
  return text;
}

std::string list_of_solvers() {
  std::string text;
  for (const SolverInfo& solver : solvers()) {
    text += std::string(solver.name) + "\n    " + std::string(solver.title) + ": " + std::string(solver.summary) + "\n";
    if (!solver.source.empty()) text += "    Source: " + std::string(solver.source) + "\n";
  }
  return text;
}

struct Flags {
  bool list_scenes = false, list_solvers = false, version = false, no_progress = false;
};

void add_flags(CLI::App& cli, Options& options, Flags& flags) {
  cli.add_flag("--headless", options.headless, "run without a window and print timings and the energy error")
      ->group("Without a window");
  cli.add_flag("--no-progress", flags.no_progress, "no progress bar")->group("Without a window");
  cli.add_flag("--paused", options.paused, "start paused")->group("The picture");
  cli.add_flag("--list-scenes", flags.list_scenes, "what --scene may be")->group("Help");
  cli.add_flag("--list-solvers", flags.list_solvers, "what --solver may be")->group("Help");
  cli.add_flag("--version", flags.version, "version of the program")->group("Help");
  cli.set_help_flag("-h,--help", "this text")->group("Help");
}

std::string first_name(const std::string& names) {
  return names.substr(0, names.find_first_of(",:"));
}

}  // namespace

CommandLine parse_command_line(int argc, const char* const* argv) {
  CommandLine result;
  Options& options = result.options;
  ValueOptions rows;
  add_system_options(options, rows);
  add_solver_options(options, rows);
  add_run_options(options, rows);
  add_picture_options(options, rows);

  CLI::App cli("Pericenter: watch galaxies collide, live.", "pericenter");
  cli.footer(kExamples);
  cli.get_formatter()->column_width(34);
  cli.allow_extras();
  std::vector<std::string> texts(rows.size());
  std::vector<CLI::Option*> given;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    given.push_back(cli.add_option(rows[k].names, texts[k], rows[k].help)->type_name(rows[k].type));
    given.back()->group(rows[k].group)->take_last();
  }
  Flags flags;
  add_flags(cli, options, flags);
  try {
    cli.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    result.answer = cli.help();
    return result;
  } catch (const CLI::ArgumentMismatch& error) {
    throw CommandLineError(first_name(error.what()) + " needs a value, see --help.");
  } catch (const CLI::ParseError& error) {
    throw CommandLineError(error.what());
  }
  if (!cli.remaining().empty()) refuse_extra(cli.remaining().front(), cli);
  for (std::size_t k = 0; k < rows.size(); ++k) {
    if (given[k]->count() > 0) rows[k].apply({first_name(rows[k].names), texts[k]});
  }
  if (flags.version) result.answer = "pericenter " PERICENTER_VERSION "\n";
  if (flags.list_scenes) result.answer = list_of_scenes();
  if (flags.list_solvers) result.answer = list_of_solvers();
  options.progress = !flags.no_progress;
  check_together(options, cli.count("--steps") > 0);
  return result;
}

}  // namespace pericenter::app
