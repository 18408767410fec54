#pragma once

#include <string>
#include <vector>

#include "sim/files/scene_source.h"
#include "sim/files/snapshot.h"

namespace pericenter {

/// The snapshot in a file of any format of file_formats(), with the further files of a snapshot in several.
/// Throws InputError, whose text begins with the file, and SceneCancelled.
Snapshot read_snapshot(const std::string& path, const ReadOptions& options);

/// A snapshot as a scene: in units with G = 1 in which it is about 1 in size and mass, about its centre of mass, with a
/// softening, a step and a view that suit it. One of our own stays exactly as it was saved.
/// Throws InputError where it makes no sense: no mass at all is fine, a negative one or a span that doubles cannot hold
/// is not.
LoadedScene scene_of(Snapshot snapshot);

/// Loads read_snapshot() as a scene.
SceneSource file_source(const std::string& path, bool skip_bad);

}  // namespace pericenter
