#include "sim/core/random.h"
#include "sim/scenes/registry.h"
#include "sim/scenes/scene_progress.h"

namespace pericenter {
namespace {

// Cold: it collapses within about one unit of time.
Scene make_uniform(const SceneRequest& request) {
  Scene scene;
  scene.params = {.dt = 0.0025, .softening = request.softening > 0 ? request.softening : 0.02};
  scene.view_radius = 1.8;
  scene.bodies = uninitialized_bodies(request.bodies);
  SceneProgress progress(request.progress, request.bodies);
  progress.for_each(request.bodies, [&](std::size_t i) {
    Random random(request.seed, i);
    Body body;
    for (int k = 0; k < request.dimension; ++k) body.position[k] = 2 * random.uniform() - 1;
    body.mass = 1 / static_cast<double>(request.bodies);
    body.tag = make_tag(0, Component::other, length(body.position));
    scene.bodies[i] = body;
  });
  return scene;
}

}  // namespace

std::vector<SceneInfo> uniform_scenes() {
  return {
      {.name = "uniform",
       .title = "Uniform cube",
       .summary = "Bodies at rest, distributed evenly in a cube (a square in 2D), collapse under their own gravity.",
       .caption = "Stars at rest, spread evenly in a cube. What does gravity do with them?",
       .group = SceneGroup::textbook,
       .make = make_uniform,
       .single_stars = true}};
}

}  // namespace pericenter
