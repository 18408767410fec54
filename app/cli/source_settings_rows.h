#pragma once

#include "app/cli/settings_table.h"

namespace pericenter::app {

// Rows of a scene string that say which bodies it begins with, each of a kind of its own.

SceneRow file_row();
SceneRow series_row();
SceneRow scene_row();
SceneRow bodies_row();
SceneRow seed_row();
SceneRow dimension_row();

}  // namespace pericenter::app
