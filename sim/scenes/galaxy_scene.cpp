#include "sim/scenes/galaxy_scene.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <utility>

#include "sim/scenes/model/procedural_source.h"

namespace pericenter {
namespace {

double softening_of(const GalaxyScene& row, double requested) {
  return requested > 0 ? requested : row.softening;
}

/// By which power of two the step is divided for this share of the usual softening. The energy error grows about as
/// the softening to the power of -1.8 and dt squared; the suggested steps leave room for a factor of 4/3.
int parts_for(double share) {
  constexpr double kEnough = 0.75;
  constexpr int kMost = 16;  // no step follows bodies that are nearly points
  int parts = 1;
  while (parts < kMost && share * parts < kEnough) parts *= 2;
  return parts;
}

/// Fewer bodies are heavier and deflect each other more, which needs shorter steps, as less softening does.
double suggested_step(const GalaxyScene& row, std::size_t bodies, double softening) {
  const double step = std::min(row.dt, bodies < 10'000 ? 1.0 / 32 : bodies < 50'000 ? 1.0 / 16 : 1.0 / 8);
  return step / parts_for(softening_of(row, softening) / row.softening);
}

PointGalaxy points_of(const PlacedGalaxy& galaxy) {
  return PointGalaxy(galaxy.sampler.bodies, mass_of(galaxy.sampler), [&](std::size_t i) { return galaxy.body(i); });
}

std::vector<PlacedGalaxy> single_galaxy(const GalaxyScene& row, const SceneRequest& request, double softening) {
  const auto galaxy = std::make_shared<const Galaxy>(row.first, softening, request.dimension);
  PlacedGalaxy placed{galaxy, galaxy->sampler(request.bodies, request.seed, 0)};
  placed.placement.stretch = row.stretch;
  return {placed};
}

std::vector<PlacedGalaxy> galaxy_pair(const GalaxyScene& row, const SceneRequest& request, double softening) {
  const Encounter encounter = request.encounter.value_or(*row.encounter);
  const double ratio = encounter.mass_ratio;
  if (!(ratio > 0 && std::isfinite(ratio))) throw std::invalid_argument("the mass ratio must be positive and finite");
  const GalaxySize size = {ratio * (mass_of(row.first) / mass_of(row.second)), std::sqrt(ratio)};

  const auto first = std::make_shared<const Galaxy>(row.first, softening, request.dimension);
  const bool twins = row.first == row.second && size == GalaxySize{};
  const auto second = twins ? first : std::make_shared<const Galaxy>(row.second, softening, request.dimension, size);

  const double share = second->weight() / (first->weight() + second->weight());
  const std::size_t least = request.bodies > 1 ? 1 : 0;
  const std::size_t second_count = std::clamp(static_cast<std::size_t>(share * static_cast<double>(request.bodies)),
                                              least, request.bodies - std::min(request.bodies, std::size_t{1}));
  const std::size_t first_count = request.bodies - second_count;
  const std::size_t largest_disc = std::max(first->shares(first_count).disc, second->shares(second_count).disc);
  std::vector<PlacedGalaxy> pair = {{first, first->sampler(first_count, request.seed, 0, largest_disc)},
                                    {second, second->sampler(second_count, ~request.seed, 1, largest_disc)}};
  const auto [of_first, of_second] =
      placements(points_of(pair[0]), points_of(pair[1]), encounter, {softening, request.dimension});
  pair[0].placement = of_first;
  pair[1].placement = of_second;
  return pair;
}

Scene make(const GalaxyScene& row, const SceneRequest& request) {
  Scene scene;
  static_cast<ScenePresentation&>(scene) = {row.units, row.view_radius, row.angles, row.highlight_time};
  scene.params = {.dt = suggested_step(row, request.bodies, request.softening),
                  .softening = softening_of(row, request.softening)};
  const auto galaxies = row.encounter ? galaxy_pair : single_galaxy;
  auto source = std::make_shared<const ProceduralSource>(galaxies(row, request, scene.params.softening));
  if (request.allow_procedural) {
    scene.source = std::move(source);
  } else {
    scene.bodies = source->make(request.progress);
  }
  return scene;
}

}  // namespace

std::vector<SceneInfo> scenes_of(std::span<const GalaxyScene> rows) {
  std::vector<SceneInfo> scenes;
  for (const GalaxyScene& row : rows) {
    scenes.push_back(
        {.name = row.name,
         .title = row.title,
         .summary = row.summary,
         .caption = row.caption,
         .highlight_caption = row.highlight_caption,
         .group = row.group,
         .make = [&row](const SceneRequest& request) { return make(row, request); },
         .dt = [&row](std::size_t bodies, double softening) { return suggested_step(row, bodies, softening); },
         .softening = row.softening,
         .encounter = row.encounter ? &*row.encounter : nullptr,
         .moments = row.moments,
         .group_names = row.group_names,
         .story = row.story,
         .procedural = true,
         .single_stars = row.single_stars,
         .by_origin = row.by_origin,
         .without_discs = row.encounter && row.first.disc.mass == 0 && row.second.disc.mass == 0});
  }
  return scenes;
}

}  // namespace pericenter
