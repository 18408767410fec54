#include "app/bench/agreement_input.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "app/bench/agreement.h"
#include "app/settings/command_line_error.h"
#include "app/settings/option_values.h"
#include "sim/files/file_origin.h"
#include "sim/files/load.h"
#include "sim/files/text_table.h"
#include "sim/files/unit_system.h"
#include "sim/scenes/registry.h"
#include "sim/solvers/registry.h"

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

/// Without built-in inputs.
void set_input_file(const Argument& argument, BenchOptions& options) {
  options.input = argument.text;
  options.input_is_file = true;
  if (::access(argument.text.c_str(), R_OK) == 0) return;
  throw CommandLineError("--input: '" + argument.text + "' cannot be read: " + std::strerror(errno) + ".", kNoInput);
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

const char* const kAgreementDescription =
    "Advances the same bodies with several solvers, and compares times, energy errors and final positions.";

const char* const kAgreementFooter =
    R"(Columns:
  step_ms          wall-clock ms per step
  total_s          wall-clock seconds of all steps
  energy_error     change of the energy during the steps, as in the status line
  l2_relative      largest L2 difference of the final positions to another solver:
                   sqrt(sum |a - b|^2) / sqrt(sum |b|^2)
  l2_AU            the same without the division, in AU (or kpc, or scene units)
  max_AU           largest distance of one body
  farthest         the solver with the largest difference
The second table has l2_relative between any two solvers. --csv writes everything into one table, with
the settings.

Without options: a day of 100,000 small bodies of the solar system, in steps of an hour. Cassell et al. 2024 ran 1,039,551
bodies of JPL's Small-Body Database; --input reads such a table, and the scene small-bodies has its distributions.

A solver whose steps would take longer than --limit is left out. The time is predicted from a step of 8,192 bodies, and
checked after every step. With --test-particles, direct sums on the CPU are fast, because massless bodies act on no other.

Examples:
  pericenter bench agreement
  pericenter bench agreement -n 1039560 --solver octree,fmm,hilbert-bvh,concurrent-octree
  pericenter bench agreement -n 1039560 --test-particles --solver direct,octree
  pericenter bench agreement --input sbdb_query_results.csv --skip-bad --theta 0.6
  pericenter bench agreement --scene collision -n 20000 --dt 0.05 --steps 100)";

void set_agreement_defaults(BenchOptions& options) {
  options.config.precision = Precision::float64;
  options.bodies = {100'000};
  options.thetas = {0.6};
  options.accuracies = {Params().accuracy};
}

/// Options of `pericenter bench agreement`.
void add_agreement_options(BenchOptions& options, OptionRows& rows) {
  const char* group = "Run";
  rows.push_back({group, "--steps", "S", "number of time steps (default: 24)",
                  [&](const Argument& a) { options.agreement.steps = whole_number(a, 1, 1'000'000); }});
  rows.push_back({group, "--dt", "TIME",
                  "time step, with a unit (h, day, yr, Myr) or in units of the scene (default: 1h)",
                  [&](const Argument& a) { options.agreement.dt = a.text; }});
  rows.push_back({group, "--theta", "ANGLE", "opening angle, 0 to 2 (default: 0.6)",
                  [&](const Argument& a) { options.thetas = {real_number(a)}; }});
  rows.push_back({group, "--softening", "LENGTH",
                  "softening length in the unit of the input, 0 or more (default: that of the scene; files: 0)",
                  [&](const Argument& a) { options.agreement.softening = real_number(a); }});
  rows.push_back({group, "--limit", "SECONDS", "leave out solvers whose steps take longer (default: 600)",
                  [&](const Argument& a) { options.agreement.limit_seconds = real_number(a); }});
  rows.push_back(flag(group, "--test-particles", "bodies below 1e-8 of the total mass act on no other",
                      options.agreement.test_particles));
  const char* input = "Input";
  rows.push_back({input, "--scene", "NAME", "scene, see pericenter --list-scenes (default: small-bodies)",
                  [&](const Argument& a) {
                    const auto names = names_of(scenes());
                    options.agreement.scene = names[one_of(a, names)];
                  },
                  false, copies_of(names_of(scenes()))});
  rows.push_back({input, "--input", "FILE", "bodies of a file that --load reads, such as a table of JPL's small bodies",
                  [&](const Argument& a) { set_input_file(a, options); }});
  rows.push_back(flag(input, "--skip-bad", "skip bodies of the file with invalid values", options.skip_bad));
  rows.push_back({input, "-n,--bodies", "N", "number of bodies of the scene (default: 100000)",
                  [&](const Argument& a) { options.bodies = {static_cast<std::size_t>(whole_number(a, 1))}; }});
  rows.push_back(seed_option(input, options.seed));
  for (const char* key : {"dimension", "precision", "multipole", "integrator", "simd"})
    rows.push_back(config_option("Solver settings", key, options.config));
  rows.push_back({"Output", "--csv", "FILE", "also write the table to this file",
                  [&](const Argument& a) { options.csv = a.text; }});
}

void check_agreement(const BenchOptions& options) {
  for (const std::string& problem :
       {problem_with(options.config), problem_with(Params{.theta = options.thetas.front()})}) {
    if (!problem.empty()) throw CommandLineError(problem + ".");
  }
  if (!(options.agreement.limit_seconds > 0)) throw CommandLineError("--limit must be a positive number of seconds.");
  if (options.input_is_file) return;
  check_bodies(*find_scene(options.agreement.scene), options.bodies.front(), options.config);
}

}  // namespace pericenter::app
