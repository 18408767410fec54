#include "sim/analysis/rotation_curve.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace pericenter {
namespace {

constexpr std::size_t kMinDisc = 200;        ///< bodies
constexpr std::size_t kBodiesPerRing = 100;  ///< minimum, unless there would be fewer than kMinRings rings
constexpr std::size_t kMinRings = 8, kMaxRings = 40;
constexpr double kShown = 0.95;  ///< share of the bodies within the last ring; the others are in tails

/// Position, velocity and acceleration relative to the nucleus.
struct Star {
  Vec3 x, v, a;
  double radius = 0;  ///< first in space, then about the axis
};

std::vector<Star> stars_of(const Bodies& bodies, std::span<const Vec3> accelerations, std::span<const std::size_t> disc,
                           const Vec3& nucleus) {
  std::vector<Star> stars;
  stars.reserve(disc.size());
  for (const std::size_t i : disc) {
    Star star{bodies[i].position - nucleus, bodies[i].velocity, accelerations.empty() ? Vec3() : accelerations[i]};
    star.radius = length(star.x);
    if (std::isfinite(star.radius + length(star.v) + length(star.a))) stars.push_back(star);
  }
  return stars;
}

/// Subtracts the motion of the inner half, and returns its unit axis; 0 without rotation.
Vec3 to_own_frame(std::vector<Star>& stars) {
  const std::size_t half = stars.size() / 2;
  std::ranges::nth_element(stars, stars.begin() + static_cast<std::ptrdiff_t>(half), {}, &Star::radius);
  Vec3 velocity, acceleration, spin;
  for (const Star& star : std::span(stars).first(half)) {
    velocity += star.v;
    acceleration += star.a;
  }
  for (Star& star : stars) {
    star.v -= velocity * (1 / static_cast<double>(half));
    star.a -= acceleration * (1 / static_cast<double>(half));
  }
  for (const Star& star : std::span(stars).first(half)) spin += cross(star.x, star.v);
  const double size = length(spin);
  return size > 0 ? spin * (1 / size) : Vec3();
}

void add_ring(std::span<const Star> ring, const Vec3& axis, bool has_accelerations, RotationCurve& curve) {
  double radius = 0, speed = 0, inward = 0;
  for (const Star& star : ring) {
    const Vec3 out = star.x - axis * dot(star.x, axis);
    radius += star.radius;
    if (star.radius > 0) speed += dot(cross(axis, out), star.v) / star.radius;
    inward -= dot(out, star.a);
  }
  const double count = static_cast<double>(ring.size());
  curve.radius.push_back(radius / count);
  curve.measured.push_back(speed / count);
  curve.circular.push_back(has_accelerations ? std::sqrt(std::max(inward / count, 0.0)) : kNotMeasured);
}

}  // namespace

RotationCurve rotation_curve(const Bodies& bodies, std::span<const Vec3> accelerations,
                             std::span<const std::size_t> disc, const Vec3& nucleus) {
  RotationCurve curve;
  std::vector<Star> stars = stars_of(bodies, accelerations, disc, nucleus);
  if (stars.size() < kMinDisc) return curve;
  const Vec3 axis = to_own_frame(stars);
  if (axis == Vec3()) return curve;
  for (Star& star : stars) star.radius = length(star.x - axis * dot(star.x, axis));
  std::ranges::sort(stars, {}, &Star::radius);
  const auto shown = static_cast<std::size_t>(kShown * static_cast<double>(stars.size()));
  const std::size_t rings = std::clamp(shown / kBodiesPerRing, kMinRings, kMaxRings);
  for (std::size_t k = 0; k < rings; ++k) {
    const std::size_t first = k * shown / rings, last = (k + 1) * shown / rings;
    add_ring(std::span(stars).subspan(first, last - first), axis, !accelerations.empty(), curve);
  }
  return curve;
}

}  // namespace pericenter
