#pragma once

#include "app/export/export_options.h"
#include "sim/files/snapshot.h"

namespace pericenter::app {

/// A scene in the units that galaxy codes agree on (kpc, 1e10 solar masses, km/s), and how long to run it.
struct ClusterRun {
  std::string name;            ///< of the scene or file
  Snapshot snapshot;           ///< IDs hold place and tag of each body
  bool made_up_units = false;  ///< the scene has none; a length of 1 became 1 kpc, a mass of 1 became 1e10 suns
  double gravity = 0;          ///< constant of gravitation in these units
  double box_size = 0;         ///< side of a cube that all bodies stay in; they lie about its centre
  double time_end = 0, time_between = 0;  ///< of the run, and from snapshot to snapshot
  double longest_step = 0;
};

/// What of a scene the code runs. SWIFT takes positive coordinates only; for GADGET-4 the scene stays about the origin.
ClusterRun make_cluster_run(const std::string& name, Scene scene, ClusterCode code);

/// Writes the folder, each file whole or not at all. Returns an exit code; throws FileError, CommandLineError.
int run_export(const ExportOptions& options);

}  // namespace pericenter::app
