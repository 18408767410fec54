#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sim/files/scene_source.h"
#include "sim/files/snapshot.h"

namespace pericenter {

/// The snapshots that belong to the series of `path`, in the order of their numbers: files beside it whose names differ
/// in one number only, such as snap_000.hdf5, snap_001.hdf5. Of a snapshot in several files, snap_000.0.hdf5,
/// snap_000.1.hdf5, only the first is named. Just `path` when there are no others.
std::vector<std::string> series_of(const std::string& path);

/// The first snapshot of a series as a scene, and how the others become bodies of the same scene.
struct SeriesScene {
  LoadedScene loaded;                       ///< its bodies in the order of the snapshot
  std::function<Bodies(Snapshot)> convert;  ///< of a snapshot in the first one's units
  double time_unit = 1;                     ///< of the scene, in the first snapshot's units
};

/// What a series is read with.
struct SeriesReader {
  /// Throws InputError whose text begins with the file, SceneCancelled.
  std::function<Snapshot(const std::string& path, const Progress& progress)> read;
  /// The moment of a snapshot in its own units. Throws as `read` does.
  std::function<double(const std::string& path)> time;
  /// Throws InputError.
  std::function<SeriesScene(Snapshot first)> scene;
};

/// The same snapshot in other units. Throws InputError when one of them is known and the other is not.
Snapshot in_units(const FileUnits& units, Snapshot snapshot);

/// The recording of these files, in the order of their moments; the note says which ones are left out. Reads the first
/// two. Throws InputError when fewer than two can be played, and SceneCancelled.
LoadedScene load_series(const std::vector<std::string>& paths, const SeriesReader& reader, const Progress& progress);

/// Plays a series: the simulation that it loads shows the bodies at any moment between the first and the last snapshot,
/// interpolated between the two nearest ones (cubic, from positions and velocities). It holds three snapshots in memory
/// at most, and reads ahead on a thread of its own.
SceneSource series_source(const std::vector<std::string>& paths, bool skip_bad);

}  // namespace pericenter
