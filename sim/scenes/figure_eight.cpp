#include "sim/scenes/scenes.h"

namespace pericenter {

// Chenciner and Montgomery 2000 (10.2307/2661357), with the numbers of Simo that they give; the period is 6.32591398.
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

}  // namespace pericenter
