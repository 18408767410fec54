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

// The encounters of Toomre and Toomre 1972 (10.1086/151823) in their units, but the ring, which is of their kind. The
// Antennae and the Mice begin at the apocentre.
inline constexpr Encounter kToomreAntennae = {
    .orbit = {.pericenter = 1, .eccentricity = 0.5, .separation = 3}, .first = {60, -30}, .second = {60, -30}};
inline constexpr Encounter kToomreMice = {
    .orbit = {.pericenter = 1, .eccentricity = 0.6, .separation = 4}, .first = {15, -90}, .second = {60, -90}};
inline constexpr Encounter kToomreM51 = {.orbit = {.pericenter = 1, .eccentricity = 0.8, .separation = 2.6},
                                         .first = {-70, -15},
                                         .second = {-60, -30},
                                         .mass_ratio = 1.0 / 3};
inline constexpr Encounter kToomreDirect = {
    .orbit = {.pericenter = 1, .eccentricity = 1, .separation = 3}, .first = {}, .second = {}};
inline constexpr Encounter kToomreRetrograde = {
    .orbit = {.pericenter = 1, .eccentricity = 1, .separation = 3}, .first = {180, 0}, .second = {180, 0}};
inline constexpr Encounter kToomreRing = {.orbit = {.pericenter = 0.001, .eccentricity = 1, .separation = 2},
                                          .first = {90, 90},
                                          .second = {},
                                          .mass_ratio = 0.4};

// The makers of the scene table's rows; call them through find_scene().
Scene make_cold_collapse(const SceneRequest& request);
Scene make_collision(const SceneRequest& request);
Scene make_figure_eight(const SceneRequest& request);
Scene make_galaxy(const SceneRequest& request);
Scene make_plummer(const SceneRequest& request);
Scene make_uniform(const SceneRequest& request);
Scene make_two_body(const SceneRequest& request);
Scene make_holmberg(const SceneRequest& request);
Scene make_lattice(const SceneRequest& request);
Scene make_random_masses(const SceneRequest& request);
Scene make_solar_system(const SceneRequest& request);
Scene make_toomre_antennae(const SceneRequest& request);
Scene make_toomre_direct(const SceneRequest& request);
Scene make_toomre_m51(const SceneRequest& request);
Scene make_toomre_mice(const SceneRequest& request);
Scene make_toomre_retrograde(const SceneRequest& request);
Scene make_toomre_ring(const SceneRequest& request);

}  // namespace pericenter
