#include "sim/scenes/galaxy_scene.h"

namespace pericenter {
namespace {

constexpr ViewAngles kFaceOn = {.yaw = -90, .pitch = 90};

constexpr GalaxyScene kGalaxies[] = {
    {.name = "galaxy",
     .title = "Galaxy",
     .summary = "One disc galaxy with bulge and dark halo in equilibrium: it rotates. In long runs, few "
                "bodies thicken the disc.",
     .caption = "One galaxy, in balance: its stars circle the centre, and the disc stays.",
     .group = SceneGroup::galaxies,
     .dt = 1.0 / 16,
     .softening = 0.05,
     .view_radius = 7},
    // Toomre 1964, doi:10.1086/147861: below Q = 1 rings collapse. The disc is thin, because thickness stabilises too.
    {.name = "unstable-disc",
     .title = "Unstable cold disc",
     .summary =
         "A galaxy whose stars move on nearly circular orbits (Toomre's Q far below 1). Its own gravity breaks it "
         "up into arms and clumps within one rotation.",
     .caption = "All stars start on nearly perfect circles. Does the disc stay smooth?",
     .highlight_caption = "The disc has broken up into arms and clumps: its own gravity pulled them together.",
     .group = SceneGroup::galaxies,
     .first = {.disc = {.height = 0.06, .toomre_q = 0.4, .arms = {.number = 0}}, .even = false},
     .dt = 1.0 / 32,
     .softening = 0.05,
     .view_radius = 6,
     .angles = kFaceOn,
     .highlight_time = 12},
    // Swing amplification (Toomre 1981, in The Structure and Evolution of Normal Galaxies, 111; Sellwood and Carlberg
    // 1984, doi:10.1086/162176). The disc has most of the attraction inside R = 3, which favours two arms. It is as
    // thick and softened as needed for 20,000 bodies: their noise would otherwise make many short arms. A slightly oval
    // disc, as in `bar`, makes arms grow equally fast for any number. No stars are marked: every arm is one of
    // gravity's.
    {.name = "spiral",
     .title = "Spiral arms that grow",
     .summary =
         "A cool disc (Toomre's Q of 0.9, and thick) that starts smooth and hardly oval. Gravity and rotation "
         "amplify small differences into two large spiral arms within one rotation; in their middle a bar forms.",
     .caption = "A cool, smooth disc. No arm is drawn into it. Will there be any?",
     .highlight_caption =
         "Spiral arms, made by gravity alone: it gathers stars where by chance there are a few more, and "
         "the rotation draws these crowds out into arms.",
     .group = SceneGroup::galaxies,
     .first = {.disc = {.height = 0.1, .toomre_q = 0.9, .arms = {.number = 0}},
               .bulge = {0.1, 0.43, 20},
               .halo = {4, 6, 40},
               .even = false},
     .stretch = {1.05, 0.95, 1},
     .dt = 1.0 / 16,
     .softening = 0.1,
     .view_radius = 5.5,
     .angles = kFaceOn,
     .highlight_time = 14},
    // The disc has so little mass that its stars hardly disturb each other and move on nearly circular orbits.
    {.name = "winding-arms",
     .title = "Arms that wind up",
     .summary =
         "The young stars of a light, cold disc start on two open arms. They move as all stars do, and the inner ones "
         "are faster: the arms wind up. Galaxies have arms after dozens of turns, so these cannot keep the same stars.",
     .caption =
         "The blue stars form two arms. All stars circle the centre, the inner ones in less time. What becomes of "
         "the arms?",
     .highlight_caption =
         "The arms have wound up. Real galaxies still have arms after many turns, so these cannot keep the same "
         "stars.",
     .group = SceneGroup::galaxies,
     .first = {.disc = {.mass = 0.2, .height = 0.08, .toomre_q = 1.2, .arms = {.pitch = 35}},
               .bulge = {.mass = 0},
               .halo = {3, 2.2, 40}},
     .dt = 1.0 / 16,
     .softening = 0.08,
     .view_radius = 5.5,
     .angles = kFaceOn,
     .highlight_time = 12},
    // Ostriker and Peebles 1973, doi:10.1086/152513. A bar grows out of noise, which decreases with the number of
    // bodies; a slightly oval disc makes it grow equally fast for any number. A halo of stars that move delays a bar,
    // but can make it stronger in the end (Athanassoula 2005, arXiv:astro-ph/0504664).
    {.name = "bar",
     .title = "Disc that grows a bar",
     .summary = "A disc without a dark halo: within about two rotations its stars form a bar. In 1973 this was an "
                "argument for dark halos. Today it is known that discs in halos form bars, too, mostly later.",
     .caption = "A galaxy without a dark halo. Does it stay round?",
     .highlight_caption = "The stars have formed a bar. Discs in dark halos form bars, too, but mostly later.",
     .group = SceneGroup::galaxies,
     .first =
         {.disc = {.toomre_q = 1, .arms = {.number = 0}}, .bulge = {.mass = 0}, .halo = {.mass = 0}, .even = false},
     .stretch = {1.03, 0.97, 1},
     .dt = 1.0 / 32,
     .softening = 0.05,
     .view_radius = 6,
     .angles = kFaceOn,
     .highlight_time = 40,
     .story = {.radius = 6.8}},
    {.name = "hernquist",
     .title = "Hernquist sphere",
     .summary = "A spherical galaxy with a steep centre in equilibrium. It looks like an elliptical galaxy and must "
                "keep its shape.",
     .caption = "A round galaxy: every star moves, and the shape stays the same.",
     .group = SceneGroup::clusters,
     .first = lone_sphere({1, 1, 14}),
     .dt = 1.0 / 16,
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
     .dt = 1.0 / 16,
     .softening = 0.03,
     .units = {},
     .view_radius = 10},
};

}  // namespace

std::vector<SceneInfo> isolated_galaxies_scenes() {
  return scenes_of(kGalaxies);
}

}  // namespace pericenter
