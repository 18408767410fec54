#include "sim/scenes/registry.h"

#include <algorithm>
#include <iterator>

#include "sim/scenes/scenes.h"

namespace pericenter {
namespace {

constexpr SceneInfo kScenes[] = {
    {.name = "collision",
     .title = "Galaxy collision",
     .summary = "Two disc galaxies with bulges and dark halos meet, throw out tails, and merge.",
     .group = SceneGroup::encounters,
     .make = make_collision,
     .encounter = &kCollision},
    {.name = "antennae",
     .title = "The Antennae",
     .summary = "Two equal discs meet on a slow orbit and throw out the two long crossed tails of NGC 4038 and 4039: "
                "tides alone draw such tails, out of stars that were part of the discs.",
     .group = SceneGroup::encounters,
     .make = make_antennae,
     .encounter = &kAntennae},
    {.name = "mice",
     .title = "The Mice",
     .summary = "NGC 4676: two discs just after their first passage. One tail lies edge-on to us and looks straight, "
                "the other shows its curve: the same shape, seen from another side.",
     .group = SceneGroup::encounters,
     .make = make_mice,
     .encounter = &kMice},
    {.name = "m51",
     .title = "Whirlpool (M51)",
     .summary = "A companion with less than half the mass passes along one side of a disc and leaves it with two open "
                "spiral arms and a bridge, as in M51: a passing neighbour can make a grand spiral.",
     .group = SceneGroup::encounters,
     .make = make_m51,
     .encounter = &kM51},
    {.name = "cartwheel",
     .title = "Cartwheel ring",
     .summary = "A small galaxy falls straight through the middle of a disc. Its pull draws all stars inwards; they "
                "rebound together, and a ring runs outwards through the disc like a wave on a pond.",
     .group = SceneGroup::encounters,
     .make = make_cartwheel,
     .encounter = &kCartwheel},
    {.name = "milky-way-andromeda",
     .title = "Milky Way and Andromeda",
     .summary = "Our own future in some four billion years, from the measured motion of M31: the two discs pass, throw "
                "out tails, fall back, and end as one elliptical galaxy.",
     .group = SceneGroup::encounters,
     .make = make_milky_way_andromeda,
     .encounter = &kMilkyWayAndromeda},
    {.name = "minor-merger",
     .title = "Minor merger with shells",
     .summary =
         "A dwarf falls straight into an elliptical galaxy and dissolves. Its stars pile up where they turn back: "
         "shells on both sides, best seen with colours by origin, which tell of the meal for billions of years.",
     .group = SceneGroup::encounters,
     .make = make_minor_merger,
     .encounter = &kMinorMerger},
    {.name = "retrograde",
     .title = "Retrograde twin",
     .summary = "The default collision on the same orbit, but both discs turn the other way: hardly any tails. Compare "
                "the two: tails need stars that keep pace with the passing galaxy.",
     .group = SceneGroup::encounters,
     .make = make_retrograde,
     .encounter = &kRetrograde},
    {.name = "head-on",
     .title = "Head-on spheres",
     .summary = "Two round star clusters fall straight at each other, pass through each other without a single impact, "
                "and fall back to become one. In Henon units.",
     .group = SceneGroup::encounters,
     .make = make_head_on,
     .encounter = &kHeadOn},
    {.name = "galaxy",
     .title = "Galaxy",
     .summary = "One disc galaxy with bulge and dark halo, in equilibrium: it turns and stays as it is.",
     .group = SceneGroup::galaxies,
     .make = make_galaxy},
    {.name = "unstable-disc",
     .title = "Unstable cold disc",
     .summary = "A galaxy whose stars hardly deviate from circles (Toomre's Q well below 1): it cannot resist its own "
                "gravity and breaks into arms and clumps within a turn.",
     .group = SceneGroup::galaxies,
     .make = make_unstable_disc},
    {.name = "bar",
     .title = "Disc that grows a bar",
     .summary = "A disc with hardly any dark halo: within about two turns its stars gather in a bar. That such discs "
                "do not stay round was the first hint that galaxies need halos.",
     .group = SceneGroup::galaxies,
     .make = make_bar},
    {.name = "plummer",
     .title = "Plummer sphere",
     .summary = "A round star cluster in equilibrium, the usual test of N-body codes, in Henon units.",
     .group = SceneGroup::clusters,
     .make = make_plummer},
    {.name = "hernquist",
     .title = "Hernquist sphere",
     .summary =
         "A round galaxy with a steep centre, in equilibrium: it looks like an elliptical, and must stay as it is.",
     .group = SceneGroup::clusters,
     .make = make_hernquist},
    {.name = "nfw",
     .title = "NFW halo",
     .summary = "The halo of dark matter that simulations of the universe form, drawn as if it were stars: in "
                "equilibrium, with a cusp in the middle.",
     .group = SceneGroup::clusters,
     .make = make_nfw},
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
};

}  // namespace

std::span<const SceneInfo> scenes() {
  return kScenes;
}

const SceneInfo* find_scene(std::string_view name) {
  const auto found =
      std::find_if(std::begin(kScenes), std::end(kScenes), [&](const SceneInfo& info) { return info.name == name; });
  return found == std::end(kScenes) ? nullptr : &*found;
}

}  // namespace pericenter
