#include "sim/scenes/galaxy.h"
#include "sim/scenes/scenes.h"

namespace pericenter {

Scene make_galaxy(const SceneRequest& request) {
  Scene scene;
  scene.params = {.dt = 0.03, .softening = request.softening > 0 ? request.softening : 0.05};
  scene.units = kDiscUnits;
  scene.view_radius = 7;

  SceneProgress progress(request.progress, request.bodies / 2);
  scene.bodies.resize(request.bodies);
  Galaxy({}, scene.params.softening, request.dimension).fill(scene.bodies, request.seed, 0, progress);
  return scene;
}

}  // namespace pericenter
