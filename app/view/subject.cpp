#include "app/view/subject.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <optional>

#include "app/view/camera_control.h"
#include "sim/analysis/tail_marks.h"
#include "sim/core/bodies.h"

namespace pericenter::app {
namespace {

constexpr std::size_t kGalaxies = 1 << kTagGalaxyBits;
using Centers = std::array<std::optional<glm::vec3>, kGalaxies>;

Centers centers_of(const render::StarSample& sample) {
  Centers centers;
  for (std::size_t galaxy = 0; galaxy < kGalaxies; ++galaxy) {
    const int index = static_cast<int>(galaxy);
    centers[galaxy] = galaxy_center(sample, index);
    if (!centers[galaxy]) centers[galaxy] = galaxy_center({.stars = sample.first, .chosen = {}}, index);
  }
  return centers;
}

/// Birth radii and where most stars of a disc are now tell its unit of length, so that this needs no earlier sample.
std::optional<TailCriterion> tail_criterion(const Bodies& stars, const Centers& centers) {
  std::array<std::uint32_t, 2> galaxies{};
  TailStars::Nuclei nuclei;
  std::size_t found = 0;
  for (std::uint32_t galaxy = 0; galaxy < kGalaxies && found < 2; ++galaxy) {
    const std::optional<glm::vec3>& center = centers[galaxy];
    if (!center) continue;
    galaxies[found] = galaxy;
    nuclei[found++] = Vec3{center->x, center->y, center->z};
  }
  return TailStars(stars, galaxies, nuclei).criterion(nuclei);
}

}  // namespace

Subject subject_of(const render::StarSample& sample, const render::Camera& camera) {
  const glm::mat3 axes(camera.view());
  Subject subject;
  Bodies stars;
  for (const render::SampledStar& star : sample.stars) {
    const glm::vec3 &at = star.position, seen = axes * at;
    if (component_of(star.tag) == Component::halo || !std::isfinite(seen.x + seen.y + seen.z)) continue;
    subject.bodies.push_back(seen);
    stars.push_back({Vec3{at.x, at.y, at.z}, Vec3{}, 0, star.tag});
  }
  const Centers centers = centers_of(sample);
  for (const std::optional<glm::vec3>& center : centers)
    if (center) subject.nuclei.push_back(axes * *center);
  if (subject.nuclei.size() < 2) subject.nuclei.clear();
  if (const auto criterion = tail_criterion(stars, centers)) {
    for (std::size_t k = 0; k < stars.size(); ++k)
      if (is_marked_as_tail(*criterion, stars[k].position, stars[k].tag)) subject.tails.push_back(subject.bodies[k]);
  }
  return subject;
}

}  // namespace pericenter::app
