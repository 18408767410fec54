#include "app/export/export_options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "app/cli/command_line.h"
#include "app/cli/option_parser.h"
#include "sim/scenes/registry.h"

namespace pericenter::app {
namespace {

constexpr std::array<std::string_view, 2> kCodes = {"swift", "gadget4"};  // as in ClusterCode
/// What a snapshot has of its own.
constexpr std::array<std::string_view, 4> kOfScenes = {"--scene", "-n", "--seed", "--softening"};

constexpr const char* kFooter =
    R"(The folder gets initial conditions (HDF5, in kpc, 1e10 solar masses and km/s), a parameter file, and a README.txt
with the commands to get the code, to run it with MPI, and to load its snapshots here. Both codes soften gravity with a
spline of the same depth instead of Plummer's law, so that close encounters of single bodies differ.

Examples:
  pericenter export --for swift antennae -n 2000000
  pericenter export --for gadget4 merger --scene collision -n 10000000 --seed 3
  pericenter export --for swift later --load saved.hdf5)";

ValueOptions make_rows(ExportOptions& options) {
  ValueOptions rows;
  rows.push_back({"What for", "--for", "swift|gadget4", "the code that is to run it",
                  [&](const Argument& a) { options.code = static_cast<ClusterCode>(one_of(a, kCodes)); }});
  const char* group = "The system";
  rows.push_back({group, "--load", "FILE", "start from a snapshot that Pericenter has saved, instead of a scene",
                  [&](const Argument& a) { options.load = a.text; }});
  rows.push_back({group, "--scene", "NAME", "scene, see pericenter --list-scenes (collision)", [&](const Argument& a) {
                    const auto names = names_of(scenes());
                    options.scene = names[one_of(a, names)];
                  }});
  rows.push_back({group, "-n,--bodies", "N", "number of bodies (100000)",
                  [&](const Argument& a) { options.bodies = whole_number(a, "a number of bodies", 1, UINT64_MAX); }});
  rows.push_back(seed_option(group, options.seed));
  rows.push_back({group, "--softening", "LENGTH", "softening length in units of the scene (the scene's own)",
                  [&](const Argument& a) { options.softening = real_number(a); }});
  return rows;
}

void check(ExportOptions& options, const std::vector<std::string>& given) {
  const auto has = [&](std::string_view name) { return std::ranges::find(given, name) != given.end(); };
  if (!has("--for")) throw CommandLineError("export needs --for swift or --for gadget4, see export --help.");
  if (options.folder.empty()) throw CommandLineError("export needs a folder to write to, see export --help.");
  if (!options.load.empty()) {
    for (const std::string_view name : kOfScenes) {
      if (!has(name)) continue;
      throw CommandLineError("--load brings bodies of its own, so leave " + std::string(name) + " out.");
    }
    return;
  }
  const std::string problem = problem_with(Params{.softening = options.softening});
  if (!problem.empty()) throw CommandLineError(problem + ".");
  const SceneInfo& scene = *find_scene(options.scene);
  if (!has("-n")) options.bodies = scene.allowed(options.bodies);
  check_bodies(scene, options.bodies);
}

}  // namespace

ExportCommandLine parse_export_command_line(int argc, const char* const* argv) {
  ExportCommandLine result;
  ExportOptions& options = result.options;
  CLI::App cli("Writes what SWIFT or GADGET-4 needs to run the same encounter on a cluster.", "pericenter export");
  cli.footer(kFooter);
  OptionReader reader(cli, make_rows(options));
  bool no_progress = false;
  cli.add_option("FOLDER", options.folder, "where all is written; it is made if it is not there")->type_name("");
  cli.add_flag("--no-progress", no_progress, "no progress bar")->group("The system");
  cli.set_help_flag("-h,--help", "this text")->group("Help");
  if ((result.answer = reader.read(argc, argv))) return result;
  options.progress = !no_progress;
  check(options, reader.given());
  return result;
}

}  // namespace pericenter::app
