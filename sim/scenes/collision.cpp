#include <span>

#include "sim/scenes/encounter.h"
#include "sim/scenes/galaxy.h"
#include "sim/scenes/scenes.h"

namespace pericenter {
namespace {

// They merge within a lesson: first pericentre at 19.4 (270 Myr), tails and a bridge at 28 (390 Myr), second pericentre
// at 60.
constexpr Encounter kDefaultEncounter = {
    .orbit = {.pericenter = 4, .eccentricity = 1, .separation = 25},
    .first = {0, 0},
    .second = {71, 30},
    .speed_factor = 0.74,
};

}  // namespace

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
  arrange(first, second, kDefaultEncounter, {scene.params.softening, request.dimension});
  return scene;
}

}  // namespace pericenter
