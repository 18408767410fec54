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

// The same orbit, but both discs turn against it: stars that do not keep pace with the companion make no tails (Toomre
// and Toomre 1972, 10.1086/151823).
inline constexpr Encounter kRetrograde = {
    .orbit = kCollision.orbit,
    .first = {180, 0},
    .second = {150, 30},
    .speed_factor = kCollision.speed_factor,
};

// Discs as in figure 23 of Toomre and Toomre 1972; pericentre (10.4 kpc) and eccentricity after Karl et al. 2010
// (10.1088/2041-8205/715/2/L88). A slower start than that orbit's, so that they are close again while the tails last,
// is a choice. First pericentre at 32.
inline constexpr Encounter kAntennae = {
    .orbit = {.pericenter = 3, .eccentricity = 0.96, .separation = 30},
    .first = {60, -30},
    .second = {60, -30},
    .speed_factor = 0.88,
};

// Discs as in figure 22 of Toomre and Toomre 1972; pericentre (14.8 kpc), parabola and start (100 kpc) after Privon et
// al. 2013 (10.1088/0004-637X/771/2/120), who see the picture 175 Myr after the pericentre, which is at 28 here.
inline constexpr Encounter kMice = {
    .orbit = {.pericenter = 4.23, .eccentricity = 1, .separation = 28.6},
    .first = {15, -90},
    .second = {60, -90},
    .speed_factor = 0.97,
};

// A bound passage along the disc's turning, after Salo and Laurikainen 2000 (10.1046/j.1365-8711.2000.03650.x); the
// numbers are choices. The companion turns against the orbit, so that it has no tail of its own. Pericentre at 19.
inline constexpr Encounter kM51 = {
    .orbit = {.pericenter = 4, .eccentricity = 0.8, .separation = 15},
    .first = {20, 0},
    .second = {120, 0},
    .mass_ratio = 0.35,
};

// M31 moves at (66, -76, 45) km/s at (-379, 613, -283) kpc from us (van der Marel et al. 2012,
// 10.1088/0004-637X/753/1/8): only the last 112 kpc of this fall are shown. The spins, with that of M31 towards l =
// 240, b = -30 degrees, are those two discs'; that M31 weighs one and a half times as much is within what is known.
// First pericentre at 20.
inline constexpr Encounter kMilkyWayAndromeda = {
    .orbit = {.pericenter = 2.8, .eccentricity = 0.988, .separation = 32},
    .first = {28, -60},
    .second = {70, -177},
    .mass_ratio = 1.5,
};

// Through the middle along the axis, a little beside it, as the off-centre nucleus demands (Lynds and Toomre 1976,
// ApJ 209, 382). The numbers are choices. Impact at 10.
inline constexpr Encounter kCartwheel = {
    .orbit = {.pericenter = 0.3, .eccentricity = 1, .separation = 13},
    .first = {90, 90},
    .second = {},
    .mass_ratio = 0.3,
};

// A radial fall, the way to shells (Quinn 1984, 10.1086/161924; Hernquist and Quinn 1988, 10.1086/166592). Nearly from
// rest, so that the shells stay within the picture, which is a choice.
inline constexpr Encounter kMinorMerger = {
    .orbit = {.pericenter = 0, .eccentricity = 1, .separation = 8},
    .first = {},
    .second = {},
    .speed_factor = 0.05,
    .mass_ratio = 0.02,
};

// From the distance at which they hardly touch, as fast as on a parabola.
inline constexpr Encounter kHeadOn = {
    .orbit = {.pericenter = 0, .eccentricity = 1, .separation = 5},
    .first = {},
    .second = {},
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
Scene make_retrograde(const SceneRequest& request);
Scene make_antennae(const SceneRequest& request);
Scene make_mice(const SceneRequest& request);
Scene make_m51(const SceneRequest& request);
Scene make_milky_way_andromeda(const SceneRequest& request);
Scene make_cartwheel(const SceneRequest& request);
Scene make_minor_merger(const SceneRequest& request);
Scene make_head_on(const SceneRequest& request);
Scene make_unstable_disc(const SceneRequest& request);
Scene make_bar(const SceneRequest& request);
Scene make_hernquist(const SceneRequest& request);
Scene make_nfw(const SceneRequest& request);
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
