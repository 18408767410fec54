#include "app/bench/agreement_options.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "app/settings/command_line_error.h"
#include "sim/scenes/registry.h"
#include "sim/solvers/registry.h"

namespace pericenter::app {
namespace {

/// Without built-in inputs.
void set_input_file(const Argument& argument, BenchOptions& options) {
  options.input = argument.text;
  options.input_is_file = true;
  if (::access(argument.text.c_str(), R_OK) == 0) return;
  throw CommandLineError("--input: '" + argument.text + "' cannot be read: " + std::strerror(errno) + ".", kNoInput);
}

}  // namespace

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
