#pragma once

#include <string>
#include <vector>

#include "sim/scene_source.h"

namespace pericenter {

/// The snapshots that belong to the series of `path`, in the order of their numbers: files beside it whose names differ
/// in one number only, such as snap_000.hdf5, snap_001.hdf5. Just `path` when there are no others.
std::vector<std::string> series_of(const std::string& path);

/// Plays a series: the simulation that it loads shows the bodies at any moment between the first and the last snapshot,
/// interpolated between the two nearest ones (cubic, from positions and velocities). It holds three snapshots in memory
/// at most, and reads ahead on a thread of its own.
SceneSource series_source(const std::vector<std::string>& paths, bool skip_bad);

}  // namespace pericenter
