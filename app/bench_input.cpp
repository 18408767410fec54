#include "app/bench_input.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sim/force_error.h"

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

}  // namespace

BenchInput make_bench_input(const BenchOptions& options, std::size_t bodies, const Progress& progress) {
  const SceneRequest request = {.bodies = bodies,
                                .seed = options.seed,
                                .dimension = options.config.dimension,
                                .softening = options.softening,
                                .progress = progress};
  BenchInput input;
  input.bodies = find_scene(options.input)->make(request).bodies;
  if (options.input == "plummer") rescale(input.bodies);
  input.bodies = rounded(input.bodies, options.config.precision);
  const std::size_t samples = std::min(options.samples, bodies);
  for (std::size_t k = 0; k < samples; ++k) input.sampled.push_back(k * bodies / samples);
  input.exact = exact_accelerations(input.bodies, input.sampled, options.softening);
  return input;
}

}  // namespace pericenter::app
