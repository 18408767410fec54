#pragma once

#include "sim/scenes/registry.h"

namespace pericenter {

// The makers of the scene table's rows; call them through find_scene().
Scene make_collision(const SceneRequest& request);
Scene make_galaxy(const SceneRequest& request);
Scene make_plummer(const SceneRequest& request);
Scene make_uniform(const SceneRequest& request);
Scene make_two_body(const SceneRequest& request);

}  // namespace pericenter
