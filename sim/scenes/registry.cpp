#include "sim/scenes/registry.h"

#include <algorithm>
#include <array>

#include "sim/scenes/scenes.h"

namespace pericenter {
namespace {

constexpr std::array<SceneInfo, 17> kScenes = {{
    {.name = "collision",
     .title = "Galaxy collision",
     .summary = "Two disc galaxies with bulges and dark halos meet, throw out tails, and merge.",
     .group = SceneGroup::encounters,
     .make = make_collision,
     .encounter = &kCollision},
    {.name = "galaxy",
     .title = "Galaxy",
     .summary = "One disc galaxy with bulge and dark halo, in equilibrium: it turns and stays as it is.",
     .group = SceneGroup::galaxies,
     .make = make_galaxy},
    {.name = "plummer",
     .title = "Plummer sphere",
     .summary = "A round star cluster in equilibrium, the usual test of N-body codes, in Henon units.",
     .group = SceneGroup::clusters,
     .make = make_plummer},
    {.name = "uniform",
     .title = "Uniform cube",
     .summary = "Bodies at rest, spread evenly over a cube (a square in 2D), collapse under their own weight.",
     .group = SceneGroup::textbook,
     .make = make_uniform},
    {.name = "two-body",
     .title = "Two bodies",
     .summary =
         "Two bodies on a Kepler ellipse of eccentricity 0.5: what the integrator gets wrong can be seen at once.",
     .group = SceneGroup::few_bodies,
     .min_bodies = 2,
     .fixed_bodies = 2,
     .make = make_two_body},
    {.name = "toomre-antennae",
     .title = "Toomre: the Antennae",
     .summary =
         "The Antennae as Toomre and Toomre drew them in 1972: two points pull at rings of test bodies that weigh "
         "nothing. Two crossed tails come out, so tides alone make them.",
     .group = SceneGroup::restricted,
     .min_bodies = 2,
     .make = make_toomre_antennae,
     .encounter = &kToomreAntennae},
    {.name = "toomre-mice",
     .title = "Toomre: the Mice",
     .summary =
         "NGC 4676 as Toomre and Toomre saw it in 1972, almost along the plane of the orbit: one tail looks straight "
         "because its disc is seen from the edge.",
     .group = SceneGroup::restricted,
     .min_bodies = 2,
     .make = make_toomre_mice,
     .encounter = &kToomreMice},
    {.name = "toomre-m51",
     .title = "Toomre: M51",
     .summary =
         "The Whirlpool by test bodies, after Toomre and Toomre 1972: a companion of a third of the mass draws two "
         "open arms out of the disc that it passes, one of them a bridge to it.",
     .group = SceneGroup::restricted,
     .min_bodies = 2,
     .make = make_toomre_m51,
     .encounter = &kToomreM51},
    {.name = "toomre-direct",
     .title = "Toomre: direct passage",
     .summary =
         "A mass passes a disc of test bodies in the sense in which the disc turns. It keeps pace with the outer "
         "ones and pulls out a bridge and a long tail; compare it with the retrograde passage.",
     .group = SceneGroup::restricted,
     .min_bodies = 2,
     .make = make_toomre_direct,
     .encounter = &kToomreDirect},
    {.name = "toomre-retrograde",
     .title = "Toomre: retrograde passage",
     .summary =
         "The same passage against the turning of the disc: no test body stays long beside the mass, and there are "
         "no tails.",
     .group = SceneGroup::restricted,
     .min_bodies = 2,
     .make = make_toomre_retrograde,
     .encounter = &kToomreRetrograde},
    {.name = "toomre-ring",
     .title = "Toomre: ring",
     .summary =
         "A mass falls through the middle of a disc of test bodies. All are drawn inwards at once and rebound, the "
         "inner ones first: a ring runs outwards, as in the Cartwheel.",
     .group = SceneGroup::restricted,
     .min_bodies = 2,
     .make = make_toomre_ring,
     .encounter = &kToomreRing},
    {.name = "holmberg",
     .title = "Holmberg's lamps (1941)",
     .summary = "Two galaxies of 37 lamps, moved by hand in 1941 with light in place of gravity: the first N-body "
                "simulation. They raise tides, trade lamps and capture each other.",
     .group = SceneGroup::few_bodies,
     .min_bodies = 74,
     .fixed_bodies = 74,
     .make = make_holmberg},
    {.name = "figure-eight",
     .title = "Figure eight",
     .summary =
         "Three equal bodies chase each other along one figure of eight, for ever: a solution found by Chenciner and "
         "Montgomery in 2000. Turn the trails on; a softening above 0 spoils it.",
     .group = SceneGroup::few_bodies,
     .min_bodies = 3,
     .fixed_bodies = 3,
     .make = make_figure_eight},
    {.name = "solar-system",
     .title = "Solar system",
     .summary =
         "The sun and the eight planets where they were on 1 January 2000, and a belt of random asteroids that weigh "
         "nothing. In AU and years (G = 1, the sun's mass is 1).",
     .group = SceneGroup::few_bodies,
     .min_bodies = 9,
     .make = make_solar_system},
    {.name = "cold-collapse",
     .title = "Cold collapse",
     .summary = "A ball of stars, almost at rest, falls in on itself and comes to rest as a dense core in a wide halo: "
                "violent relaxation, which is over within one fall.",
     .group = SceneGroup::textbook,
     .make = make_cold_collapse},
    {.name = "lattice",
     .title = "Lattice",
     .summary =
         "Bodies at rest on a regular lattice (complete when their number is a cube, in 2D a square): as it collapses "
         "it keeps its symmetry, and shows any that a solver breaks.",
     .group = SceneGroup::textbook,
     .make = make_lattice},
    {.name = "random-masses",
     .title = "Random masses in a square",
     .summary =
         "Bodies of random masses spread over a square sheet that turns slowly, the textbook case of the quadtree: "
         "best in 2D. Heavy ones gather light ones, and clumps merge.",
     .group = SceneGroup::textbook,
     .make = make_random_masses},
}};

}  // namespace

std::span<const SceneInfo> scenes() {
  return kScenes;
}

const SceneInfo* find_scene(std::string_view name) {
  const auto found =
      std::find_if(kScenes.begin(), kScenes.end(), [&](const SceneInfo& info) { return info.name == name; });
  return found == kScenes.end() ? nullptr : &*found;
}

}  // namespace pericenter
