#include "sim/scenes/galaxy_scene.h"

namespace pericenter {
namespace {

constexpr ViewAngles kFaceOn = {.yaw = -90, .pitch = 90};

constexpr GalaxyScene kGalaxies[] = {
    {.name = "galaxy",
     .title = "Galaxy",
     .summary = "One disc galaxy with bulge and dark halo in equilibrium: it rotates. In long runs, few "
                "bodies thicken the disc.",
     .caption = "One galaxy, at rest with itself: its stars circle the centre, and the disc stays.",
     .group = SceneGroup::galaxies,
     .dt = 0.02,
     .softening = 0.05,
     .view_radius = 7},
    // Toomre 1964, 10.1086/147861: below Q = 1 rings collapse. The disc is thin, because thickness stabilises too.
    {.name = "unstable-disc",
     .title = "Unstable cold disc",
     .summary =
         "A galaxy whose stars move on nearly circular orbits (Toomre's Q far below 1). Its own gravity breaks it "
         "up into arms and clumps within one rotation.",
     .caption = "All stars start on nearly perfect circles. Does the disc stay smooth?",
     .highlight_caption = "The disc has broken up into arms and clumps: its own gravity pulled them together.",
     .group = SceneGroup::galaxies,
     .first = {.disc = {.height = 0.06, .toomre_q = 0.4}},
     .dt = 0.02,
     .softening = 0.05,
     .view_radius = 6,
     .angles = kFaceOn,
     .highlight_time = 12},
    // Ostriker and Peebles 1973, 10.1086/152513. A bar grows out of noise, which decreases with the number of bodies; a
    // slightly oval disc makes it grow equally fast for any number.
    {.name = "bar",
     .title = "Disc that grows a bar",
     .summary = "A disc without a dark halo: within about two rotations its stars form a bar. That such discs do not "
                "stay round was the first evidence that galaxies need halos.",
     .caption = "A galaxy without a dark halo. Does it stay round?",
     .highlight_caption = "The stars have formed a bar. A heavy dark halo would have kept the disc round.",
     .group = SceneGroup::galaxies,
     .first = {.disc = {.toomre_q = 1}, .bulge = {.mass = 0}, .halo = {.mass = 0}},
     .stretch = {1.03, 0.97, 1},
     .dt = 0.03,
     .softening = 0.05,
     .view_radius = 6,
     .angles = kFaceOn,
     .highlight_time = 40},
    {.name = "hernquist",
     .title = "Hernquist sphere",
     .summary = "A spherical galaxy with a steep centre in equilibrium. It looks like an elliptical galaxy and must "
                "keep its shape.",
     .caption = "A round galaxy: every star moves, and the shape stays the same.",
     .group = SceneGroup::clusters,
     .first = lone_sphere({1, 1, 14}),
     .dt = 0.01,
     .softening = 0.03,
     .units = {},
     .view_radius = 8},
    // Concentration 10, as that of halos like the Milky Way's.
    {.name = "nfw",
     .title = "NFW halo",
     .summary = "The dark halo that cosmological simulations form, drawn as if it consisted of stars: in equilibrium, "
                "with a cusp in the centre.",
     .caption = "Dark matter, drawn as if it shone: the invisible halo around a galaxy.",
     .group = SceneGroup::clusters,
     .first = lone_sphere({1, 1, 10, SphereProfile::nfw}),
     .dt = 0.02,
     .softening = 0.03,
     .units = {},
     .view_radius = 10},
};

}  // namespace

std::vector<SceneInfo> isolated_galaxies_scenes() {
  return scenes_of(kGalaxies);
}

}  // namespace pericenter
