#include "sim/scenes/model/encounter.h"

#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <stdexcept>

#include "sim/scenes/model/body_sums.h"

namespace pericenter {
namespace {

constexpr std::size_t kSample = 4096;

double mass_of(std::span<const Body> bodies) {
  return sum_over(bodies, [](const Body& body) { return body.mass; });
}

Vec3 allowed_spin(const Vec3& spin, int dimension) {
  return dimension == 2 ? Vec3{0, 0, spin[2] < 0 ? -1.0 : 1.0} : spin;
}

}  // namespace

RelativeState relative_state(const EncounterOrbit& orbit, double total_mass) {
  const double e = orbit.eccentricity, r = orbit.separation;
  if (orbit.pericenter == 0) return {{-r, 0, 0}, {std::sqrt(2 * total_mass / r), 0, 0}};
  const double parameter = orbit.pericenter * (1 + e);
  // Rounding may give slightly more than 1 at the pericentre or the apocentre.
  const double wanted = e == 0 && r == parameter ? 1 : (parameter / r - 1) / e;
  if (!(std::abs(wanted) <= 1 + 1e-9)) throw std::invalid_argument("the orbit never reaches this separation");
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

Placement rotation_to(const Vec3& spin) {
  // The rotation about the spin is arbitrary: discs are axisymmetric.
  const Vec3 across = cross(std::abs(spin[0]) < 0.9 ? Vec3{1, 0, 0} : Vec3{0, 1, 0}, spin);
  const Vec3 e1 = across * (1 / length(across));
  Placement result;
  result.axes[0] = e1;
  result.axes[1] = cross(spin, e1);
  result.axes[2] = spin;
  return result;
}

void place(std::span<Body> bodies, const Placement& placement) {
  tbb::parallel_for(std::size_t{0}, bodies.size(), [&](std::size_t i) { bodies[i] = placement(bodies[i]); });
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

PointGalaxy::PointGalaxy(std::span<const Body> bodies)
    : PointGalaxy(bodies.size(), mass_of(bodies), [&](std::size_t i) { return bodies[i]; }) {}

PointGalaxy::PointGalaxy(std::size_t count, double mass, const std::function<Body(std::size_t)>& body) : mass_(mass) {
  // Evenly spaced indices, in complete pairs (x, v), (-x, -v), which preserve the centre of mass.
  const std::size_t pairs = count / 2, used = std::min(pairs, kSample / 2);
  double sum = 0;
  const auto add = [&](std::size_t i) {
    const Body sampled = body(i);
    points_.push_back({sampled.position, sampled.mass});
    sum += sampled.mass;
  };
  for (std::size_t i = 0; i < used; ++i) {
    const std::size_t pair = i * pairs / used;
    add(2 * pair);
    add(2 * pair + 1);
  }
  if (count % 2 == 1) add(count - 1);
  for (PointMass& point : points_) point.mass *= mass / sum;
}

void PointGalaxy::place(const Placement& placement) {
  for (PointMass& point : points_) point.position = placement(Body{point.position, {}, 0, 0}).position;
}

double mutual_energy(const PointGalaxy& first, const PointGalaxy& second, const Vec3& offset, double softening) {
  const std::span<const PointMass> from = first.points(), to = second.points();
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

std::array<Placement, 2> placements(PointGalaxy first, PointGalaxy second, const Encounter& encounter,
                                    const EncounterForces& forces) {
  std::array<Placement, 2> result = {rotation_to(allowed_spin(spin_axis(encounter.first, false), forces.dimension)),
                                     rotation_to(allowed_spin(spin_axis(encounter.second, true), forces.dimension))};
  const double total = first.mass() + second.mass();
  if (first.mass() <= 0 || second.mass() <= 0) return result;
  first.place(result[0]);
  second.place(result[1]);
  RelativeState state = relative_state(encounter.orbit, total);
  // Overlapping halos attract each other less than points do; the speed for points would be too high.
  const double points = first.mass() * second.mass() / encounter.orbit.separation;
  const double energy = mutual_energy(first, second, state.position, forces.softening);
  state.velocity *= encounter.speed_factor * std::sqrt(-energy / points);
  const double shares[] = {-second.mass() / total, first.mass() / total};
  for (int k = 0; k < 2; ++k) {
    result[k].position = state.position * shares[k];
    result[k].velocity = state.velocity * shares[k];
  }
  return result;
}

void arrange(std::span<Body> first, std::span<Body> second, const Encounter& encounter, const EncounterForces& forces) {
  const auto [of_first, of_second] = placements(PointGalaxy(first), PointGalaxy(second), encounter, forces);
  place(first, of_first);
  place(second, of_second);
}

}  // namespace pericenter
