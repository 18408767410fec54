#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/core/config.h"

namespace pericenter::app {

/// What `pericenter bench` is to measure, checked.
struct BenchOptions {
  std::vector<std::string> solvers;  ///< empty: all that run here
  std::vector<Backend> backends;     ///< empty: those that are here
  std::vector<std::size_t> bodies;   ///< empty: what suits the solver or the suite
  std::vector<double> thetas;        ///< empty: what suits the solver
  std::vector<double> accuracies;    ///< of Opening::error; empty: some
  std::vector<int> threads = {0};    ///< of the CPU; only the first is for CUDA and for suites
  std::array<std::vector<int>, kSolverOptionCount>
      solver_options;             ///< values to measure of each SolverOption; empty: the solver's default
  std::string input = "plummer";  ///< as in InputRequest, or a file
  bool input_is_file = false;
  bool skip_bad = false;  ///< leave out bodies of the file with numbers that cannot be used
  std::uint64_t seed = 1;
  Config config;               ///< all but solver, backend, device, threads and switches
  double softening = 0.001;    ///< in the unit of length of the input
  std::size_t repeats = 0;     ///< 0: as many as fit in about a second
  std::size_t samples = 2048;  ///< bodies whose force is checked, or all if there are fewer
  std::string csv;             ///< empty: none
  std::string compare;         ///< a table to compare with; empty: none
  bool progress = true;

  bool picture = false;             ///< how long pictures take to draw, instead of all that
  int width = 1920, height = 1080;  ///< of those pictures

  std::vector<std::string> made_scenes;  ///< how long their bodies take to make, instead of all that

  std::string suite;      ///< empty: none, and all of the above counts
  std::string out = ".";  ///< folder for the files of the suite
  bool quick = false;     ///< its short version
};

struct BenchCommandLine {
  BenchOptions options;
  std::optional<std::string> answer;  ///< what --help or --list-suites prints; there is nothing else to do then
};

/// Reads and checks what follows the word "bench", which is argv[0]. Throws CommandLineError.
BenchCommandLine parse_bench_command_line(int argc, const char* const* argv);

}  // namespace pericenter::app
