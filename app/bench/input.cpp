#include "app/bench/input.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "app/settings/command_line_error.h"
#include "app/settings/option_values.h"
#include "sim/analysis/force_error.h"
#include "sim/core/random.h"
#include "sim/files/load.h"
#include "sim/files/scene_frame.h"
#include "sim/files/text_table.h"
#include "sim/files/unit_system.h"
#include "sim/scenes/model/encounter.h"

namespace pericenter::app {
namespace {

constexpr double kHenonScale = 3 * std::numbers::pi / 16;  // scale length of the scene "plummer"

/// Fraction of the total mass below which a test particle acts on no other body: above that of Pluto, below that of
/// Mercury.
constexpr double kTestParticleShare = 1e-8;

void remove_small_masses(Bodies& bodies) {
  double mass = 0;
  for (const Body& body : bodies) mass += body.mass;
  for (Body& body : bodies) {
    if (body.mass < kTestParticleShare * mass) body.mass = 0;
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

Scene make_scene(const InputRequest& request, const Progress& progress) {
  Scene scene;
  if (request.name == kDisc) {
    scene.bodies = make_disc(request);
    return scene;
  }
  scene = find_scene(request.name)
              ->make({.bodies = request.bodies,
                      .seed = request.seed,
                      .dimension = request.dimension,
                      .softening = request.softening,
                      .progress = progress});
  // From Henon units to units in which the scale length of the Plummer sphere is 1.
  if (request.name == "plummer") scale(scene.bodies, 1 / kHenonScale, std::sqrt(kHenonScale));
  return scene;
}

BenchInput with_sample(const InputRequest& request, Scene scene) {
  if (request.test_particles) remove_small_masses(scene.bodies);
  BenchInput input{request, rounded(scene.bodies, request.precision), {}, {}, scene.units};
  const std::size_t samples = std::min(request.samples, request.bodies);
  for (std::size_t k = 0; k < samples; ++k) input.sampled.push_back(k * request.bodies / samples);
  input.exact = direct_accelerations(input.bodies, input.sampled, request.softening);
  return input;
}

}  // namespace

BenchInput make_bench_input(const InputRequest& request, const Progress& progress) {
  return with_sample(request, make_scene(request, progress));
}

BenchInput read_bench_input(InputRequest request, const ReadOptions& options) {
  Snapshot snapshot = read_snapshot(request.name, options);
  if (!snapshot.run && !snapshot.bodies.empty()) request.softening /= frame_of(snapshot).length;
  Scene scene = scene_of(std::move(snapshot)).scene;
  if (request.dimension == 2) {
    for (Body& body : scene.bodies) body.position[2] = body.velocity[2] = 0;
  }
  request.bodies = scene.bodies.size();
  return with_sample(request, std::move(scene));
}

const char* BenchInput::length_unit() const {
  if (units.length_kpc <= 0) return "units";
  return units.length_kpc * kKpcCm < kParsecCm ? "AU" : "kpc";
}

double BenchInput::unit_length() const {
  if (units.length_kpc <= 0) return 1;
  const double cm = units.length_kpc * kKpcCm;
  return cm / (cm < kParsecCm ? kAstronomicalUnitCm : kKpcCm);
}

double time_step_of(const std::string& text, const Units& units) {
  if (parsed_number(text)) return real_number({"--dt", text});
  const double seconds = unit_size("time", text);
  if (!(seconds > 0)) {
    throw CommandLineError("--dt expects a number in units of the scene, or with a unit: " + unit_names("time") +
                           "; '" + text + "' is neither.");
  }
  if (!(units.time_myr > 0))
    throw CommandLineError("--dt " + text + ": these bodies have no physical units. Use a number in scene units.");
  return seconds / (units.time_myr * 1e6 * kYearSecond);
}

}  // namespace pericenter::app
