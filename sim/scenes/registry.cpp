#include "sim/scenes/registry.h"

#include <algorithm>
#include <array>

#include "sim/scenes/scenes.h"

namespace pericenter {
namespace {

constexpr std::array<SceneInfo, 5> kScenes = {{
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
