#include "sim/scenes/model/procedural_source.h"

#include <algorithm>
#include <numeric>

#include "sim/scenes/model/body_sums.h"
#include "sim/scenes/scene_progress.h"

namespace pericenter {
namespace {

constexpr std::size_t kMinBodiesOnGpu = 20'000'000;

}  // namespace

std::size_t ProceduralSource::bodies() const {
  return std::accumulate(galaxies_.begin(), galaxies_.end(), std::size_t{0},
                         [](std::size_t sum, const PlacedGalaxy& galaxy) { return sum + galaxy.sampler.bodies; });
}

bool ProceduralSource::has_heavier(double share) const {
  double all = 0, heaviest = 0;
  const auto add = [&](std::size_t count, double mass) {
    all += static_cast<double>(count) * mass;
    if (count > 0) heaviest = std::max(heaviest, mass);
  };
  for (const PlacedGalaxy& galaxy : galaxies_) {
    const GalaxySampler& sampler = galaxy.sampler;
    for (const GalaxySampler::Part& part : sampler.parts) add(2 * part.pairs, part.mass);
    add(sampler.bodies % 2, sampler.odd.mass);
  }
  return heaviest > share * all;
}

Bodies ProceduralSource::make(const Progress& report) const {
  SceneProgress progress(report, bodies() / 2);
  Bodies all = uninitialized_bodies(bodies());
  std::span<Body> rest(all);
  for (const PlacedGalaxy& galaxy : galaxies_) {
    const GalaxySampler& sampler = galaxy.sampler;
    const std::span<Body> own = rest.first(sampler.bodies);
    rest = rest.subspan(sampler.bodies);
    progress.for_each(sampler.pairs(), [&](std::size_t pair) {
      const auto [first, second] = sampler.pair(pair);
      own[2 * pair] = galaxy.placement(first);
      own[2 * pair + 1] = galaxy.placement(second);
    });
    if (sampler.bodies % 2 == 1) own.back() = galaxy.placement(sampler.middle());
  }
  return all;
}

double mass_of(const GalaxySampler& sampler) {
  return sum_of(sampler.bodies, [&](std::size_t i) {
    return i / 2 == sampler.pairs() ? sampler.odd.mass : sampler.part_of(i / 2).mass;
  });
}

bool created_on_gpu(const Config& config, std::size_t bodies) {
  return config.backend == Backend::cuda && bodies >= kMinBodiesOnGpu;
}

}  // namespace pericenter
