#include "app/export/export_options.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <vector>

#include "app/export/export.h"
#include "app/settings/command_line_error.h"
#include "app/settings/file_uses.h"
#include "app/settings/option_parser.h"
#include "sim/scenes/registry.h"

namespace pericenter::app {
namespace {

/// Options that do not apply to a snapshot.
constexpr std::array<std::string_view, 4> kSceneOptions = {"--scene", "-n", "--seed", "--softening"};

constexpr const char* kDescription = "Exports a scene for SWIFT or GADGET-4, to run it on a cluster.";
constexpr const char* kFooter =
    R"(Writes initial conditions (HDF5, in kpc, 1e10 solar masses and km/s), a parameter file, and a README.txt with the commands
to build the code, run it with MPI, and load its snapshots here. Both codes use spline softening of equal depth instead of
Plummer softening, so close encounters of single bodies differ.

Examples:
  pericenter export --for swift antennae -n 2000000
  pericenter export --for gadget4 merger --scene collision -n 10000000 --seed 3
  pericenter export --for swift later --load saved.hdf5)";

OptionRows make_rows(ExportOptions& options) {
  OptionRows rows;
  rows.push_back({"Target", "--for", "swift|gadget4", "target code",
                  [&](const Argument& a) { options.code = static_cast<ClusterCode>(one_of(a, kClusterCodes)); }});
  add_export_rows(rows, options);
  return rows;
}

}  // namespace

void add_export_rows(OptionRows& rows, ExportOptions& options) {
  const char* group = "Bodies";
  rows.push_back({group, "--load", "FILE", "export a snapshot, of this program or another one, instead of a scene",
                  [&](const Argument& a) { options.load = a.text; }});
  rows.push_back({group, "--scene", "NAME", "scene, see pericenter --list-scenes (default: collision)",
                  [&](const Argument& a) {
                    const auto names = names_of(scenes());
                    options.scene = names[one_of(a, names)];
                  },
                  false, copies_of(names_of(scenes()))});
  rows.push_back({group, "-n,--bodies", "N", "number of bodies (default: 100000)",
                  [&](const Argument& a) { options.bodies = whole_number(a, 1); }});
  rows.push_back(seed_option(group, options.seed));
  rows.push_back({group, "--softening", "LENGTH", "softening length in scene units (default: the scene's)",
                  [&](const Argument& a) { options.softening = real_number(a); }});
  rows.push_back(
      {"", "FOLDER", "", "output folder; created if missing", [&](const Argument& a) { options.folder = a.text; }});
  rows.push_back({group, "--no-progress", "", "no progress bar", [&](const Argument&) { options.progress = false; }});
}

void check_exported(ExportOptions& options, const std::vector<std::string>& given) {
  const auto has = [&](std::string_view name) { return std::ranges::find(given, name) != given.end(); };
  FileUses uses;
  uses.read("--load", options.load);
  uses.write("the exported bodies", (std::filesystem::path(options.folder) / kExportedBodies).string());
  if (!options.load.empty()) {
    for (const std::string_view name : kSceneOptions) {
      if (!has(name)) continue;
      throw CommandLineError("--load and " + std::string(name) +
                             " cannot be combined: the snapshot contains the bodies.");
    }
    return;
  }
  const std::string problem = problem_with(Params{.softening = options.softening.value_or(0)});
  if (!problem.empty()) throw CommandLineError(problem + ".");
  if (options.softening == 0.0)
    throw CommandLineError("--softening is 0, and both codes require a softening length above 0.");
  const SceneInfo& scene = *find_scene(options.scene);
  if (!has("-n")) options.bodies = scene.allowed(options.bodies);
  check_bodies(scene, options.bodies);
}

CommandInfo export_command() {
  ExportOptions unused;
  return command_info("export", kDescription, kFooter, make_rows(unused));
}

ParsedOptions<ExportOptions> parse_export_command_line(int argc, const char* const* argv) {
  ParsedOptions<ExportOptions> result;
  ExportOptions& options = result.options;
  OptionParser reader({kDescription, "pericenter export", kFooter}, make_rows(options));
  if ((result.answer = reader.read(argc, argv))) return result;
  const std::vector<std::string> given = reader.given();
  if (std::ranges::find(given, "--for") == given.end())
    throw CommandLineError("export requires --for swift or --for gadget4, see export --help.");
  if (options.folder.empty()) throw CommandLineError("export requires an output folder, see export --help.");
  check_exported(options, given);
  return result;
}

}  // namespace pericenter::app
