#include "app/bench/options.h"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <tuple>
#include <utility>

#include "app/bench/suites.h"
#include "app/cli/command_line.h"
#include "app/cli/option_parser.h"
#include "sim/scenes/registry.h"
#include "sim/solvers/registry.h"

namespace pericenter::app {
namespace {

constexpr std::array<std::string_view, 3> kInputs = {"plummer", "uniform", "collision"};
/// What has a meaning with --picture.
constexpr std::array<std::string_view, 5> kOfPictures = {"-n", "--size", "--seed", "--repeats", "--csv"};
/// What has a meaning with --make.
constexpr std::array<std::string_view, 6> kOfMaking = {"--make", "-n", "--seed", "--dimension", "--repeats", "--csv"};
/// What has a meaning with --suite; the rest is the suite's own.
constexpr std::array<std::string_view, 6> kOfSuites = {"--suite", "--out", "--backend", "-n", "--threads", "--seed"};

constexpr const char* kColumns =
    R"(A LIST is separated by commas. There is a row for each solver, backend, number of bodies, theta (or accuracy) and choice of
the optimization ladder that make sense together; times are medians over the repeats. The columns of the table:
  walk to threads  what was asked for of the ladder and of --threads
  far              what far cells act with, where that is not the same for all: some solvers have no quadrupoles
  kick to direct   ms of each stage that ran: kick and drift, download, bounds, keys, sort, build tree, moments, upload,
                   walk, near field, far field, direct sum
  step             ms of a whole step by the wall clock
  force            ms of the stages that compute the forces, which is all but kick and drift
  bodies           million bodies a second: n over step
  inter.           billion interactions a second, of bodies with bodies and with cells, during walk or direct sum
  pairs, cells     interactions of a body with bodies and with cells, on average
  visits           nodes that walks have looked at, over the bodies
  lanes            share of the lanes of a warp that work on a visit, where they wait for each other
  mean to max      relative error of the forces of sampled bodies, against direct sums in doubles over the bodies as
                   rounded to the solver's precision
The rows of --csv have the same and the settings, with all figures and all stages (0 where one did not run).

Without --solver, octree and direct are measured with 10000 and 100000 bodies and three opening angles, every other
solver with 10000 bodies (direct-pairs: 2000) and theta 0.7; -n and --theta are for all.

--input FILE measures the bodies of any file that pericenter --load reads, all of them: -n and --seed go with the names
alone. --softening is in the file's own unit of length.

--compare FILE adds how many times as fast as the codes in a table ours are at the same mean error: at each error that
one side has measured and both sides embrace, with the other side's time interpolated (straight lines between its rows
in log time over log error, its fastest rows only); nothing is extrapolated. FILE is what --csv has written before, or
has the columns peer,n,theta,force_ms,mean_error. Also read: solver or name for peer, bodies for n, total_ms or ms for
force_ms, error_mean for mean_error; and where they are there backend, threads, input, dimension and softening, of which
the last three and n must be those of this run (a file plummer_1e6.bin is of input plummer). Lines after # are comments.

A suite repeats a published table or figure with its own settings and writes NAME.csv and NAME.svg.

Examples:
  pericenter bench                                      half a minute on two cores
  pericenter bench --solver octree -n 1000000 --theta 0.6,0.7,0.8 --csv octree.csv
  pericenter bench --solver tree-sorted --walk skip,warp --order tree,regular,shuffled
  pericenter bench --solver concurrent-octree --backend cpu --threads 1,0
  pericenter bench --backend cpu,cuda --precision double --input collision
  pericenter bench --solver fmm --opening angle,error --theta 0.5,0.7,1 --accuracy 1e-2,1e-3
  pericenter bench --solver octree --input plummer_1e6.bin --theta 0.4,0.5,0.7,1 --compare peers.csv
  pericenter bench --suite scaling --quick
  pericenter bench --picture -n 20000,100000 --size 1280x720
  pericenter bench --make collision,plummer -n 1000000,10000000)";

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
      {group, "--solver", "LIST", "algorithms, see pericenter --list-solvers (all, see below)", [&](const Argument& a) {
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
  rows.push_back({group, "--accuracy", "LIST",
                  "mean relative errors to aim at with --opening error, 1e-6 to 0.1 (0.01,0.001,0.0001)",
                  [&](const Argument& a) { options.accuracies = read_list(a, real_number); }});
  rows.push_back({group, "--threads", "LIST", "threads on the CPU; 0 is one a core (0)",
                  [&](const Argument& a) { options.threads = read_list(a, thread_count); }});
  const auto set = [&](SolverOption which, const Argument& a) {
    options.solver_options[static_cast<std::size_t>(which)] =
        read_list(a, [which](const Argument& b) { return solver_option_value(which, b); });
  };
  add_switch_options("LIST", set, rows);
}

void add_suite_options(BenchOptions& options, ValueOptions& rows) {
  const char* group = "Suites";
  rows.push_back(
      {group, "--suite", "NAME", "repeat a published table or figure, see --list-suites", [&](const Argument& a) {
         const auto names = names_of(suites());
         options.suite = names[one_of(a, names)];
       }});
  rows.push_back({group, "--out", "FOLDER", "where the suite writes NAME.csv and NAME.svg (the current folder)",
                  [&](const Argument& a) { options.out = a.text; }});
}

void add_picture_options(BenchOptions& options, ValueOptions& rows) {
  rows.push_back({"Pictures", "--size", "WxH", "size of the pictures (1920x1080)",
                  [&](const Argument& a) { std::tie(options.width, options.height) = picture_size(a); }});
}

void add_making_options(BenchOptions& options, ValueOptions& rows) {
  rows.push_back({"Scenes", "--make", "LIST",
                  "measure how long the bodies of these scenes take to make, and nothing else",
                  [&](const Argument& argument) {
                    const auto names = names_of(scenes());
                    for (const Argument& a : list_items(argument))
                      options.made_scenes.emplace_back(names[one_of(a, names)]);
                  }});
}

/// A name goes before a file of that name, which ./ in front of it still reaches.
void set_input(const Argument& argument, BenchOptions& options) {
  options.input = argument.text;
  options.input_is_file = std::find(kInputs.begin(), kInputs.end(), argument.text) == kInputs.end();
  if (!options.input_is_file || ::access(argument.text.c_str(), R_OK) == 0) return;
  const std::string reason = std::strerror(errno), hint = did_you_mean(argument.text, kInputs);
  throw CommandLineError("--input takes " + list_of(kInputs) + ", or a file; '" + argument.text +
                             "' is none that can be read: " + reason + (hint.empty() ? "." : hint),
                         kNoInput);
}

void add_input_options(BenchOptions& options, ValueOptions& rows) {
  const char* group = "The system";
  rows.push_back({group, "--input", "NAME|FILE",
                  "plummer (of scale length 1), uniform, collision, or a file that --load reads (plummer)",
                  [&](const Argument& a) { set_input(a, options); }});
  rows.push_back(seed_option(group, options.seed));
  rows.push_back(dimension_option(group, options.config));
  rows.push_back({group, "--softening", "LENGTH", "softening length in the unit of the input, 0 or more (0.001)",
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
  rows.push_back({group, "--compare", "FILE", "how many times as fast as the codes in this table, at equal error",
                  [&](const Argument& a) { options.compare = a.text; }});
}

void check_suite(const BenchOptions& options, const std::vector<std::string>& given) {
  for (const std::string& name : given) {
    if (options.suite.empty() && name == "--out") throw CommandLineError("--out needs --suite.");
    if (options.suite.empty() || std::find(kOfSuites.begin(), kOfSuites.end(), name) != kOfSuites.end()) continue;
    throw CommandLineError("suite " + options.suite + " has its own " + name + ", so leave one of the two out.");
  }
  if (options.quick && options.suite.empty()) throw CommandLineError("--quick needs --suite.");
}

void check_picture(const BenchOptions& options, const std::vector<std::string>& given) {
  if (options.picture && !options.suite.empty()) throw CommandLineError("--picture and --suite do not go together.");
  for (const std::string& name : given) {
    if (!options.picture && name == "--size") throw CommandLineError("--size needs --picture.");
    if (!options.picture || std::find(kOfPictures.begin(), kOfPictures.end(), name) != kOfPictures.end()) continue;
    throw CommandLineError(name + " has no meaning with --picture, so leave one of the two out.");
  }
}

void check_making(const BenchOptions& options, const std::vector<std::string>& given) {
  if (options.made_scenes.empty()) return;
  if (options.picture || !options.suite.empty())
    throw CommandLineError("--make goes neither with --picture nor with --suite.");
  for (const std::string& name : given) {
    if (std::find(kOfMaking.begin(), kOfMaking.end(), name) == kOfMaking.end())
      throw CommandLineError(name + " has no meaning with --make, so leave one of the two out.");
  }
}

void check_input(const BenchOptions& options, const std::vector<std::string>& given) {
  if (options.skip_bad && !options.input_is_file) throw CommandLineError("--skip-bad needs --input FILE.");
  if (!options.input_is_file) return;
  for (const char* other : {"-n", "--seed"}) {
    if (std::find(given.begin(), given.end(), other) != given.end())
      throw CommandLineError(std::string("--input FILE and ") + other +
                             " exclude each other: the file has its own bodies, and all of them are measured.");
  }
}

void check_together(const BenchOptions& options) {
  Params params{.softening = options.softening};
  std::vector<std::string> problems = {problem_with(params), problem_with(options.config)};
  for (const double theta : options.thetas) {
    params.theta = theta;
    problems.push_back(problem_with(params));
  }
  params.theta = Params().theta;
  for (const double accuracy : options.accuracies) {
    params.accuracy = accuracy;
    problems.push_back(problem_with(params));
  }
  const auto& openings = options.solver_options[static_cast<std::size_t>(SolverOption::opening)];
  if (!options.accuracies.empty() && std::ranges::count(openings, static_cast<int>(Opening::error)) == 0) {
    problems.push_back("--accuracy has no meaning without --opening error, which the solver fmm has");
  }
  for (const std::string& problem : problems) {
    if (!problem.empty()) throw CommandLineError(problem + ".");
  }
  if (options.input_is_file) return;
  if (!options.made_scenes.empty()) return;  // the bodies alone: what does not fit is left out
  Config config = options.config;
  const bool cuda_alone = options.backends == std::vector<Backend>{Backend::cuda};
  config.backend = cuda_alone ? Backend::cuda : Backend::cpu;
  const auto most = [](const std::string& name) { return find_solver(name)->max_cuda_bodies; };
  if (!options.solvers.empty()) config.solver = *std::ranges::max_element(options.solvers, {}, most);
  for (const std::size_t bodies : options.bodies) check_bodies(*find_scene(options.input), bodies, config);
}

struct Flags {
  bool no_progress = false, list_suites = false;
};

void add_flags(CLI::App& cli, BenchOptions& options, Flags& flags) {
  cli.add_flag("--picture", options.picture, "measure how long pictures of -n bodies take to draw, and nothing else")
      ->group("Pictures");
  cli.add_flag("--quick", options.quick, "the short version of the suite: fewer bodies, less time")->group("Suites");
  cli.add_flag("--list-suites", flags.list_suites, "print the names of the suites and what they repeat")
      ->group("Suites");
  cli.add_flag("--skip-bad", options.skip_bad, "leave out bodies of the file with numbers that cannot be used")
      ->group("The system");
  cli.add_flag("--no-progress", flags.no_progress, "no progress bar")->group("The measurement");
  cli.set_help_flag("-h,--help", "this text")->group("Help");
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
  add_picture_options(options, rows);
  add_making_options(options, rows);
  add_suite_options(options, rows);

  CLI::App cli("Measures how fast the solvers are, and how exact.", "pericenter bench");
  cli.footer(kColumns);
  OptionReader reader(cli, std::move(rows));
  Flags flags;
  add_flags(cli, options, flags);
  if ((result.answer = reader.read(argc, argv))) return result;
  if (flags.list_suites) result.answer = list_of_suites();
  if (result.answer) return result;
  options.progress = !flags.no_progress;
  check_making(options, reader.given());
  if (!options.made_scenes.empty()) return result;
  check_picture(options, reader.given());
  if (options.picture) return result;
  check_suite(options, reader.given());
  check_input(options, reader.given());
  check_together(options);
  return result;
}

}  // namespace pericenter::app
