#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/config.h"

namespace pericenter::app {

/// What `pericenter bench` is to measure, checked.
struct BenchOptions {
  std::vector<std::string> solvers;  ///< empty: all that run here
  std::vector<Backend> backends;     ///< empty: those that are here
  std::vector<std::size_t> bodies = {10'000, 100'000};
  std::vector<double> thetas = {0.5, 0.7, 1};
  std::string input = "plummer";  ///< a scene, but that of the Plummer sphere has scale length 1
  std::uint64_t seed = 1;
  Config config;  ///< all but solver, backend and device
  double softening = 0.001;
  std::size_t repeats = 0;     ///< 0: as many as fit in about a second
  std::size_t samples = 2048;  ///< bodies whose force is checked, or all if there are fewer
  std::string csv;             ///< empty: none
  bool progress = true;
};

struct BenchCommandLine {
  BenchOptions options;
  std::optional<std::string> answer;  ///< what --help prints; there is nothing else to do then
};

/// Reads and checks what follows the word "bench", which is argv[0]. Throws CommandLineError.
BenchCommandLine parse_bench_command_line(int argc, const char* const* argv);

}  // namespace pericenter::app
