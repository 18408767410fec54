#include "app/export/export.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <stdexcept>
#include <utility>

#include "app/base/atomic_file.h"
#include "app/base/format.h"
#include "app/base/progress_bar.h"
#include "app/base/signals.h"
#include "app/settings/command_line_error.h"
#include "sim/core/printable.h"
#include "sim/files/body_ids.h"
#include "sim/files/hdf5/hdf5_units.h"
#include "sim/files/hdf5/writer.h"
#include "sim/files/load.h"

namespace pericenter::app {
namespace {

namespace fs = std::filesystem;

constexpr double kPastHighlight = 2.5;  ///< duration in units of the highlight time, so that the merger is complete
constexpr double kDefaultSteps = 3000;  ///< duration of scenes without a highlight
constexpr double kSnapshots = 128;      ///< a power of two, so that they are at the ends of time steps

/// Units of the scene in cgs; without units, assumed ones that keep the value of G.
FileUnits units_of(const Scene& scene) {
  const FileUnits units = file_units(scene.units, scene.params.gravity);
  if (units.known()) return units;
  const double length = kGalacticUnits.length_cm, mass = kGalacticUnits.mass_g;
  const double gravity = scene.params.gravity > 0 ? scene.params.gravity : 1;
  return {length, mass * gravity, std::sqrt(kGravityCgs * mass / length)};
}

struct LoadedForExport {
  std::string name;
  Scene scene;
};

LoadedForExport load(const std::string& path, const Progress& progress) {
  const SceneSource source = file_source(path, {});
  LoadedScene loaded = source.load(progress);
  loaded.scene.highlight_time = std::max(0.0, loaded.scene.highlight_time - loaded.time);
  return {source.name, std::move(loaded.scene)};
}

LoadedForExport scene_for(const ExportOptions& options, const Progress& progress) {
  if (!options.load.empty()) return load(options.load, progress);
  return {options.scene, find_scene(options.scene)
                             ->make({.bodies = options.bodies,
                                     .seed = options.seed,
                                     .softening = options.softening.value_or(0),
                                     .progress = progress})};
}

/// Rejects folders with other content.
void check_folder(const std::string& folder, ClusterCode code) {
  std::error_code error;
  const fs::file_status status = fs::status(folder, error);
  if (!fs::exists(status)) return;
  if (!fs::is_directory(status)) {
    throw FileError(kCannotCreate, "Cannot export to " + folder + ": it is a file. Choose another name.");
  }
  if (fs::is_empty(folder, error)) return;
  const std::string mark = export_mark(code) + '\n';
  if (first_bytes((fs::path(folder) / "README.txt").string(), mark.size()) == mark) return;
  throw FileError(kCannotCreate, "Cannot export to " + folder +
                                     ": the folder is not empty and does not contain an export for the same code. "
                                     "Choose another folder, or empty it.");
}

void create_folder(const std::string& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw FileError(kCannotCreate, "Cannot create folder " + folder + ": " + error.message() + ".");
}

void write_bodies(const std::string& path, const ClusterRun& run, ClusterCode code, const Progress& progress) {
  UnfinishedFile file(path);
  try {
    write_hdf5(file.temporary(), run.snapshot, {.for_swift = code == ClusterCode::swift, .box_size = run.box_size},
               progress);
  } catch (const std::runtime_error& error) {
    throw FileError(kIoError, "Cannot write " + path + ": " + error.what());
  }
  file.keep();
}

}  // namespace

ClusterRun make_cluster_run(const std::string& name, Scene scene, ClusterCode code) {
  const FileUnits from = units_of(scene), to = kGalacticUnits;
  const double length = from.length_cm / to.length_cm, velocity = from.velocity_cm_s / to.velocity_cm_s,
               mass = from.mass_g / to.mass_g, time = length / velocity;
  ClusterRun run;
  run.name = name;
  run.assumed_units = !(scene.units.length_kpc > 0);
  run.gravity = to.mass_g / natural_mass(to.length_cm, to.velocity_cm_s);
  run.longest_step = std::abs(scene.params.dt) * time;
  run.time_end =
      scene.highlight_time > 0 ? kPastHighlight * scene.highlight_time * time : kDefaultSteps * run.longest_step;
  const double halvings = std::max(1.0, std::round(std::log2(run.time_end / run.longest_step)));
  run.time_step = run.longest_step > 0 ? run.time_end / std::exp2(halvings) : 0;
  run.time_between = std::max(run.time_end / kSnapshots, 2 * run.time_step);

  run.snapshot.units = to;
  run.snapshot.softening = scene.params.softening * length;
  run.snapshot.bodies = std::move(scene.bodies);
  run.snapshot.ids.reserve(run.snapshot.bodies.size());
  double farthest = 0, fastest = 0;
  for (Body& body : run.snapshot.bodies) {
    run.snapshot.ids.push_back(marked_id(run.snapshot.ids.size(), body.tag));
    body.position *= length;
    body.velocity *= velocity;
    body.mass *= mass;
    for (int k = 0; k < 3; ++k) farthest = std::max(farthest, std::abs(body.position[k]));
    fastest = std::max(fastest, std::sqrt(dot(body.velocity, body.velocity)));
  }
  if (code != ClusterCode::swift) return run;
  // Large enough for the fastest body; bodies at rest collapse and expand by about the same amount.
  run.box_size = 2 * std::ceil(std::max(2 * farthest, farthest + fastest * run.time_end) + 1);
  for (Body& body : run.snapshot.bodies) body.position += Vec3{run.box_size, run.box_size, run.box_size} * 0.5;
  return run;
}

std::optional<MissingSetting> missing_setting(const Scene& scene, ClusterCode code) {
  const std::string title = code == ClusterCode::swift ? "SWIFT" : "GADGET-4";
  if (!(scene.params.softening > 0))
    return MissingSetting{"The bodies have no softening, and " + title + " requires one.", "softening length",
                          "--softening LENGTH"};
  if (scene.params.dt == 0)
    return MissingSetting{"The time step of the bodies is 0, and the run of " + title + " would end at its start.",
                          "time step", "--dt TIME"};
  return std::nullopt;
}

ClusterRun export_scene(const std::string& name, Scene scene, ClusterCode code, const std::string& folder,
                        const Progress& progress) {
  check_folder(folder, code);
  ClusterRun run = make_cluster_run(name, std::move(scene), code);
  create_folder(folder);
  const fs::path path = folder;
  write_bodies((path / kExportedBodies).string(), run, code, progress);
  for (const TextFile& file : export_texts(run, code)) write_file((path / file.name).string(), file.text);
  return run;
}

ClusterRun write_export(const ExportOptions& options) {
  StopSignals stop;
  check_folder(options.folder, options.code);
  ProgressBar bar("exporting", "", options.progress);
  const auto half = [&](double begin) {
    return [&, begin](double share) {
      bar.show(begin + share / 2, 1);
      return !stop.raised();
    };
  };
  try {
    LoadedForExport loaded = scene_for(options, half(0));
    if (const auto missing = missing_setting(loaded.scene, options.code)) {
      const std::string option = missing->option;
      throw CommandLineError(
          missing->problem + (options.load.empty()
                                  ? " Set one with " + option + "."
                                  : " Set one first: pericenter --headless --load " + shell_word(options.load) + " " +
                                        option + " -s 1 --save NEW.hdf5, then export NEW.hdf5."),
          kDataError);
    }
    ClusterRun run = export_scene(loaded.name, std::move(loaded.scene), options.code, options.folder, half(0.5));
    std::string names = kExportedBodies;
    for (const TextFile& file : export_texts(run, options.code)) names += ", " + file.name;
    std::cout << "Wrote " << run.snapshot.bodies.size() << " bodies of " << printable(run.name) << " to "
              << printable(options.folder) << ": " << names << ". README.txt explains how to run them.\n";
    return run;
  } catch (const SceneCancelled&) {
    throw ExitError(static_cast<ExitCode>(stop.exit_code()), "interrupted; the export is incomplete.");
  }
}

int run_export(const ExportOptions& options) {
  write_export(options);
  return kOk;
}

}  // namespace pericenter::app
