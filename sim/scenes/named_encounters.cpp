#include "sim/scenes/galaxy_scenes.h"
#include "sim/scenes/scenes.h"

namespace pericenter {
namespace {

// As fast within the disc as the default galaxy, with a third of its dark mass: heavy halos hold tails back (Dubinski,
// Mihos and Hernquist 1996, 10.1086/177174).
constexpr GalaxyModel kLightHalo = {.disc = {}, .halo = {6, 6, 40}};
constexpr GalaxyPair kLightPair = {kLightHalo, kLightHalo};

}  // namespace

Scene make_antennae(const SceneRequest& request) {
  return with_pair(request,
                   {.params = {.dt = 0.05, .softening = 0.1},
                    .units = kDiscUnits,
                    .view_radius = 19,
                    .angles = ViewAngles{.yaw = -70, .pitch = 3},
                    .highlight_time = 57},
                   kLightPair, kAntennae);
}

Scene make_mice(const SceneRequest& request) {
  // Along the plane of the first disc.
  return with_pair(request,
                   {.params = {.dt = 0.05, .softening = 0.1},
                    .units = kDiscUnits,
                    .view_radius = 18,
                    .angles = ViewAngles{.yaw = -12, .pitch = 15},
                    .highlight_time = 42.5},
                   kLightPair, kMice);
}

Scene make_m51(const SceneRequest& request) {
  return with_pair(request,
                   {.params = {.dt = 0.04, .softening = 0.1},
                    .units = kDiscUnits,
                    .view_radius = 14,
                    .angles = ViewAngles{.yaw = -90, .pitch = 75},
                    .highlight_time = 26.5},
                   kLightPair, kM51);
}

Scene make_milky_way_andromeda(const SceneRequest& request) {
  return with_pair(request,
                   {.params = {.dt = 0.04, .softening = 0.1},
                    .units = kDiscUnits,
                    .view_radius = 22,
                    .angles = ViewAngles{.yaw = 105, .pitch = 45},
                    .highlight_time = 33},
                   {}, kMilkyWayAndromeda);
}

}  // namespace pericenter
