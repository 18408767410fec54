#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

#include "app/lessons/pictured_run.h"
#include "sim/core/median.h"

namespace pericenter::app {
namespace {

/// A disc in space: its middle, and two axes in its plane as long as the radius with half of its stars.
struct DiscPlane {
  glm::vec3 center{0}, along{0}, across{0};
};

std::optional<DiscPlane> first_disc(const Bodies& bodies) {
  std::array<std::vector<double>, 3> middle;
  std::vector<const Body*> stars;
  Vec3 drift;
  for (const Body& body : bodies) {
    if (component_of(body.tag) != Component::disc || galaxy_of(body.tag) != 0) continue;
    stars.push_back(&body);
    drift += body.velocity;
    for (std::size_t k = 0; k < 3; ++k) middle[k].push_back(body.position[static_cast<int>(k)]);
  }
  if (stars.size() < kFew) return std::nullopt;
  const Vec3 center{median(middle[0]), median(middle[1]), median(middle[2])};
  drift *= 1 / static_cast<double>(stars.size());
  glm::dvec3 spin{0};
  std::vector<double> radii;
  for (const Body* star : stars) {
    const Vec3 at = star->position - center, velocity = star->velocity - drift;
    spin += glm::cross(glm::dvec3(at[0], at[1], at[2]), glm::dvec3(velocity[0], velocity[1], velocity[2]));
    radii.push_back(length(at));
  }
  const auto radius = static_cast<float>(median(std::move(radii)));
  const glm::vec3 axis = glm::normalize(glm::vec3(spin));
  const glm::vec3 other = std::abs(axis.x) < 0.7f ? glm::vec3(1, 0, 0) : glm::vec3(0, 1, 0);
  const glm::vec3 along = glm::normalize(glm::cross(axis, other));
  return DiscPlane{point(center), along * radius, glm::cross(axis, along) * radius};
}

constexpr int kRings = 20, kAngles = 96;
constexpr double kInner = 0.75, kOuter = 1.6;  ///< radii of the rings, in those with half of the stars
using Rings = std::array<std::array<glm::vec3, kAngles>, kRings>;

double ring_logarithm(int ring) {
  return std::lerp(std::log(kInner), std::log(kOuter), ring / (kRings - 1.0));
}

/// The colours of the picture on rings about the disc; nullopt if they are not completely in view.
std::optional<Rings> rings_of(const DiscPlane& disc, const PicturedRun& run) {
  Rings rings;
  for (int ring = 0; ring < kRings; ++ring)
    for (int k = 0; k < kAngles; ++k) {
      const double angle = 2 * std::numbers::pi * k / kAngles, radius = std::exp(ring_logarithm(ring));
      const auto x = static_cast<float>(radius * std::cos(angle)), y = static_cast<float>(radius * std::sin(angle));
      const auto at = pixel_of(disc.center + x * disc.along + y * disc.across, run);
      if (!is_inside(at, run)) return std::nullopt;
      rings[ring][k] = color_at(*at, run);
    }
  return rings;
}

/// Amplitude of the strongest logarithmic spiral of a value on the rings, in units of their means, or of 1.
template <class Value>
double strongest_spiral(const Rings& rings, bool relative, const Value& value) {
  double strongest = 0;
  for (int arms = 2; arms <= 6; ++arms) {
    std::array<std::complex<double>, kRings> waves;
    for (int ring = 0; ring < kRings; ++ring) {
      double mean = 0;
      for (int k = 0; k < kAngles; ++k) {
        const double here = value(rings[ring][k]) / kAngles;
        mean += here;
        waves[ring] += std::polar(here, -2 * std::numbers::pi * arms * k / kAngles);
      }
      if (relative) waves[ring] /= std::max(mean, 0.01);
    }
    for (int winding = -30; winding <= 30; ++winding) {
      std::complex<double> sum = 0;
      for (int ring = 0; ring < kRings; ++ring)
        sum += waves[ring] * std::polar(1.0 / kRings, winding * ring_logarithm(ring));
      strongest = std::max(strongest, 2 * std::abs(sum));
    }
  }
  return strongest;
}

}  // namespace

double arm_contrast(const PicturedRun& run) {
  const auto disc = first_disc(run.bodies);
  const auto rings = disc ? rings_of(*disc, run) : std::nullopt;
  if (!rings) return kUnknown;
  const auto blueness = [](const glm::vec3& color) {
    return (color.b - color.r) / std::max(color.r + color.g + color.b, 0.01f);
  };
  return 100 * std::max(strongest_spiral(*rings, true, brightness), strongest_spiral(*rings, false, blueness));
}

}  // namespace pericenter::app
