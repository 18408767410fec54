#pragma once

#include <string>
#include <vector>

#include "sim/files/scene_source.h"
#include "sim/files/snapshot.h"

namespace pericenter {

/// Reads a snapshot of any format of file_formats(). If the snapshot consists of several files, reads all of them.
/// Throws InputError, whose text starts with the path, and SceneCancelled.
Snapshot read_snapshot(const std::string& path, const ReadOptions& options);

/// Converts a snapshot to a scene around its centre of mass, in units with G = 1 in which size and mass are about 1,
/// with a suggested softening, time step and view. Snapshots saved by Pericenter are returned unchanged. Throws
/// InputError if there are no bodies or if their range exceeds what doubles can represent. Zero mass is valid.
LoadedScene scene_of(Snapshot snapshot);

/// Loads a file by read_snapshot() and scene_of().
SceneSource file_source(const std::string& path, bool skip_bad);

}  // namespace pericenter
