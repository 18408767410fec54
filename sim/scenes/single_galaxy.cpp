#include "sim/scenes/galaxy_scenes.h"
#include "sim/scenes/scenes.h"

namespace pericenter {
namespace {

constexpr ViewAngles kFaceOn = {.yaw = -90, .pitch = 90};

}  // namespace

Scene make_galaxy(const SceneRequest& request) {
  return with_galaxy(
      request, {.params = {.dt = 0.03, .softening = 0.05}, .units = kDiscUnits, .view_radius = 7, .highlight_time = 0},
      {});
}

Scene make_unstable_disc(const SceneRequest& request) {
  // Toomre 1964, 10.1086/147861: below Q = 1 rings collapse; thin, because thickness steadies too.
  constexpr GalaxyModel kModel = {.disc = {.height = 0.06, .toomre_q = 0.4}};
  return with_galaxy(request,
                     {.params = {.dt = 0.02, .softening = 0.05},
                      .units = kDiscUnits,
                      .view_radius = 6,
                      .angles = kFaceOn,
                      .highlight_time = 12},
                     kModel);
}

Scene make_bar(const SceneRequest& request) {
  // Ostriker and Peebles 1973, 10.1086/152513.
  constexpr GalaxyModel kModel = {.disc = {.toomre_q = 1}, .bulge = {.mass = 0}, .halo = {.mass = 0}};
  // The bar would grow out of the noise, of which many bodies have little: a slightly oval disc is the same for all.
  constexpr Vec3 kOval = {1.03, 0.97, 1};
  return with_galaxy(request,
                     {.params = {.dt = 0.03, .softening = 0.05},
                      .units = kDiscUnits,
                      .view_radius = 6,
                      .angles = kFaceOn,
                      .highlight_time = 40},
                     kModel, kOval);
}

}  // namespace pericenter
