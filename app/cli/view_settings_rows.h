#pragma once

#include "app/cli/settings_table.h"

namespace pericenter::app {

// Rows of a scene string that say how it is seen, each of a kind of its own.

SceneRow theme_row();
/// Which levels of the tree are drawn.
SceneRow levels_row();
/// The ends of the colour map, where they are kept.
SceneRow range_row();
SceneRow follow_row();
/// As in a file of cameras: target, yaw and pitch in radians, distance.
SceneRow camera_row();

}  // namespace pericenter::app
