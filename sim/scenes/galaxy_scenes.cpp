#include "sim/scenes/galaxy_scenes.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <stdexcept>

#include "sim/scenes/scene_progress.h"

namespace pericenter {
namespace {

void set_softening(const SceneRequest& request, Scene& scene) {
  if (request.softening > 0) scene.params.softening = request.softening;
}

}  // namespace

Scene with_galaxy(const SceneRequest& request, Scene scene, const GalaxyModel& model) {
  set_softening(request, scene);
  SceneProgress progress(request.progress, request.bodies / 2);
  scene.bodies = uninitialized_bodies(request.bodies);
  Galaxy(model, scene.params.softening, request.dimension).fill(scene.bodies, request.seed, 0, progress);
  return scene;
}

Scene with_pair(const SceneRequest& request, Scene scene, const GalaxyPair& models, const Encounter& own) {
  set_softening(request, scene);
  const Encounter encounter = request.encounter.value_or(own);
  const double ratio = encounter.mass_ratio, softening = scene.params.softening;
  if (!(ratio > 0 && std::isfinite(ratio))) throw std::invalid_argument("the mass ratio is not positive");
  const GalaxySize size = {ratio * (mass_of(models.first) / mass_of(models.second)), std::sqrt(ratio)};

  SceneProgress progress(request.progress, request.bodies / 2);
  const Galaxy first(models.first, softening, request.dimension);
  const bool twins = models.first == models.second && size == GalaxySize{};
  const Galaxy second = twins ? first : Galaxy(models.second, softening, request.dimension, size);

  scene.bodies = uninitialized_bodies(request.bodies);
  const double share = second.weight() / (first.weight() + second.weight());
  const std::size_t least = request.bodies > 1 ? 1 : 0;
  const std::size_t second_count = std::clamp(static_cast<std::size_t>(share * static_cast<double>(request.bodies)),
                                              least, request.bodies - std::min(request.bodies, std::size_t{1}));
  const auto first_bodies = std::span(scene.bodies).first(request.bodies - second_count);
  const auto second_bodies = std::span(scene.bodies).last(second_count);
  first.fill(first_bodies, request.seed, 0, progress);
  second.fill(second_bodies, ~request.seed, 1, progress);
  arrange(first_bodies, second_bodies, encounter, {softening, request.dimension});
  return scene;
}

}  // namespace pericenter
