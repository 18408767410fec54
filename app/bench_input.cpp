#include "app/bench_input.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sim/force_error.h"
#include "sim/random.h"

namespace pericenter::app {
namespace {

constexpr double kHenonScale = 3 * std::numbers::pi / 16;  // scale length of the scene "plummer"

/// From Henon units to those in which the scale length of the Plummer sphere is 1.
void rescale(Bodies& bodies) {
  for (Body& body : bodies) {
    body.position *= 1 / kHenonScale;
    body.velocity *= std::sqrt(kHenonScale);
  }
}

Bodies make_disc(const InputRequest& request) {
  Bodies bodies(request.bodies);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    Random random(request.seed, i);
    const double radius = std::sqrt(random.uniform()), angle = 2 * std::numbers::pi * random.uniform();
    bodies[i].position = {radius * std::cos(angle), radius * std::sin(angle), 0};
    bodies[i].mass = 1 / static_cast<double>(bodies.size());
  }
  return bodies;
}

Bodies make_bodies(const InputRequest& request, const Progress& progress) {
  if (request.name == kDisc) return make_disc(request);
  Bodies bodies = find_scene(request.name)
                      ->make({.bodies = request.bodies,
                              .seed = request.seed,
                              .dimension = request.dimension,
                              .softening = request.softening,
                              .progress = progress})
                      .bodies;
  if (request.name == "plummer") rescale(bodies);
  return bodies;
}

}  // namespace

BenchInput make_bench_input(const InputRequest& request, const Progress& progress) {
  BenchInput input{request, rounded(make_bodies(request, progress), request.precision), {}, {}};
  const std::size_t samples = std::min(request.samples, request.bodies);
  for (std::size_t k = 0; k < samples; ++k) input.sampled.push_back(k * request.bodies / samples);
  input.exact = exact_accelerations(input.bodies, input.sampled, request.softening);
  return input;
}

}  // namespace pericenter::app
