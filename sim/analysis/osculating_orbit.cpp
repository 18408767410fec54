#include "sim/analysis/osculating_orbit.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

namespace pericenter {
namespace {

constexpr double kMostOfTheMass = 0.9;
constexpr double kPlanetMass = 1e-7;  // in masses of the heaviest body
constexpr double kCircular = 1e-9;    // eccentricity below which an orbit has no axis

/// nullopt for a body that is not bound, or falls straight.
std::optional<OsculatingOrbit> ellipse(const Vec3& position, const Vec3& velocity, double mu) {
  const double r = length(position);
  const double a = 1 / (2 / r - dot(velocity, velocity) / mu);
  const Vec3 turn = cross(position, velocity);
  const Vec3 to_pericenter = cross(velocity, turn) * (1 / mu) - position * (1 / r);
  const double e = length(to_pericenter), h = length(turn);
  if (!(a > 0) || !std::isfinite(a) || !(e < 1) || !(h > 0)) return std::nullopt;
  const Vec3 p = e > kCircular ? to_pericenter * (1 / e) : position * (1 / r), q = cross(turn, p) * (1 / h);
  return OsculatingOrbit{.center = p * (-a * e), .major = p * a, .minor = q * (a * std::sqrt(1 - e * e))};
}

}  // namespace

std::vector<OsculatingOrbit> osculating_orbits(const Bodies& first, std::size_t all, double gravity) {
  const auto heaviest = std::ranges::max_element(first, {}, &Body::mass);
  const double mass =
      std::accumulate(first.begin(), first.end(), 0.0, [](double sum, const Body& body) { return sum + body.mass; });
  if (heaviest == first.end() || !(heaviest->mass > kMostOfTheMass * mass)) return {};
  const double least = all > BodySample::kFirst ? kPlanetMass * heaviest->mass : 0;
  std::vector<OsculatingOrbit> orbits;
  for (auto body = first.begin(); body != first.end(); ++body) {
    if (body == heaviest || body->mass < least) continue;
    std::optional<OsculatingOrbit> orbit =
        ellipse(body->position - heaviest->position, body->velocity - heaviest->velocity,
                gravity * (heaviest->mass + body->mass));
    if (!orbit) continue;
    orbit->body = static_cast<std::size_t>(body - first.begin());
    orbit->around = static_cast<std::size_t>(heaviest - first.begin());
    orbits.push_back(*orbit);
  }
  return orbits;
}

}  // namespace pericenter
