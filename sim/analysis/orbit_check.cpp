#include "sim/analysis/orbit_check.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sim/core/timestep_criterion.h"

namespace pericenter {
namespace {

struct RelativeMotion {
  double gravity;  ///< G (M + m)
  Vec3 position, velocity;

  double energy(double softening) const {
    return dot(velocity, velocity) / 2 - gravity / std::sqrt(dot(position, position) + softening * softening);
  }
};

RelativeMotion relative_motion(const Body& body, const Body& center, const Params& params) {
  return {params.gravity * (center.mass + body.mass), body.position - center.position, body.velocity - center.velocity};
}

std::vector<std::size_t> heavy_bodies(const Bodies& bodies, const BodySample& sample) {
  double total = 0;
  for (std::size_t k = 0; k < bodies.size(); ++k)
    total += bodies[k].mass * static_cast<double>(k < sample.first() ? 1 : sample.stride);
  std::vector<std::size_t> heavy;
  for (std::size_t k = 0; k < bodies.size(); ++k)
    if (bodies[k].mass > 0 && bodies[k].mass >= OrbitFollower::kHeavyShare * total) heavy.push_back(k);
  std::ranges::stable_sort(heavy, [&](std::size_t a, std::size_t b) { return bodies[a].mass > bodies[b].mass; });
  if (!heavy.empty() && bodies[heavy.front()].mass < OrbitFollower::kCentralShare * total) heavy.clear();
  return heavy;
}

}  // namespace

std::optional<PassingOrbit> passing_orbit(const Body& body, const Body& center, const Params& params) {
  const RelativeMotion motion = relative_motion(body, center, params);
  PassingOrbit orbit{.energy = motion.energy(params.softening)};
  if (!(orbit.energy < 0) && !(dot(motion.position, motion.velocity) < 0)) return std::nullopt;
  const Vec3 spin = cross(motion.position, motion.velocity);
  const double width = dot(spin, spin) / motion.gravity;  // semi-latus rectum
  const double eccentricity = std::sqrt(std::max(0.0, 1 + 2 * orbit.energy * width / motion.gravity));
  orbit.pericenter = width / (1 + eccentricity);
  const double distance = std::hypot(orbit.pericenter, params.softening);
  orbit.pericenter_period = 2 * std::numbers::pi * distance * std::sqrt(distance / motion.gravity);
  return orbit;
}

OrbitCheck OrbitFollower::check(const Bodies& bodies, const BodySample& sample, const Params& params) {
  OrbitCheck found;
  if (!heavy_) heavy_ = heavy_bodies(bodies, sample);
  if (!has_orbits()) return found;
  const Place center = heavy_->front();
  const auto add = [&](Place k, const PassingOrbit& seen) {
    if (seen.pericenter_period >= found.pericenter_period) return;
    found.pericenter_period = seen.pericenter_period;
    found.pericenter = seen.pericenter;
    found.body = sample.index(k);
    found.center = sample.index(center);
  };
  for (Place k = 0; k < bodies.size(); ++k) {
    if (k == center || (heavy_->size() == 2 && k != heavy_->back())) continue;
    const std::optional<PassingOrbit> orbit = passing_orbit(bodies[k], bodies[center], params);
    if (!orbit) continue;
    add(k, *orbit);
    if (orbit->pericenter_period < kMinStepsPerOrbit * std::abs(params.dt) / most_parts(params)) {
      unresolved_.try_emplace(k, *orbit);
    } else {
      unresolved_.erase(k);
    }
  }
  for (const auto& [k, first] : unresolved_) {
    add(k, first);
    const RelativeMotion motion = relative_motion(bodies[k], bodies[center], params);
    // The energy of a parabola is 0.
    const double scale = std::max(std::abs(first.energy), motion.gravity / length(motion.position));
    const double change = std::abs(motion.energy(params.softening) - first.energy) / scale;
    if (change <= found.energy_change) continue;
    found.energy_change = change;
    found.changed_body = sample.index(k);
  }
  return found;
}

}  // namespace pericenter
