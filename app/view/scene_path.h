#pragma once

#include <vector>

#include "app/view/camera_control.h"
#include "sim/session/session_state.h"

namespace pericenter::app {

/// The camera path of a scene, for path_pose() with the time of the run in scene units. An encounter has an approach
/// (wide, the galaxies side by side), the passage (close and low), the tails (the suggested view of the scene, or
/// towards the plane of the orbit; then wider) and the merger (close); a single galaxy is seen from several sides.
/// Empty if the scene has none: other scenes, two dimensions, bodies from a file.
std::vector<CameraKey> scene_path(const SessionState& state);

}  // namespace pericenter::app
