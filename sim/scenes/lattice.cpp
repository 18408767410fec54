#include <algorithm>
#include <cmath>
#include <cstdint>

#include "sim/core/random.h"
#include "sim/scenes/registry.h"
#include "sim/scenes/scene_progress.h"

namespace pericenter {
namespace {

/// Sites per side of the smallest cube (2D: square) with a site for each body.
std::uint64_t side_of(std::uint64_t bodies, int dimension) {
  const auto power = [&](std::uint64_t side) { return dimension == 2 ? side * side : side * side * side; };
  auto side = static_cast<std::uint64_t>(dimension == 2 ? std::sqrt(bodies) : std::cbrt(bodies));
  while (power(side) < bodies) ++side;
  return std::max<std::uint64_t>(side, 1);
}

// If the number of bodies is not a cube (2D: a square), the empty sites are distributed evenly.
Scene make_lattice(const SceneRequest& request) {
  Scene scene;
  scene.params = {.dt = 0.004, .softening = request.softening > 0 ? request.softening : 0.02};
  scene.view_radius = 1.8;
  scene.highlight_time = 1.4;
  scene.bodies = uninitialized_bodies(request.bodies);
  const std::uint64_t side = side_of(request.bodies, request.dimension);
  const double sites = std::pow(static_cast<double>(side), request.dimension);
  const double step = sites / static_cast<double>(std::max<std::size_t>(request.bodies, 1));
  const double offset = Random(request.seed).uniform();
  SceneProgress progress(request.progress, request.bodies);
  progress.for_each(request.bodies, [&](std::size_t i) {
    // A step is at least 1, so two bodies never share a site.
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

}  // namespace

std::vector<SceneInfo> lattice_scenes() {
  return {{.name = "lattice",
           .title = "Lattice",
           .summary = "Bodies at rest on a regular lattice (complete if their number is a cube, in 2D a square). The "
                      "collapse preserves the symmetry, so any asymmetry is an error of the solver.",
           .caption = "Stars at rest in neat rows. Gravity keeps the pattern.",
           .highlight_caption =
               "All sides have fallen in alike. A difference between them would be an error of the calculation.",
           .group = SceneGroup::textbook,
           .make = make_lattice,
           .story = {.first = ViewAngles{.yaw = -72, .pitch = 30}, .key = ViewAngles{.yaw = -90, .pitch = 90}},
           .single_stars = true}};
}

}  // namespace pericenter
