#include <oneapi/tbb/parallel_for.h>

#include <cstddef>

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
  Scene scene = with_galaxy(request,
                            {.params = {.dt = 0.03, .softening = 0.05},
                             .units = kDiscUnits,
                             .view_radius = 6,
                             .angles = kFaceOn,
                             .highlight_time = 40},
                            kModel);
  // The bar would grow out of the noise, of which many bodies have little: a slightly oval disc is the same for all.
  constexpr double kOval = 0.03;
  tbb::parallel_for(std::size_t{0}, scene.bodies.size(), [&](std::size_t i) {
    Vec3& position = scene.bodies[i].position;
    position = {position[0] * (1 + kOval), position[1] * (1 - kOval), position[2]};
  });
  return scene;
}

}  // namespace pericenter
