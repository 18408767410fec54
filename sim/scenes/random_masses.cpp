#include <cmath>

#include "sim/core/random.h"
#include "sim/scenes/registry.h"
#include "sim/scenes/scene_progress.h"

namespace pericenter {
namespace {

Scene make_random_masses(const SceneRequest& request) {
  constexpr double kLightest = 0.1, kHeaviest = 10;                      // equal numbers per decade
  constexpr double kMean = (kHeaviest - kLightest) / 4.605170185988091;  // divided by ln(100)
  constexpr double kRotation = 0.5;
  Scene scene;
  scene.params = {.dt = 0.002, .theta = 0.5, .softening = request.softening > 0 ? request.softening : 0.01};
  scene.view_radius = 1.6;
  scene.angles = {.yaw = -90, .pitch = 90};
  scene.bodies = uninitialized_bodies(request.bodies);
  SceneProgress progress(request.progress, request.bodies);
  progress.for_each(request.bodies, [&](std::size_t i) {
    Random random(request.seed, i);
    Body body;
    for (int k = 0; k < 2; ++k) body.position[k] = 2 * random.uniform() - 1;
    body.velocity = cross(Vec3{0, 0, kRotation}, body.position);
    const double mass = kLightest * std::pow(kHeaviest / kLightest, random.uniform());
    body.mass = mass / kMean / static_cast<double>(request.bodies);
    body.tag = make_tag(0, Component::other, mass * kTagRadiusRange / kHeaviest) | kHasSpectralClass;
    scene.bodies[i] = body;
  });
  return scene;
}

}  // namespace

std::vector<SceneInfo> random_masses_scenes() {
  return {{.name = "random-masses",
           .title = "Random masses in a square",
           .summary =
               "Bodies of random masses in a slowly rotating square sheet, the textbook case of the quadtree; best "
               "in 2D. Heavy bodies gather light ones, and clumps merge.",
           .caption = "Light and heavy stars in a slowly turning square. The heavy ones gather the light ones.",
           .group = SceneGroup::textbook,
           .make = make_random_masses,
           .single_stars = true}};
}

}  // namespace pericenter
