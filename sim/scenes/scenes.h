#pragma once

#include "sim/scenes/registry.h"

namespace pericenter {

// They merge within a lesson: first pericentre at 19.4 (270 Myr), tails and a bridge at 28 (390 Myr), second pericentre
// at 60.
inline constexpr Encounter kCollision = {
    .orbit = {.pericenter = 4, .eccentricity = 1, .separation = 25},
    .first = {0, 0},
    .second = {71, 30},
    .speed_factor = 0.74,
};

// The makers of the scene table's rows; call them through find_scene().
Scene make_collision(const SceneRequest& request);
Scene make_galaxy(const SceneRequest& request);
Scene make_plummer(const SceneRequest& request);
Scene make_uniform(const SceneRequest& request);
Scene make_two_body(const SceneRequest& request);

}  // namespace pericenter
