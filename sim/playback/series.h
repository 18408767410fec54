#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sim/files/load.h"
#include "sim/files/snapshot.h"
#include "sim/playback/keyframe_store.h"

namespace pericenter {

/// The snapshots of the series that `path` belongs to, sorted by number: files in the same folder whose names differ in
/// one number only, such as snap_000.hdf5, snap_001.hdf5, or the files of the same name or number in numbered folders,
/// such as snapdir_000/snapshot_000.0.hdf5, snapdir_001/snapshot_001.0.hdf5. A snapshot split over several files,
/// snap_000.0.hdf5, snap_000.1.hdf5, is listed once, by its first file. Only `path` when there are no others.
std::vector<std::string> series_of(const std::string& path);

/// The file by which a folder is opened that contains one snapshot, or with `plays` one series of them, itself or in
/// its folders: output_00012/info_00012.txt (RAMSES), snapdir_010/snap_010.0.hdf5; beside the only snapshot of the
/// folder, its start, too. `path` itself if it is no folder. Throws InputError, whose text starts with the path and
/// says which file to name.
std::string file_of_folder(const std::string& path, bool plays);

/// The files without those that are further parts of a snapshot of which the first part is among them.
std::vector<std::string> without_further_parts(std::vector<std::string> paths);

/// The files that exist of the snapshot whose first file this is.
std::vector<std::string> files_of_snapshot(const std::string& path);

/// The first snapshot of a series as a scene, and the conversion of the others to the same scene.
struct SeriesScene {
  LoadedScene loaded;                       ///< its bodies in the order of the file
  std::function<Bodies(Snapshot)> convert;  ///< converts a snapshot in the units of the first one
  double time_unit = 1;                     ///< time unit of the scene, in units of the first snapshot
  std::function<PeriodicBox(const Snapshot&)> box =
      {};  ///< periodic volume of a snapshot in the units of the first one
  PeriodicBox first_box = {};
};

/// Functions that read a series; tests replace them.
struct SeriesReader {
  /// Throws InputError whose text starts with the path, and SceneCancelled.
  std::function<Snapshot(const std::string& path, const Progress& progress)> read;
  /// Time of a snapshot in its own units. Throws as `read` does.
  std::function<double(const std::string& path)> time;
  /// Throws InputError.
  std::function<SeriesScene(Snapshot first)> scene;
  /// Lists the series again, to follow it as it grows; null: it cannot be followed.
  std::function<std::vector<std::string>()> list = {};
  std::shared_ptr<FieldChoice> field = {};      ///< what `read` reads; null: no fields
  std::chrono::milliseconds look_period{1000};  ///< SeriesWatch::Access::period
};

/// The snapshot converted to other units. Throws InputError when only one of the two units is known.
Snapshot in_units(const FileUnits& units, Snapshot snapshot);

/// A playback of these files, sorted by time; its note lists the skipped ones. Reads the first two. Throws InputError
/// when fewer than two can be read, and SceneCancelled. With `follow`, files that cannot be read and the last one,
/// which may be incomplete, are left to its SeriesWatch, and one file suffices.
LoadedScene load_series(std::vector<std::string> paths, const SeriesReader& reader, const Progress& progress,
                        bool follow = false);

/// Suggested time step of a playback; nullopt with one snapshot.
std::optional<double> playback_dt(const TimeRange& range);

/// A series as a Playback: shows the bodies at any time between the first and the last snapshot, interpolated between
/// the two nearest ones. It holds at most three snapshots in memory and reads ahead on a background thread. If the
/// files are all of series_of(), it can be followed.
SceneSource series_source(const std::vector<std::string>& files, const ReadOptions& options, bool follow = false);

}  // namespace pericenter
