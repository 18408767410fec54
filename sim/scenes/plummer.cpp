#include <cmath>
#include <numbers>

#include "sim/core/random.h"
#include "sim/scenes/model/body_sums.h"
#include "sim/scenes/model/encounter.h"
#include "sim/scenes/registry.h"
#include "sim/scenes/scene_progress.h"

namespace pericenter {
namespace {

using std::numbers::pi;
// Scale length at which the energy is -1/4 (Heggie and Mathieu 1986, doi:10.1007/BFb0116419).
constexpr double kScale = 3 * pi / 16;
constexpr double kSoftening = 0.02;
constexpr double kMaxRadius = 22.8;  // scale lengths; contains 99.7 % of the mass

// Sampling after Aarseth, Henon and Wielen 1974 (A&A 37, 183).
Body plummer_body(Random& random) {
  double r;
  do {
    r = 1 / std::sqrt(std::pow(random.uniform(), -2.0 / 3.0) - 1);
  } while (r > kMaxRadius);
  double q, y;
  do {
    q = random.uniform();
    y = 0.1 * random.uniform();
  } while (y > q * q * std::pow(1 - q * q, 3.5));
  const double speed = q * std::numbers::sqrt2 * std::pow(1 + r * r, -0.25);
  Body body;
  body.position = random.direction() * (r * kScale);
  body.velocity = random.direction() * (speed / std::sqrt(kScale));
  return body;
}

// Projection shortens the mean distance by 2/pi and removes a third of the kinetic energy; higher speeds restore
// 2K = |W|.
void flatten(Body& body) {
  body.position[2] = 0;
  body.velocity[2] = 0;
  body.velocity *= std::sqrt(0.75 * pi);
}

void center(Bodies& bodies) {
  const auto sum = sum_over(bodies, [](const Body& body) {
    const Vec3 x = body.position * body.mass, v = body.velocity * body.mass;
    return Vec<double, 6>{x[0], x[1], x[2], v[0], v[1], v[2]};
  });
  shift(bodies, {-sum[0], -sum[1], -sum[2]}, {-sum[3], -sum[4], -sum[5]});
}

Scene make_plummer(const SceneRequest& request) {
  Scene scene;
  scene.params = {.dt = 1.0 / 64, .softening = request.softening > 0 ? request.softening : kSoftening};
  scene.view_radius = 2.5;
  scene.bodies = uninitialized_bodies(request.bodies);
  SceneProgress progress(request.progress, request.bodies);
  progress.for_each(request.bodies, [&](std::size_t i) {
    Random random(request.seed, i);
    Body body = plummer_body(random);
    if (request.dimension == 2) flatten(body);
    body.mass = 1 / static_cast<double>(request.bodies);
    body.tag = make_tag(0, Component::other, length(body.position));
    scene.bodies[i] = body;
  });
  center(scene.bodies);
  return scene;
}

}  // namespace

std::vector<SceneInfo> plummer_scenes() {
  return {{.name = "plummer",
           .title = "Plummer sphere",
           .summary = "A spherical star cluster in equilibrium, the standard test of N-body codes, in Henon units.",
           .caption = "A star cluster: every star moves, and the cluster keeps its shape.",
           .group = SceneGroup::clusters,
           .make = make_plummer,
           .softening = kSoftening,
           .single_stars = true}};
}

}  // namespace pericenter
