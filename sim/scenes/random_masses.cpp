#include <cmath>

#include "sim/core/random.h"
#include "sim/scenes/scene_progress.h"
#include "sim/scenes/scenes.h"

namespace pericenter {

// A sheet that turns slowly: the heavy bodies gather the light ones around them.
Scene make_random_masses(const SceneRequest& request) {
  constexpr double kLightest = 0.1, kHeaviest = 10;                      // equally many in each decade
  constexpr double kMean = (kHeaviest - kLightest) / 4.605170185988091;  // over ln(100)
  constexpr double kTurn = 0.5;
  Scene scene;
  scene.params = {.dt = 0.005, .softening = request.softening > 0 ? request.softening : 0.01};
  scene.view_radius = 1.6;
  scene.angles = {.yaw = -90, .pitch = 90};
  scene.bodies = uninitialized_bodies(request.bodies);
  SceneProgress progress(request.progress, request.bodies);
  progress.for_each(request.bodies, [&](std::size_t i) {
    Random random(request.seed, i);
    Body body;
    for (int k = 0; k < 2; ++k) body.position[k] = 2 * random.uniform() - 1;
    body.velocity = cross(Vec3{0, 0, kTurn}, body.position);
    const double mass = kLightest * std::pow(kHeaviest / kLightest, random.uniform());
    body.mass = mass / kMean / static_cast<double>(request.bodies);
    body.tag = make_tag(0, Component::other, mass);
    scene.bodies[i] = body;
  });
  return scene;
}

}  // namespace pericenter
