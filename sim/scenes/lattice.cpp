#include <algorithm>
#include <cmath>
#include <cstdint>

#include "sim/core/random.h"
#include "sim/scenes/scene_progress.h"
#include "sim/scenes/scenes.h"

namespace pericenter {
namespace {

/// The smallest cube (square) number of sites for the bodies, by its side.
std::uint64_t side_of(std::uint64_t bodies, int dimension) {
  const auto power = [&](std::uint64_t side) { return dimension == 2 ? side * side : side * side * side; };
  auto side = static_cast<std::uint64_t>(dimension == 2 ? std::sqrt(bodies) : std::cbrt(bodies));
  while (power(side) < bodies) ++side;
  return std::max<std::uint64_t>(side, 1);
}

}  // namespace

// Where the number of bodies is no cube (square), the sites that stay empty are spread evenly.
Scene make_lattice(const SceneRequest& request) {
  Scene scene;
  scene.params = {.dt = 0.005, .softening = request.softening > 0 ? request.softening : 0.02};
  scene.view_radius = 1.8;
  scene.highlight_time = 1.4;
  scene.bodies = uninitialized_bodies(request.bodies);
  const std::uint64_t side = side_of(request.bodies, request.dimension);
  const double sites = std::pow(static_cast<double>(side), request.dimension);
  const double step = sites / static_cast<double>(std::max<std::size_t>(request.bodies, 1));
  const double offset = Random(request.seed).uniform();
  SceneProgress progress(request.progress, request.bodies);
  progress.for_each(request.bodies, [&](std::size_t i) {
    // The steps are at least 1 long, so that no two bodies share a site.
    auto site = static_cast<std::uint64_t>((static_cast<double>(i) + offset) * step);
    Body body;
    for (int k = 0; k < request.dimension; ++k, site /= side)
      body.position[k] = (2 * static_cast<double>(site % side) + 1) / static_cast<double>(side) - 1;
    body.mass = 1 / static_cast<double>(request.bodies);
    body.tag = make_tag(0, Component::other, length(body.position));
    scene.bodies[i] = body;
  });
  return scene;
}

}  // namespace pericenter
