#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "app/bench/measure.h"
#include "app/bench/options.h"
#include "sim/files/snapshot.h"

namespace pericenter::app {

/// Bodies that forces were computed on; what a table does not tell agrees with anything.
struct MeasuredBodies {
  std::string input;  ///< "plummer", or the name of a file without its folder; empty: not told
  std::size_t count = 0;
  std::optional<double> dimension, softening;
};

/// One row of a table: how long a code took to compute the forces, and how wrong they are.
struct MeasuredForces {
  std::string code;  ///< with what it ran on: "octree on cpu, 2 threads"
  MeasuredBodies bodies;
  double ms = 0, error = 0;  ///< `error` is the mean of the relative ones; both are above 0
};

/// The rows of a CSV file that have a time and an error. Columns, of which the first of those in a group counts: peer,
/// solver or name; n or bodies; force_ms, total_ms or ms; mean_error or error_mean; and if there are any: backend,
/// threads, input, dimension, softening. Throws InputError.
std::vector<MeasuredForces> read_measurements(Bytes csv);
/// The same of a file. Throws CommandLineError, which names it.
std::vector<MeasuredForces> read_measurements(const std::string& path);

std::vector<MeasuredForces> measurements_of(const BenchOptions& options, const std::vector<BenchRow>& rows);

/// How many times as fast as each peer on the same bodies we are: at every mean error that rows of either have and that
/// those of both embrace, by interpolating the logarithm of the time over that of the error. Of each code the fastest
/// rows count: one that is beaten in time and error by another of the same code does not. Names what lies outside.
std::string comparison(const std::vector<MeasuredForces>& ours, const std::vector<MeasuredForces>& peers);

}  // namespace pericenter::app
