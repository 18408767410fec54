#include "app/bench/input.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "sim/analysis/force_error.h"
#include "sim/core/random.h"
#include "sim/files/load.h"
#include "sim/files/scene_frame.h"
#include "sim/scenes/model/encounter.h"

namespace pericenter::app {
namespace {

constexpr double kHenonScale = 3 * std::numbers::pi / 16;  // scale length of the scene "plummer"

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
  // From Henon units to units in which the scale length of the Plummer sphere is 1.
  if (request.name == "plummer") scale(bodies, 1 / kHenonScale, std::sqrt(kHenonScale));
  return bodies;
}

BenchInput with_sample(const InputRequest& request, const Bodies& bodies) {
  BenchInput input{request, rounded(bodies, request.precision), {}, {}};
  const std::size_t samples = std::min(request.samples, request.bodies);
  for (std::size_t k = 0; k < samples; ++k) input.sampled.push_back(k * request.bodies / samples);
  input.exact = direct_accelerations(input.bodies, input.sampled, request.softening);
  return input;
}

}  // namespace

BenchInput make_bench_input(const InputRequest& request, const Progress& progress) {
  return with_sample(request, make_bodies(request, progress));
}

BenchInput read_bench_input(InputRequest request, const ReadOptions& options) {
  Snapshot snapshot = read_snapshot(request.name, options);
  if (!snapshot.run && !snapshot.bodies.empty()) request.softening /= frame_of(snapshot).length;
  Bodies bodies = scene_of(std::move(snapshot)).scene.bodies;
  if (request.dimension == 2) {
    for (Body& body : bodies) body.position[2] = body.velocity[2] = 0;
  }
  request.bodies = bodies.size();
  return with_sample(request, bodies);
}

}  // namespace pericenter::app
