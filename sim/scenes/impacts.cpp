#include "sim/scenes/galaxy_scenes.h"
#include "sim/scenes/scenes.h"

namespace pericenter {

Scene make_cartwheel(const SceneRequest& request) {
  // A cool disc, so that the ring is thin; an intruder wide enough to leave it in one piece, most of it dark.
  constexpr GalaxyModel kTarget = {.disc = {.toomre_q = 1}, .halo = {6, 6, 40}};
  constexpr GalaxyModel kIntruder = {
      .disc = {.mass = 0}, .bulge = {0.03, 0.5, 10}, .halo = {1, 2, 40, SphereProfile::plummer}};
  return with_pair(request,
                   {.params = {.dt = 0.03, .softening = 0.1},
                    .units = kDiscUnits,
                    .view_radius = 12,
                    .angles = ViewAngles{.yaw = -35, .pitch = 30},
                    .highlight_time = 20},
                   {kTarget, kIntruder}, kCartwheel);
}

Scene make_minor_merger(const SceneRequest& request) {
  // Few stars in much dark matter and a satellite that dissolves at once, so that the shells are seen.
  constexpr GalaxyModel kElliptical = {.disc = {.mass = 0}, .bulge = {0.15, 0.3, 30}};
  constexpr GalaxyModel kSatellite = lone_sphere({1, 5, 100, SphereProfile::plummer});
  return with_pair(request,
                   {.params = {.dt = 0.05, .softening = 0.1},
                    .units = kDiscUnits,
                    .view_radius = 9.5,
                    .angles = ViewAngles{.yaw = -90, .pitch = 60},
                    .highlight_time = 50},
                   {kElliptical, kSatellite}, kMinorMerger);
}

}  // namespace pericenter
