#include "sim/scenes/galaxy_scenes.h"
#include "sim/scenes/scenes.h"

namespace pericenter {
namespace {

Scene setting() {
  return {.params = {.dt = 0.03, .softening = 0.1}, .units = kDiscUnits, .view_radius = 15, .highlight_time = 28.3};
}

}  // namespace

Scene make_collision(const SceneRequest& request) {
  return with_pair(request, setting(), {}, kCollision);
}

Scene make_retrograde(const SceneRequest& request) {
  return with_pair(request, setting(), {}, kRetrograde);
}

}  // namespace pericenter
