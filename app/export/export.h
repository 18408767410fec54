#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/export/export_options.h"
#include "sim/core/progress.h"
#include "sim/files/snapshot.h"

namespace pericenter::app {

/// A scene in the usual units of galaxy codes (kpc, 1e10 solar masses, km/s), with the duration of the run.
struct ClusterRun {
  std::string name;                       ///< name of the scene or file
  Snapshot snapshot;                      ///< IDs encode index and tag of each body
  bool assumed_units = false;             ///< the scene has no physical units: 1 kpc and 1e10 solar masses are assumed
  double gravity = 0;                     ///< gravitational constant in these units
  double box_size = 0;                    ///< side of a cube around all bodies for the whole run; centred on them
  double time_end = 0, time_between = 0;  ///< end of the run, and interval of snapshots
  double longest_step = 0;                ///< suggested for the scene
  double time_step = 0;  ///< near it; time_end over a power of two, because both codes use only such steps
};

/// Converts a scene. SWIFT requires positive coordinates; for GADGET-4 the scene stays centred on the origin.
ClusterRun make_cluster_run(const std::string& name, Scene scene, ClusterCode code);

/// Why both codes would stop at the start, a sentence, and the setting that is missing; nullopt: they would not.
struct MissingSetting {
  std::string problem;
  const char* name;    ///< softening length, time step
  const char* option;  ///< option of the command line, with its argument
};
std::optional<MissingSetting> missing_setting(const Scene& scene, ClusterCode code);

/// Converts a scene without a missing_setting() and writes it; each file is written completely or not at all. Throws
/// FileError, and SceneCancelled when `progress` returns false.
ClusterRun export_scene(const std::string& name, Scene scene, ClusterCode code, const std::string& folder,
                        const Progress& progress);

/// Writes the folder that the options name, and prints what it wrote. Throws FileError, CommandLineError, and ExitError
/// after a signal.
ClusterRun write_export(const ExportOptions& options);
/// The command. Returns an exit code.
int run_export(const ExportOptions& options);

/// A text file of an export.
struct TextFile {
  std::string name, text;
};

/// Parameter file, build configuration if needed, and README.txt, whose first line is export_mark().
std::vector<TextFile> export_texts(const ClusterRun& run, ClusterCode code);

/// First line of README.txt; identifies an export.
std::string export_mark(ClusterCode code);

/// File name of the bodies.
inline constexpr const char* kExportedBodies = "ics.hdf5";

}  // namespace pericenter::app
