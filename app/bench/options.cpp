#include "app/bench/options.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <tuple>

#include "app/bench/input.h"
#include "app/settings/command_line_error.h"
#include "app/settings/file_uses.h"
#include "app/settings/option_parser.h"
#include "sim/scenes/registry.h"
#include "sim/solvers/registry.h"

namespace pericenter::app {
namespace {

constexpr std::array<std::string_view, 3> kKinds = {"solvers", "render", "scenes"};  // order of BenchKind
constexpr std::array<std::string_view, 7> kInputs = {"plummer", "uniform", "random-masses", "collision",
                                                     kDisc,     "lattice", "small-bodies"};

constexpr Units kAnyUnits{.length_kpc = 1, .time_myr = 1};  // to check a time step before its scene is known

struct KindInfo {
  const char* description;
  const char* footer;
};

/// In the order of BenchKind.
const std::array<KindInfo, 3> kKindInfos = {{
    {"Measures the speed and the force errors of the solvers. Other benchmarks: 'pericenter bench render' "
     "(drawing)\n"
     "and 'pericenter bench scenes' (creation of scenes).",
     R"(A LIST is separated by commas. The table has one row per combination of solver, backend, number of bodies, theta (or
accuracy) and solver option that is valid; times are medians over the repeats. Columns:
  walk to threads  values of solver options and of --threads
  far              multipole of far cells, when rows differ: some solvers have no quadrupoles
  kick to direct   ms of each stage: kick and drift, download, bounds, keys, sort, build tree, moments, upload, walk, P2P
                   (near field), M2L (far field), direct sum
  step             wall-clock ms per step
  force            ms of all stages except kick and drift
  bodies           million bodies per second: n / step
  inter.           billion body-body and body-cell interactions per second, during walk or direct sum
  upload, download MB copied between CPU and GPU per step, and GB/s during the copies alone (the ms of the stage also
                   contain the work that prepares them); for solvers that build their tree on the CPU
  pairs, cells     mean number of body-body and body-cell interactions per body
  visits           mean number of nodes visited per body
  tree             cells of the tree at the start and at the end of a run with --dt
  lanes            fraction of active warp lanes per visit, for walks in which the lanes wait for each other
  mean to max      relative force error of sampled bodies, against direct summation in doubles over the bodies as rounded
                   to the precision of the solver
--csv writes the same columns and the settings, with all digits and all stages (0 if a stage did not run). The columns
cpu_stages, gpu_stages and pcie_stages name the stages that ran there.

Without --solver, octree and direct are measured with 10,000 and 100,000 bodies and three opening angles, all other
solvers with 10,000 bodies (direct-pairs: 2,000) and theta 0.7. -n and --theta apply to all solvers.

--input FILE measures all bodies of a file that pericenter --load reads, --input FILE,FILE those of several files. -n and
--seed apply to the built-in inputs only. --softening is in the length unit of the file.

Examples:
  pericenter bench                                      half a minute on two cores
  pericenter bench --solver octree -n 1000000 --theta 0.6,0.7,0.8 --csv octree.csv
  pericenter bench --solver tree-sorted --walk skip,warp --order tree,regular,shuffled
  pericenter bench --solver concurrent-octree --backend cpu --threads 1,0
  pericenter bench --solver hybrid-shared --input random-masses --dimension 2 --dt 1 --repeats 20
  pericenter bench --backend cpu,cuda --precision double --input collision
  pericenter bench --input sbdb.csv --precision double --softening 0 --dt 1h --repeats 24 --positions end.bin
  pericenter bench --solver fmm --opening angle,error --theta 0.5,0.7,1 --accuracy 1e-2,1e-3
  pericenter bench --solver direct,hybrid --input disc --dimension 2 -n 1000,10000,100000 --repeats 100 --max-seconds 10

assets/benchmarks/reproduce.py repeats published tables and figures with this command, compares tables of other codes at
equal error, and compares the positions at the end of runs with several solvers.)"},
    {"Measures the time per frame of the scene 'collision', without a window.",
     R"(Times are medians over the repeats, in ms, per stage. "far" is a frame with the whole scene on about ten pixels; "live" is
a frame with adaptive resolution (software rendering only).

Example:
  pericenter bench render -n 20000,100000 --size 1280x720)"},
    {"Measures the time to create the bodies of scenes.",
     R"(Times are medians over the repeats. With --change, "shown" is the time from the request of another scene, while one runs,
until its bodies are in an OpenGL buffer, and "stepped" the time until those of its first step are.

Examples:
  pericenter bench scenes --scene collision,plummer -n 1000000,10000000
  pericenter bench scenes --change --backend cpu -n 1000000)"},
}};

/// Applies `read` to each item of a comma-separated list.
template <class Read>
auto read_list(const Argument& argument, const Read& read) {
  std::vector<decltype(read(argument))> values;
  for (const Argument& item : list_items(argument)) values.push_back(read(item));
  return values;
}

OptionRow bodies_option(const char* group, BenchOptions& options, const char* defaults) {
  return {group, "-n,--bodies", "LIST", std::string("numbers of bodies (default: ") + defaults + ")",
          [&](const Argument& a) {
            options.bodies =
                read_list(a, [](const Argument& b) { return static_cast<std::size_t>(whole_number(b, 1)); });
          }};
}

/// Options of all subcommands. `repeats` describes the default.
void add_common_options(BenchOptions& options, const char* repeats, OptionRows& rows) {
  const char* group = "Measurement";
  rows.push_back({group, "--repeats", "R", std::string("number of timed repeats (default: ") + repeats + ")",
                  [&](const Argument& a) { options.repeats = whole_number(a, 1, 1'000'000); }});
  rows.push_back(
      {group, "--csv", "FILE", "also write the table to this file", [&](const Argument& a) { options.csv = a.text; }});
}

OptionRow backends_option(BenchOptions& options) {
  return {"What to measure",
          "--backend",
          "LIST",
          "backends: cpu, cuda (default: all available)",
          [&](const Argument& a) {
            options.backends =
                read_list(a, [](const Argument& b) { return static_cast<Backend>(one_of(b, kEnumNames<Backend>)); });
          },
          false,
          copies_of(kEnumNames<Backend>)};
}

/// Solvers and backends.
void add_solver_names(BenchOptions& options, OptionRows& rows) {
  const char* group = "What to measure";
  rows.push_back({group, "--solver", "LIST", "solvers, see pericenter --list-solvers (default: all, see below)",
                  [&](const Argument& a) {
                    const auto names = names_of(solvers());
                    options.solvers =
                        read_list(a, [&](const Argument& b) { return std::string(names[one_of(b, names)]); });
                  },
                  false, copies_of(names_of(solvers()))});
  rows.push_back(backends_option(options));
}

/// Threads and solver options.
void add_solver_variants(BenchOptions& options, OptionRows& rows) {
  rows.push_back({"What to measure", "--threads", "LIST", "CPU threads; 0 is one per core (default: 0)",
                  [&](const Argument& a) { options.threads = read_list(a, thread_count); }});
  rows.push_back(gpus_option("What to measure", options.config));
  const auto set = [&](SolverOption which, const Argument& a) {
    options.solver_options[static_cast<std::size_t>(which)] =
        read_list(a, [which](const Argument& b) { return solver_option_value(which, b); });
  };
  pericenter::app::add_solver_options("LIST", set, rows);
}

void add_solver_options(BenchOptions& options, OptionRows& rows) {
  const char* group = "What to measure";
  add_solver_names(options, rows);
  rows.push_back(bodies_option(group, options, "10000,100000"));
  rows.push_back({group, "--theta", "LIST", "opening angles, 0 to 2 (default: 0.5,0.7,1)",
                  [&](const Argument& a) { options.thetas = read_list(a, real_number); }});
  rows.push_back({group, "--accuracy", "LIST",
                  "target mean relative errors for --opening error, 1e-6 to 0.1 (default: 0.01,0.001,0.0001)",
                  [&](const Argument& a) { options.accuracies = read_list(a, real_number); }});
  add_solver_variants(options, rows);
}

/// Built-in inputs take precedence over files of the same name; ./NAME reads the file.
void set_input(const Argument& argument, BenchOptions& options) {
  const auto readable = [](const std::string& file) { return ::access(file.c_str(), R_OK) == 0; };
  options.input = argument.text;
  options.input_is_file = std::find(kInputs.begin(), kInputs.end(), argument.text) == kInputs.end();
  options.files.clear();
  if (!options.input_is_file) return;
  const bool list = argument.text.find(',') != std::string::npos && !readable(argument.text);
  options.files = list ? read_list(argument, [](const Argument& file) { return file.text; })
                       : std::vector<std::string>{argument.text};
  for (const std::string& file : options.files) {
    if (readable(file)) continue;
    const std::string reason = std::strerror(errno), hint = did_you_mean(file, kInputs);
    throw CommandLineError("--input expects " + list_of(kInputs) + ", or files; '" + file +
                               "' cannot be read: " + reason + (hint.empty() ? "." : hint),
                           kNoInput);
  }
}

void add_input_options(BenchOptions& options, OptionRows& rows) {
  const char* group = "Input";
  rows.push_back(
      {group, "--input", "NAME|LIST",
       "plummer (scale length 1), uniform, random-masses, collision, disc (at rest), lattice, small-bodies, or\n"
       "files that --load reads, with different numbers of bodies (default: plummer)",
       [&](const Argument& a) { set_input(a, options); }, false, copies_of(kInputs)});
  rows.push_back(seed_option(group, options.seed));
  rows.push_back(config_option(group, "dimension", options.config));
  rows.push_back({group, "--softening", "LENGTH",
                  "softening length in the unit of the input, 0 or more (default: 0.001)",
                  [&](const Argument& a) { options.softening = real_number(a); }});
}

void add_error_options(BenchOptions& options, OptionRows& rows) {
  const char* group = "Measurement";
  rows.push_back(
      {group, "--dt", "TIME",
       "time one run of --repeats steps of this length, with a unit (h, day, yr, Myr) or in units of the scene:\n"
       "times are means, and the table counts the cells of the tree at its start and end (default: the bodies\n"
       "stay where they are)",
       [&](const Argument& a) {
         options.dt = a.text;
         if (!(time_step_of(a.text, kAnyUnits) > 0))
           throw CommandLineError("--dt must be above 0, not '" + a.text + "'.");
       }});
  rows.push_back({group, "--positions", "FILE",
                  "with --dt: write the positions at the end of the runs, in the order of --csv: x, y, z of each body\n"
                  "as doubles, in the unit of the column length_unit of --csv",
                  [&](const Argument& a) { options.positions = a.text; }});
  rows.push_back({group, "--samples", "N", "bodies whose force error is measured (default: 2048)",
                  [&](const Argument& a) { options.samples = whole_number(a, 1); }});
  rows.push_back({group, "--max-seconds", "S",
                  "time limit per row: fewer repeats, and no row that would take longer (judged by fewer bodies)",
                  [&](const Argument& a) {
                    options.max_seconds = real_number(a);
                    if (!(options.max_seconds > 0)) throw CommandLineError("--max-seconds must be above 0.");
                  }});
}

OptionRows options_of(BenchKind kind, BenchOptions& options) {
  OptionRows rows;
  if (kind == BenchKind::solvers) {
    add_solver_options(options, rows);
    add_input_options(options, rows);
    for (const char* key : {"precision", "multipole", "integrator", "simd"})
      rows.push_back(config_option("Solver settings", key, options.config));
    add_common_options(options, "as many as fit in a second, at least 3", rows);
    add_error_options(options, rows);
    return rows;
  }
  const char* group = "What to measure";
  if (kind == BenchKind::render) {
    rows.push_back(bodies_option(group, options, "20000,100000,1000000"));
    rows.push_back({group, "--size", "WxH", "frame size in pixels (default: 1920x1080)",
                    [&](const Argument& a) { std::tie(options.width, options.height) = picture_size(a); }});
    rows.push_back(seed_option(group, options.seed));
    add_common_options(options, "25, or as many as fit in 4 seconds, at least 5", rows);
    return rows;
  }
  rows.push_back({group, "--scene", "LIST", "scenes, see pericenter --list-scenes (default: collision)",
                  [&](const Argument& a) {
                    const auto names = names_of(scenes());
                    options.scenes =
                        read_list(a, [&](const Argument& b) { return std::string(names[one_of(b, names)]); });
                  },
                  false, copies_of(names_of(scenes()))});
  rows.push_back(bodies_option(group, options, "100000,1000000"));
  rows.push_back(seed_option(group, options.seed));
  rows.push_back(config_option(group, "dimension", options.config));
  rows.push_back(
      flag(group, "--change", "also measure changes to these scenes while another one runs", options.changes));
  rows.push_back(backends_option(options));
  add_common_options(options, "3", rows);
  return rows;
}

void check_input(const BenchOptions& options, const std::vector<std::string>& given) {
  if (options.skip_bad && !options.input_is_file) throw CommandLineError("--skip-bad needs --input FILE.");
  if (!options.input_is_file) return;
  for (const char* other : {"-n", "--seed"}) {
    if (std::find(given.begin(), given.end(), other) != given.end())
      throw CommandLineError(std::string("--input FILE and ") + other +
                             " cannot be combined: all bodies of the file are measured.");
  }
}

void check_together(const BenchOptions& options) {
  if (!options.dt.empty() && options.repeats == 0)
    throw CommandLineError("--dt needs --repeats, the number of steps of the run.");
  if (!options.positions.empty() && options.dt.empty())
    throw CommandLineError("--positions needs --dt: without it the bodies stay where they are.");
  Params params{.dt = options.dt.empty() ? 0 : time_step_of(options.dt, kAnyUnits), .softening = options.softening};
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
    problems.push_back("--accuracy requires --opening error, an option of the solver fmm");
  }
  for (const std::string& problem : problems) {
    if (!problem.empty()) throw CommandLineError(problem + ".");
  }
  if (options.input_is_file) return;
  Config config = options.config;
  const bool cuda_alone = options.backends == std::vector<Backend>{Backend::cuda};
  config.backend = cuda_alone ? Backend::cuda : Backend::cpu;
  const auto most = [](const std::string& name) { return find_solver(name)->max_cuda_bodies; };
  if (!options.solvers.empty()) config.solver = *std::ranges::max_element(options.solvers, {}, most);
  const SceneInfo& scene = *find_scene(options.input == kDisc ? "uniform" : options.input);
  for (const std::size_t bodies : options.bodies) check_bodies(scene, bodies, {config});
}

void add_flags(BenchOptions& options, OptionRows& rows) {
  if (options.kind == BenchKind::solvers) {
    rows.push_back(flag("Input", "--skip-bad", "skip bodies of the file with invalid values", options.skip_bad));
    rows.push_back(flag("Input", "--test-particles", "bodies below 1e-8 of the total mass act on no other",
                        options.test_particles));
  }
  rows.push_back(
      {"Measurement", "--no-progress", "", "no progress bar", [&](const Argument&) { options.progress = false; }});
}

/// All options of a subcommand.
OptionRows make_rows(BenchOptions& options) {
  OptionRows rows = options_of(options.kind, options);
  add_flags(options, rows);
  return rows;
}

/// "bench", "bench render" ...
std::string command_name(BenchKind kind) {
  return kind == BenchKind::solvers ? "bench" : "bench " + std::string(kKinds[static_cast<std::size_t>(kind)]);
}

/// Removes the subcommand from `words`, whose first word is "bench". --picture and --make are the old spelling of
/// subcommands.
BenchKind take_kind(std::vector<std::string>& words) {
  if (words.size() > 1) {
    const auto found = std::ranges::find(kKinds, words[1]);
    if (found != kKinds.end()) {
      words.erase(words.begin() + 1);
      return static_cast<BenchKind>(found - kKinds.begin());
    }
  }
  if (std::erase(words, "--picture") > 0) return BenchKind::render;
  BenchKind kind = BenchKind::solvers;
  for (std::string& word : words) {
    if (word != "--make" && !word.starts_with("--make=")) continue;
    word.replace(0, std::string_view("--make").size(), "--scene");
    kind = BenchKind::scenes;
  }
  return kind;
}

}  // namespace

const std::string& input_name(const BenchOptions& options, std::size_t bodies) {
  const auto found = std::ranges::find(options.bodies, bodies);
  return options.input_is_file ? options.files.at(static_cast<std::size_t>(found - options.bodies.begin()))
                               : options.input;
}

std::vector<CommandInfo> bench_commands() {
  std::vector<CommandInfo> commands;
  for (std::size_t k = 0; k < kKinds.size(); ++k) {
    BenchOptions unused;
    unused.kind = static_cast<BenchKind>(k);
    const KindInfo& info = kKindInfos[k];
    commands.push_back(command_info(command_name(unused.kind), info.description, info.footer, make_rows(unused)));
  }
  return commands;
}

ParsedOptions<BenchOptions> parse_bench_command_line(int argc, const char* const* argv) {
  ParsedOptions<BenchOptions> result;
  BenchOptions& options = result.options;
  std::vector<std::string> words(argv, argv + argc);
  options.kind = take_kind(words);
  const KindInfo& info = kKindInfos[static_cast<std::size_t>(options.kind)];
  const std::string program = "pericenter " + command_name(options.kind);
  OptionParser reader({info.description, program.c_str(), info.footer}, make_rows(options));
  std::vector<const char*> arguments;
  for (const std::string& word : words) arguments.push_back(word.c_str());
  if ((result.answer = reader.read(static_cast<int>(arguments.size()), arguments.data()))) return result;
  FileUses uses;
  for (const std::string& file : options.files) uses.read("--input", file);
  uses.write("--csv", options.csv);
  uses.write("--positions", options.positions);
  if (options.kind == BenchKind::scenes && !options.backends.empty() && !options.changes)
    throw CommandLineError("--backend needs --change: bodies are created on the CPU.");
  if (options.kind == BenchKind::render || options.kind == BenchKind::scenes) return result;
  check_input(options, reader.given());
  check_together(options);
  return result;
}

}  // namespace pericenter::app
