#include "sim/scenes/encounter.h"

#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <stdexcept>
#include <vector>

namespace pericenter {
namespace {

constexpr std::size_t kSample = 4096;

struct PointMass {
  Vec3 position;
  double mass;
};

// Evenly spread over the bodies, in whole pairs of twins, which keep the centre of mass where it is.
std::vector<PointMass> sample(std::span<const Body> bodies) {
  const std::size_t pairs = bodies.size() / 2, taken = std::min(pairs, kSample / 2);
  std::vector<PointMass> result;
  double mass = 0;
  const auto take = [&](const Body& body) {
    result.push_back({body.position, body.mass});
    mass += body.mass;
  };
  for (std::size_t i = 0; i < taken; ++i) {
    const std::size_t pair = i * pairs / taken;
    take(bodies[2 * pair]);
    take(bodies[2 * pair + 1]);
  }
  if (bodies.size() % 2 == 1) take(bodies.back());
  const double whole =
      std::accumulate(bodies.begin(), bodies.end(), 0.0, [](double sum, const Body& body) { return sum + body.mass; });
  for (PointMass& point : result) point.mass *= whole / mass;
  return result;
}

}  // namespace

RelativeState relative_state(const EncounterOrbit& orbit, double total_mass) {
  const double e = orbit.eccentricity, r = orbit.separation;
  const double parameter = orbit.pericenter * (1 + e);
  // A rounding error more than 1 is still the pericentre or the apocentre.
  const double wanted = e == 0 && r == parameter ? 1 : (parameter / r - 1) / e;
  if (!(std::abs(wanted) <= 1 + 1e-9)) throw std::invalid_argument("the orbit never has this separation");
  const double cosine = std::clamp(wanted, -1.0, 1.0);
  const double sine = -std::sqrt(1 - cosine * cosine);
  const double speed = std::sqrt(total_mass / parameter);
  return {Vec3{cosine, sine, 0} * r, Vec3{-sine, e + cosine, 0} * speed};
}

Vec3 spin_axis(const DiscOrientation& orientation, bool second) {
  constexpr double kDegree = std::numbers::pi / 180;
  const double i = orientation.inclination * kDegree, omega = orientation.pericenter_argument * kDegree;
  const double side = second ? -1 : 1;
  return {side * std::sin(i) * std::sin(omega), side * std::sin(i) * std::cos(omega), std::cos(i)};
}

void turn(std::span<Body> bodies, const Vec3& spin) {
  // Any rotation that takes z to the spin will do: the disc is the same all around.
  const Vec3 across = cross(std::abs(spin[0]) < 0.9 ? Vec3{1, 0, 0} : Vec3{0, 1, 0}, spin);
  const Vec3 e1 = across * (1 / length(across)), e2 = cross(spin, e1);
  const auto turned = [&](const Vec3& v) { return e1 * v[0] + e2 * v[1] + spin * v[2]; };
  tbb::parallel_for(std::size_t{0}, bodies.size(), [&](std::size_t i) {
    bodies[i].position = turned(bodies[i].position);
    bodies[i].velocity = turned(bodies[i].velocity);
  });
}

void shift(std::span<Body> bodies, const Vec3& position, const Vec3& velocity) {
  tbb::parallel_for(std::size_t{0}, bodies.size(), [&](std::size_t i) {
    bodies[i].position += position;
    bodies[i].velocity += velocity;
  });
}

double mutual_energy(std::span<const Body> first, std::span<const Body> second, const Vec3& offset, double softening) {
  const std::vector<PointMass> from = sample(first), to = sample(second);
  std::vector<double> rows(from.size());
  tbb::parallel_for(std::size_t{0}, from.size(), [&](std::size_t i) {
    double sum = 0;
    for (const PointMass& other : to) {
      const Vec3 d = other.position + offset - from[i].position;
      sum += other.mass / std::sqrt(dot(d, d) + softening * softening);
    }
    rows[i] = -from[i].mass * sum;
  });
  return std::accumulate(rows.begin(), rows.end(), 0.0);
}

}  // namespace pericenter
