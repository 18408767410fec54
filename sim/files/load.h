#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/core/config.h"
#include "sim/core/simulation.h"
#include "sim/files/snapshot.h"
#include "sim/scenes/registry.h"

namespace pericenter {

/// First and last time of a playback and the times of its snapshots, in scene units.
struct TimeRange {
  double first = 0, last = 0;
  std::vector<double> snapshots = {};  ///< ascending
  bool can_follow = false;             ///< whether new snapshots can be looked for
  bool follows = false;                ///< new snapshots are taken as they appear

  friend bool operator==(const TimeRange&, const TimeRange&) = default;
};

/// A scene loaded from files, with the state of the run that it was saved from.
struct LoadedScene {
  Scene scene;
  double time = 0;  ///< scene units
  std::uint64_t steps = 0;
  std::optional<Config> config;  ///< saved configuration, to continue exactly; backend, device and threads are not used
  std::optional<SceneRequest> request;  ///< request that created the scene of the saved run, if any
  std::optional<Diagnostics> start;     ///< SavedRun::start
  std::shared_ptr<const FileOrigin> origin;
  std::string note;                    ///< sentences for the user: what was skipped, what was assumed
  std::vector<FieldInfo> fields = {};  ///< those of the Snapshot
  /// Plays a series of snapshots; null: simulate scene.bodies.
  std::unique_ptr<Simulation> playback;
  TimeRange playback_range;
  double playback_dt = 0;  ///< suggested time step of the playback; scene.params are for a simulation from its state
};

/// A file or a series of files.
struct SceneSource {
  std::string name;  ///< name for display and file names: "snapshot_010"
  std::string path;  ///< path of the file
  /// Throws std::runtime_error with a sentence for the user, std::bad_alloc, SceneCancelled.
  std::function<LoadedScene(const Progress& progress)> load;
  ReadOptions options = {};  ///< how it is read; the progress is that of load()
};

/// Reads a snapshot of any format of file_formats(). If the snapshot consists of several files, reads all of them.
/// Throws InputError, whose text starts with the path, and SceneCancelled.
Snapshot read_snapshot(const std::string& path, const ReadOptions& options);

/// Converts a snapshot to a scene around its centre of mass, in units with G = 1 in which size and mass are about 1, or
/// with discs of our own scenes their scale length is 1, with a suggested softening, time step and view. Snapshots
/// saved by Pericenter are returned unchanged. Throws InputError if there are no bodies or if their range exceeds what
/// doubles can represent. Zero mass is valid.
LoadedScene scene_of(Snapshot snapshot);

/// Loads a file by read_snapshot() and scene_of(), when SceneSource::load is called, whose progress is used.
SceneSource file_source(const std::string& path, const ReadOptions& options);

}  // namespace pericenter
