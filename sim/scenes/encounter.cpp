#include "sim/scenes/encounter.h"

#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "sim/scenes/body_sums.h"

namespace pericenter {
namespace {

constexpr std::size_t kSample = 4096;

struct PointMass {
  Vec3 position;
  double mass;
};

double mass_of(std::span<const Body> bodies) {
  return sum_over(bodies, [](const Body& body) { return body.mass; });
}

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
  const double whole = mass_of(bodies);
  for (PointMass& point : result) point.mass *= whole / mass;
  return result;
}

Vec3 allowed_spin(const Vec3& spin, int dimension) {
  return dimension == 2 ? Vec3{0, 0, spin[2] < 0 ? -1.0 : 1.0} : spin;
}

}  // namespace

RelativeState relative_state(const EncounterOrbit& orbit, double total_mass) {
  const double e = orbit.eccentricity, r = orbit.separation;
  if (orbit.pericenter == 0) return {{-r, 0, 0}, {std::sqrt(2 * total_mass / r), 0, 0}};
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

void scale(std::span<Body> bodies, double length, double speed) {
  tbb::parallel_for(std::size_t{0}, bodies.size(), [&](std::size_t i) {
    bodies[i].position *= length;
    bodies[i].velocity *= speed;
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

void arrange(std::span<Body> first, std::span<Body> second, const Encounter& encounter, const EncounterForces& forces) {
  turn(first, allowed_spin(spin_axis(encounter.first, false), forces.dimension));
  turn(second, allowed_spin(spin_axis(encounter.second, true), forces.dimension));
  const double first_mass = mass_of(first), second_mass = mass_of(second), total = first_mass + second_mass;
  if (first_mass <= 0 || second_mass <= 0) return;
  RelativeState state = relative_state(encounter.orbit, total);
  // Halos that overlap attract each other less than points would; a speed for points would be too fast for them.
  const double points = first_mass * second_mass / encounter.orbit.separation;
  const double energy = mutual_energy(first, second, state.position, forces.softening);
  state.velocity *= encounter.speed_factor * std::sqrt(-energy / points);
  shift(first, state.position * (-second_mass / total), state.velocity * (-second_mass / total));
  shift(second, state.position * (first_mass / total), state.velocity * (first_mass / total));
}

}  // namespace pericenter
