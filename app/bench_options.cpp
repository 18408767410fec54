#include "app/bench_options.h"

#include <CLI/CLI.hpp>
#include <array>
#include <string_view>
#include <utility>

#include "app/command_line.h"
#include "app/option_rows.h"
#include "sim/scenes/registry.h"
#include "sim/solvers/registry.h"

namespace pericenter::app {
namespace {

constexpr std::array<std::string_view, 3> kInputs = {"plummer", "uniform", "collision"};

constexpr const char* kColumns =
    R"(A LIST is separated by commas. There is a row for each solver, backend, number of bodies and theta that make
sense together; times are medians over the repeats. The columns of the table:
  kick to direct   ms of each stage that ran: kick and drift, bounds, keys, sort, build tree, moments, walk, direct sum
  step             ms of a whole step by the wall clock
  force            ms of the stages that compute the forces, which is all but kick and drift
  bodies           million bodies a second: n over step
  inter.           billion interactions a second, of bodies with bodies and with cells, during walk or direct sum
  pairs, cells     interactions of a body with bodies and with cells, on average
  mean to max      relative error of the forces of sampled bodies, against direct sums in doubles over the bodies as
                   rounded to the solver's precision
The rows of --csv have the same and the settings, with all figures and all stages (0 where one did not run).

Examples:
  pericenter bench                                      some 20 seconds on two cores
  pericenter bench --solver octree -n 1000000 --theta 0.6,0.7,0.8 --csv octree.csv
  pericenter bench --backend cpu,cuda --precision double --input collision)";

/// What `read` makes of each item of the list.
template <class Read>
auto read_list(const Argument& argument, const Read& read) {
  std::vector<decltype(read(argument))> values;
  for (const Argument& item : list_items(argument)) values.push_back(read(item));
  return values;
}

void add_what_options(BenchOptions& options, ValueOptions& rows) {
  const char* group = "What is measured";
  rows.push_back(
      {group, "--solver", "LIST", "algorithms, see pericenter --list-solvers (all; direct on the CPU to 100000 bodies)",
       [&](const Argument& a) {
         const auto names = names_of(solvers());
         options.solvers = read_list(a, [&](const Argument& b) { return std::string(names[one_of(b, names)]); });
       }});
  rows.push_back({group, "--backend", "LIST", "where it is computed: cpu, cuda (what is here)", [&](const Argument& a) {
                    options.backends =
                        read_list(a, [](const Argument& b) { return static_cast<Backend>(one_of(b, kBackendNames)); });
                  }});
  rows.push_back({group, "-n,--bodies", "LIST", "numbers of bodies (10000,100000)", [&](const Argument& a) {
                    options.bodies = read_list(a, [](const Argument& b) {
                      return static_cast<std::size_t>(whole_number(b, "numbers of bodies", 1, UINT64_MAX));
                    });
                  }});
  rows.push_back({group, "--theta", "LIST", "opening angles of the tree, 0 to 2 (0.5,0.7,1)",
                  [&](const Argument& a) { options.thetas = read_list(a, real_number); }});
}

void add_input_options(BenchOptions& options, ValueOptions& rows) {
  const char* group = "The system";
  rows.push_back({group, "--input", "NAME", "plummer (of scale length 1), uniform or collision (plummer)",
                  [&](const Argument& a) { options.input = kInputs[one_of(a, kInputs)]; }});
  rows.push_back(seed_option(group, options.seed));
  rows.push_back(dimension_option(group, options.config));
  rows.push_back({group, "--softening", "LENGTH", "softening length, 0 or more (0.001)",
                  [&](const Argument& a) { options.softening = real_number(a); }});
}

void add_measuring_options(BenchOptions& options, ValueOptions& rows) {
  const char* group = "The measurement";
  rows.push_back({group, "--repeats", "R", "steps that are timed (as many as fit in a second, at least 3)",
                  [&](const Argument& a) { options.repeats = whole_number(a, "a number of steps", 1, 1'000'000); }});
  rows.push_back({group, "--samples", "N", "bodies whose force is checked (2048)",
                  [&](const Argument& a) { options.samples = whole_number(a, "a number of bodies", 1, UINT64_MAX); }});
  rows.push_back(
      {group, "--csv", "FILE", "write the table to this file, too", [&](const Argument& a) { options.csv = a.text; }});
}

void check_together(const BenchOptions& options) {
  for (const double theta : options.thetas) {
    const std::string problem = problem_with(Params{.theta = theta, .softening = options.softening});
    if (!problem.empty()) throw CommandLineError(problem + ".");
  }
  if (const std::string problem = problem_with(options.config); !problem.empty()) throw CommandLineError(problem + ".");
  const bool cuda_alone = options.backends == std::vector<Backend>{Backend::cuda};
  for (const std::size_t bodies : options.bodies) {
    check_bodies(*find_scene(options.input), bodies, cuda_alone ? Backend::cuda : Backend::cpu);
  }
}

}  // namespace

BenchCommandLine parse_bench_command_line(int argc, const char* const* argv) {
  BenchCommandLine result;
  BenchOptions& options = result.options;
  ValueOptions rows;
  add_what_options(options, rows);
  add_input_options(options, rows);
  add_config_options("How it is computed", options.config, rows);
  add_measuring_options(options, rows);

  CLI::App cli("Measures how fast the solvers are, and how exact.", "pericenter bench");
  cli.footer(kColumns);
  OptionReader reader(cli, std::move(rows));
  bool no_progress = false;
  cli.add_flag("--no-progress", no_progress, "no progress bar")->group("The measurement");
  cli.set_help_flag("-h,--help", "this text")->group("Help");
  if ((result.answer = reader.read(argc, argv))) return result;
  options.progress = !no_progress;
  check_together(options);
  return result;
}

}  // namespace pericenter::app
