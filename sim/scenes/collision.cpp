#include <span>

#include "sim/scenes/encounter.h"
#include "sim/scenes/galaxy.h"
#include "sim/scenes/scenes.h"

namespace pericenter {

Scene make_collision(const SceneRequest& request) {
  Scene scene;
  scene.params = {.dt = 0.03, .softening = request.softening > 0 ? request.softening : 0.1};
  scene.units = kDiscUnits;
  scene.view_radius = 15;
  scene.highlight_time = 28.3;

  SceneProgress progress(request.progress, request.bodies / 2);
  const Galaxy galaxy({}, scene.params.softening, request.dimension);
  scene.bodies.resize(request.bodies);
  const std::size_t second_count = request.bodies / 2;
  const auto first = std::span(scene.bodies).first(request.bodies - second_count);
  const auto second = std::span(scene.bodies).last(second_count);
  galaxy.fill(first, request.seed, 0, progress);
  galaxy.fill(second, ~request.seed, 1, progress);
  arrange(first, second, request.encounter.value_or(kCollision), {scene.params.softening, request.dimension});
  return scene;
}

}  // namespace pericenter
