#include <cmath>
#include <numbers>

#include "sim/core/random.h"
#include "sim/scenes/registry.h"
#include "sim/scenes/scene_progress.h"

namespace pericenter {
namespace {

// A uniform ball (a disc in 2D) of mass 1 and radius 1 with 2K/|W| = 0.1: van Albada 1982
// (doi:10.1093/mnras/201.4.939). It is smallest after about one free-fall time, pi / sqrt(8).
Scene make_cold_collapse(const SceneRequest& request) {
  constexpr double kVirialRatio = 0.1;
  const bool flat = request.dimension == 2;
  // -W of a ball, or of a disc under the same law; sigma is the dispersion per direction.
  const double binding = flat ? 8 / (3 * std::numbers::pi) : 0.6;
  const double sigma = std::sqrt(kVirialRatio * binding / request.dimension);
  Scene scene;
  scene.params = {.dt = 0.0015, .softening = request.softening > 0 ? request.softening : 0.02};
  scene.view_radius = 1.8;
  scene.highlight_time = 1.6;
  scene.bodies = uninitialized_bodies(request.bodies);
  SceneProgress progress(request.progress, request.bodies);
  progress.for_each(request.bodies, [&](std::size_t i) {
    Random random(request.seed, i);
    Body body;
    do {
      for (int k = 0; k < request.dimension; ++k) body.position[k] = 2 * random.uniform() - 1;
    } while (dot(body.position, body.position) > 1);
    for (int k = 0; k < request.dimension; ++k) body.velocity[k] = sigma * random.normal();
    body.mass = 1 / static_cast<double>(request.bodies);
    body.tag = make_tag(0, Component::other, length(body.position));
    scene.bodies[i] = body;
  });
  return scene;
}

}  // namespace

std::vector<SceneInfo> cold_collapse_scenes() {
  return {{.name = "cold-collapse",
           .title = "Cold collapse",
           .summary =
               "A ball of stars, almost at rest, collapses and settles as a dense core in an extended halo. This "
               "violent relaxation is over after one collapse.",
           .caption = "A ball of stars, almost at rest, falls in on itself.",
           .highlight_caption =
               "The stars have rushed through the centre. Many stay there as a dense core; others fly far out.",
           .group = SceneGroup::textbook,
           .make = make_cold_collapse,
           .story = {.radius = 2.1},
           .single_stars = true}};
}

}  // namespace pericenter
