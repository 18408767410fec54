#include "sim/analysis/encounter_forecast.h"

#include <algorithm>
#include <span>
#include <utility>

#include "sim/core/simulation.h"
#include "sim/scenes/model/orbit.h"

namespace pericenter {
namespace {

constexpr std::size_t kBodies = 4000;
constexpr double kLongStep = 4;    // multiple of the time step of the scene
constexpr double kOutlined = 0.9;  // share of a galaxy within its outline
constexpr double kPassed = 1.25;   // ratio to the smallest separation beyond which the pericentre has passed
constexpr std::size_t kMinSteps = 100, kMaxSteps = 400;

/// The bodies of one galaxy, and indices of its stars.
struct Members {
  Bodies bodies;
  std::vector<std::size_t> stars;  ///< indices in all bodies; every body if there is only a halo
};

Members members_of(const Bodies& bodies, std::uint32_t galaxy) {
  Members result;
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (galaxy_of(bodies[i].tag) != galaxy) continue;
    result.bodies.push_back(bodies[i]);
    all.push_back(i);
    if (component_of(bodies[i].tag) != Component::halo) result.stars.push_back(i);
  }
  if (result.stars.empty()) result.stars = std::move(all);
  return result;
}

Vec3 middle_of(const Bodies& bodies, std::span<const std::size_t> chosen) {
  Vec3 middle;
  std::vector<double> values(chosen.size());
  for (int k = 0; k < 3 && !chosen.empty(); ++k) {
    std::ranges::transform(chosen, values.begin(), [&](std::size_t i) { return bodies[i].position[k]; });
    const auto half = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::ranges::nth_element(values, half);
    middle[k] = *half;
  }
  return middle;
}

/// Mass and motion of the centre of mass of a galaxy.
struct Motion {
  double mass = 0;
  Vec3 position, velocity;
};

Motion motion_of(const Bodies& bodies) {
  Motion result;
  for (const Body& body : bodies) {
    result.mass += body.mass;
    result.position += body.position * body.mass;
    result.velocity += body.velocity * body.mass;
  }
  if (result.mass > 0) {
    result.position *= 1 / result.mass;
    result.velocity *= 1 / result.mass;
  }
  return result;
}

/// The distance that contains the share kOutlined of the weights, given as (distance, weight).
double radius_of(std::vector<std::pair<double, double>> weights) {
  std::ranges::sort(weights);
  double whole = 0, sum = 0;
  for (const auto& [distance, weight] : weights) whole += weight;
  for (const auto& [distance, weight] : weights)
    if ((sum += weight) >= kOutlined * whole) return distance;
  return 0;
}

GalaxyOutline outline_of(const Bodies& bodies) {
  const Motion motion = motion_of(bodies);
  std::vector<std::pair<double, double>> all, disc;
  for (const Body& body : bodies) {
    const double distance = length(body.position - motion.position);
    all.push_back({distance, body.mass});
    if (component_of(body.tag) == Component::disc) disc.push_back({distance, 1});
  }
  return {motion.mass, radius_of(std::move(all)), radius_of(std::move(disc))};
}

/// Kinetic and mutual energy of two rigid galaxies, for a reduced mass of 1.
double relative_energy(const Bodies& first, const Bodies& second, double softening) {
  const Motion a = motion_of(first), b = motion_of(second);
  const Vec3 velocity = b.velocity - a.velocity;
  const double reduced = a.mass * b.mass / (a.mass + b.mass);
  return dot(velocity, velocity) / 2 +
         (reduced > 0 ? mutual_energy(PointGalaxy(first), PointGalaxy(second), {}, softening) / reduced : 0);
}

double long_step(const Scene& scene, const Encounter& encounter, double mass) {
  const double expected = mass > 0 ? time_to_pericenter(encounter.orbit, mass) : 0;
  return std::max(kLongStep * scene.params.dt, 2 * expected / kMaxSteps);
}

/// Reduces the noise of few stars by a moving average.
void smooth(std::vector<ForecastPoint>& points) {
  constexpr std::size_t kAround = 3;
  const std::vector<ForecastPoint> rough = points;
  for (std::size_t k = 0; k < points.size(); ++k) {
    const std::size_t around = std::min({kAround, k, points.size() - 1 - k});
    for (std::size_t galaxy = 0; galaxy < 2; ++galaxy) {
      Vec3 sum;
      for (std::size_t j = k - around; j <= k + around; ++j) sum += rough[j].centers[galaxy];
      points[k].centers[galaxy] = sum * (1.0 / static_cast<double>(2 * around + 1));
    }
  }
}

/// Time, distance and speed of the pericentre from the points around the nearest one.
void measure_pericenter(EncounterForecast& result) {
  const std::vector<ForecastPoint>& points = result.points;
  constexpr std::size_t kAround = 4;
  const std::size_t low = result.nearest - std::min(result.nearest, kAround);
  const std::size_t high = std::min(result.nearest + kAround, points.size() - 1);
  const ForecastPoint &from = points[low], &to = points[high];
  result.pericenter_time = points[result.nearest].time;
  result.distance = length(points[result.nearest].separation());
  if (high > low) result.speed = length(to.separation() - from.separation()) * (1 / (to.time - from.time));
}

void measure_overlap(EncounterForecast& result) {
  const double contact = result.galaxies[0].radius + result.galaxies[1].radius;
  const auto end = result.points.begin() + static_cast<std::ptrdiff_t>(result.nearest) + 1;
  const auto touch = std::find_if(result.points.begin(), end,
                                  [&](const ForecastPoint& point) { return length(point.separation()) < contact; });
  if (touch != end) result.overlap_time = touch->time;
}

}  // namespace

std::vector<SeparationPoint> separation_curve(const EncounterForecast& forecast) {
  std::vector<SeparationPoint> curve;
  for (const ForecastPoint& point : forecast.points) curve.push_back({point.time, length(point.separation())});
  return curve;
}

EncounterForecast forecast(const SceneInfo& info, SceneRequest request) {
  request.bodies = info.allowed(kBodies);
  const Scene scene = info.make(request);
  const Members first = members_of(scene.bodies, 0), second = members_of(scene.bodies, 1);
  EncounterForecast result;
  result.galaxies = {outline_of(first.bodies), outline_of(second.bodies)};
  result.energy = relative_energy(first.bodies, second.bodies, scene.params.softening);
  Params params = scene.params;
  const Encounter encounter = request.encounter.value_or(info.encounter ? *info.encounter : Encounter{});
  params.dt = long_step(scene, encounter, result.galaxies[0].mass + result.galaxies[1].mass);
  const auto simulation = Simulation::create({.dimension = request.dimension}, scene.bodies);
  const auto add_point = [&](const Bodies& bodies) {
    result.points.push_back({simulation->time(), {middle_of(bodies, first.stars), middle_of(bodies, second.stars)}});
  };
  add_point(scene.bodies);
  double closest = length(result.points.front().separation());
  bool passed = false;
  for (std::size_t step = 1; step < kMaxSteps; ++step) {
    if (request.progress && !request.progress(static_cast<double>(step) / kMaxSteps)) throw SceneCancelled{};
    simulation->step(params);
    add_point(simulation->bodies());
    const double separation = length(result.points.back().separation());
    if (!passed && separation < closest) {
      closest = separation;
      result.nearest = step;
    }
    passed = passed || separation > kPassed * closest + params.softening;
    if (passed && step >= std::max(2 * result.nearest, kMinSteps)) break;
  }
  smooth(result.points);
  measure_pericenter(result);
  measure_overlap(result);
  return result;
}

}  // namespace pericenter
