#include "sim/scenes/registry.h"

namespace pericenter {
namespace {

// Chenciner and Montgomery 2000 (doi:10.2307/2661357), with the initial values by Simo that they quote. Period
// 6.32591398.
Scene make_figure_eight(const SceneRequest& request) {
  Scene scene;
  scene.params = {.dt = 0.005, .theta = 0, .softening = request.softening};
  scene.view_radius = 1.5;
  scene.angles = {.yaw = -90, .pitch = 90};
  if (request.progress && !request.progress(0)) throw SceneCancelled{};
  const Vec3 end{0.97000436, -0.24308753, 0}, velocity{-0.93240737, -0.86473146, 0};
  const Vec3 positions[] = {end, -end, Vec3{}};
  const Vec3 velocities[] = {velocity * -0.5, velocity * -0.5, velocity};
  for (std::uint32_t k = 0; k < 3; ++k)
    scene.bodies.push_back({positions[k], velocities[k], 1, make_tag(k, Component::other)});
  return scene;
}

}  // namespace

std::vector<SceneInfo> figure_eight_scenes() {
  return {{.name = "figure-eight",
           .title = "Figure eight",
           .summary =
               "Three equal bodies follow each other for ever on one closed curve, a solution found by Chenciner "
               "and Montgomery in 2000. Trails show it. A softening above 0 destroys the orbit.",
           .caption = "Three stars follow each other on one closed path, for ever.",
           .group = SceneGroup::few_bodies,
           .min_bodies = 3,
           .fixed_bodies = 3,
           .make = make_figure_eight,
           .story = {.radius = 0.7},
           .trails = true}};
}

}  // namespace pericenter
