#include "sim/scenes/galaxy_scenes.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "sim/scenes/model/procedural_source.h"

namespace pericenter {
namespace {

void set_softening(const SceneRequest& request, Scene& scene) {
  if (request.softening > 0) scene.params.softening = request.softening;
}

/// `scene` with the bodies of the source, or with the source where that will do.
Scene with_galaxies(const SceneRequest& request, Scene scene, std::vector<PlacedGalaxy> galaxies) {
  auto source = std::make_shared<const ProceduralSource>(std::move(galaxies));
  if (request.allow_procedural) {
    scene.source = std::move(source);
  } else {
    scene.bodies = source->make(request.progress);
  }
  return scene;
}

PointGalaxy points_of(const PlacedGalaxy& galaxy) {
  return PointGalaxy(galaxy.sampler.bodies, mass_of(galaxy.sampler), [&](std::size_t i) { return galaxy.body(i); });
}

}  // namespace

Scene with_galaxy(const SceneRequest& request, Scene scene, const GalaxyModel& model, const Vec3& stretch) {
  set_softening(request, scene);
  const auto galaxy = std::make_shared<const Galaxy>(model, scene.params.softening, request.dimension);
  PlacedGalaxy placed{galaxy, galaxy->sampler(request.bodies, request.seed, 0)};
  placed.placement.stretch = stretch;
  return with_galaxies(request, std::move(scene), {placed});
}

Scene with_pair(const SceneRequest& request, Scene scene, const GalaxyPair& models, const Encounter& own) {
  set_softening(request, scene);
  const Encounter encounter = request.encounter.value_or(own);
  const double ratio = encounter.mass_ratio, softening = scene.params.softening;
  if (!(ratio > 0 && std::isfinite(ratio))) throw std::invalid_argument("the mass ratio is not positive");
  const GalaxySize size = {ratio * (mass_of(models.first) / mass_of(models.second)), std::sqrt(ratio)};

  const auto first = std::make_shared<const Galaxy>(models.first, softening, request.dimension);
  const bool twins = models.first == models.second && size == GalaxySize{};
  const auto second = twins ? first : std::make_shared<const Galaxy>(models.second, softening, request.dimension, size);

  const double share = second->weight() / (first->weight() + second->weight());
  const std::size_t least = request.bodies > 1 ? 1 : 0;
  const std::size_t second_count = std::clamp(static_cast<std::size_t>(share * static_cast<double>(request.bodies)),
                                              least, request.bodies - std::min(request.bodies, std::size_t{1}));
  std::vector<PlacedGalaxy> pair = {{first, first->sampler(request.bodies - second_count, request.seed, 0)},
                                    {second, second->sampler(second_count, ~request.seed, 1)}};
  const auto [of_first, of_second] =
      placements(points_of(pair[0]), points_of(pair[1]), encounter, {softening, request.dimension});
  pair[0].placement = of_first;
  pair[1].placement = of_second;
  return with_galaxies(request, std::move(scene), std::move(pair));
}

}  // namespace pericenter
