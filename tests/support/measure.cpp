#include "tests/support/measure.h"

#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <stdexcept>
#include <string>

namespace pericenter::test {

Scene make_scene(std::string_view name, const SceneRequest& request) {
  const SceneInfo* info = find_scene(name);
  if (info == nullptr) throw std::out_of_range("unknown scene " + std::string(name));
  return info->make(request);
}

Vec3 acceleration_at(const Vec3& point, const Bodies& bodies, double softening) {
  Vec3 sum;
  for (const Body& body : bodies) {
    const Vec3 d = body.position - point;
    const double square = dot(d, d) + softening * softening;
    sum += d * (body.mass / (square * std::sqrt(square)));
  }
  return sum;
}

double virial_ratio(const Bodies& bodies, double softening) {
  std::vector<double> potential(bodies.size());
  tbb::parallel_for(std::size_t{0}, bodies.size(), [&](std::size_t i) {
    double sum = 0;
    for (std::size_t j = 0; j < i; ++j) {
      const Vec3 d = bodies[j].position - bodies[i].position;
      sum += bodies[j].mass / std::sqrt(dot(d, d) + softening * softening);
    }
    potential[i] = bodies[i].mass * sum;
  });
  double kinetic = 0;
  for (const Body& body : bodies) kinetic += 0.5 * body.mass * dot(body.velocity, body.velocity);
  return 2 * kinetic / std::accumulate(potential.begin(), potential.end(), 0.0);
}

Bodies part_of(const Bodies& bodies, const Part& part) {
  Bodies result;
  std::copy_if(bodies.begin(), bodies.end(), std::back_inserter(result), [&](const Body& body) {
    return galaxy_of(body.tag) == part.galaxy && component_of(body.tag) == part.component;
  });
  return result;
}

Vec3 mean_position(const Bodies& bodies) {
  Vec3 sum;
  for (const Body& body : bodies) sum += body.position;
  return sum * (1 / static_cast<double>(bodies.size()));
}

double half_mass_radius(const Bodies& bodies, bool in_space) {
  std::vector<double> radii;
  for (const Body& body : bodies) {
    radii.push_back(in_space ? length(body.position) : std::hypot(body.position[0], body.position[1]));
  }
  std::nth_element(radii.begin(), radii.begin() + radii.size() / 2, radii.end());
  return radii[radii.size() / 2];
}

RingMoments ring_moments(const Bodies& disc, double inner, double outer) {
  RingMoments result;
  double radial2 = 0, azimuthal = 0, azimuthal2 = 0, vertical2 = 0, z2 = 0;
  for (const auto& [position, velocity, mass, tag] : disc) {
    const double r = std::hypot(position[0], position[1]);
    if (r < inner || r >= outer) continue;
    const double out = (position[0] * velocity[0] + position[1] * velocity[1]) / r;
    const double around = (position[0] * velocity[1] - position[1] * velocity[0]) / r;
    ++result.count;
    radial2 += out * out;
    azimuthal += around;
    azimuthal2 += around * around;
    vertical2 += velocity[2] * velocity[2];
    z2 += position[2] * position[2];
  }
  const double count = static_cast<double>(result.count);
  result.mean_azimuthal = azimuthal / count;
  result.sigma_radial = std::sqrt(radial2 / count);
  result.sigma_azimuthal = std::sqrt(azimuthal2 / count - result.mean_azimuthal * result.mean_azimuthal);
  result.sigma_vertical = std::sqrt(vertical2 / count);
  result.z_rms = std::sqrt(z2 / count);
  return result;
}

}  // namespace pericenter::test
