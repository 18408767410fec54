#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "app/settings/option_parser.h"
#include "sim/core/config.h"

namespace pericenter::app {

/// Subcommands of `pericenter bench`; without one it measures solvers.
enum class BenchKind { solvers, render, scenes };

/// Checked options of `pericenter bench`.
struct BenchOptions {
  BenchKind kind = BenchKind::solvers;
  std::vector<std::size_t> bodies;  ///< empty: defaults of the subcommand or solver
  std::uint64_t seed = 1;
  std::size_t repeats = 0;  ///< 0: default of the subcommand
  std::string csv;          ///< empty: no file
  bool progress = true;

  // Options of bench solvers.
  std::vector<std::string> solvers;  ///< empty: all solvers that run here
  std::vector<Backend> backends;     ///< empty: all available
  std::vector<double> thetas;        ///< empty: defaults of the solver
  std::vector<double> accuracies;    ///< values for Opening::error; empty: defaults
  std::vector<int> threads = {0};    ///< CPU threads; CUDA uses only the first value
  std::array<std::vector<int>, kSolverOptionCount>
      solver_options;             ///< values to measure of each SolverOption; empty: default of the solver
  std::string input = "plummer";  ///< InputRequest::name, or a file
  bool input_is_file = false;
  std::vector<std::string> files;  ///< files of `input`, one per number of bodies
  bool skip_bad = false;           ///< skip bodies of the file with invalid values
  Config config;  ///< all except solver, backend, device, threads and solver options; `dimension` also for scenes
  double softening = 0.001;     ///< length unit of the input
  bool test_particles = false;  ///< only bodies of at least 1e-8 of the total mass act
  std::string dt;               ///< time step of a run of `repeats` steps, see time_step_of(); empty: the bodies rest
  std::string positions;        ///< file for the positions at the end of such runs; empty: none
  std::size_t samples = 2048;   ///< number of bodies whose force error is measured; all if there are fewer
  double max_seconds = std::numeric_limits<double>::infinity();  ///< time limit per row

  // Options of bench render.
  int width = 1920, height = 1080;

  // Options of bench scenes.
  std::vector<std::string> scenes = {"collision"};
  bool changes = false;  ///< also measure changes to them, on `backends`
};

/// InputRequest::name, or the file that has this number of bodies.
const std::string& input_name(const BenchOptions& options, std::size_t bodies);

/// Parses the command line; argv[0] is "bench". Throws CommandLineError.
ParsedOptions<BenchOptions> parse_bench_command_line(int argc, const char* const* argv);
/// `pericenter bench` and its subcommands, for the manual.
std::vector<CommandInfo> bench_commands();

}  // namespace pericenter::app
