#include "app/bench/agreement_input.h"

#include <algorithm>
#include <utility>

#include "app/bench/agreement.h"
#include "app/settings/command_line_error.h"
#include "app/settings/option_values.h"
#include "sim/files/file_origin.h"
#include "sim/files/load.h"
#include "sim/files/text_table.h"
#include "sim/files/unit_system.h"
#include "sim/scenes/registry.h"

namespace pericenter::app {
namespace {

/// Fraction of the total mass below which a body acts on no other with --test-particles: above that of Pluto, below
/// that of Mercury.
constexpr double kTestParticleShare = 1e-8;

/// Reads options.input. `softening` is in the unit of the file, and converted to scene units.
Scene read_scene(const BenchOptions& options, const Progress& progress, double& softening) {
  try {
    LoadedScene loaded = scene_of(read_snapshot(options.input, {options.skip_bad, progress}));
    if (loaded.origin && !loaded.config) softening /= loaded.origin->frame.length;
    return std::move(loaded.scene);
  } catch (const InputError& error) {
    const std::string what = error.what(), file = options.input + ": ";
    throw CommandLineError(what.starts_with(file) ? what : file + what, error.missing ? kNoInput : kDataError);
  }
}

Scene make_scene(const BenchOptions& options, const Progress& progress) {
  const SceneInfo& info = *find_scene(options.agreement.scene);
  return info.make({.bodies = info.allowed(options.bodies.front()),
                    .seed = options.seed,
                    .dimension = options.config.dimension,
                    .softening = options.agreement.softening.value_or(0),
                    .progress = progress});
}

void remove_small_masses(Bodies& bodies) {
  double mass = 0;
  for (const Body& body : bodies) mass += body.mass;
  for (Body& body : bodies) {
    if (body.mass < kTestParticleShare * mass) body.mass = 0;
  }
}

}  // namespace

double time_step_of(const std::string& text, const Units& units) {
  const Argument argument{"--dt", text};
  if (parsed_number(text)) return real_number(argument);
  const double seconds = unit_size("time", text);
  if (!(seconds > 0)) {
    throw CommandLineError("--dt expects a number in units of the scene, or with a unit: " + unit_names("time") +
                           "; '" + text + "' is neither.");
  }
  if (!(units.time_myr > 0))
    throw CommandLineError("--dt " + text + ": these bodies have no physical units. Use a number in scene units.");
  return seconds / (units.time_myr * 1e6 * kYearSecond);
}

AgreementInput make_agreement_input(const BenchOptions& options, const Progress& progress) {
  double softening = options.agreement.softening.value_or(0);
  Scene scene = options.input_is_file ? read_scene(options, progress, softening) : make_scene(options, progress);
  AgreementInput input;
  input.bodies = std::move(scene.bodies);
  if (options.agreement.test_particles) remove_small_masses(input.bodies);
  if (options.config.dimension == 2) {
    for (Body& body : input.bodies) body.position[2] = body.velocity[2] = 0;
  }
  input.massive =
      static_cast<std::size_t>(std::ranges::count_if(input.bodies, [](const Body& body) { return body.mass != 0; }));
  input.params = scene.params;
  input.params.dt = time_step_of(options.agreement.dt, scene.units);
  input.params.theta = options.thetas.front();
  if (options.agreement.softening) input.params.softening = softening;
  if (const std::string problem = problem_with(input.params); !problem.empty()) throw CommandLineError(problem + ".");
  const double length_cm = scene.units.length_kpc * kKpcCm;
  input.unit = length_cm <= 0 ? "units" : length_cm < kParsecCm ? "AU" : "kpc";
  if (length_cm > 0) input.unit_length = length_cm / (length_cm < kParsecCm ? kAstronomicalUnitCm : kKpcCm);
  return input;
}

}  // namespace pericenter::app
