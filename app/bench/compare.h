#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "app/bench/measure.h"
#include "app/bench/options.h"
#include "sim/files/snapshot.h"

namespace pericenter::app {

/// Bodies of a force measurement; missing values match anything.
struct MeasuredBodies {
  std::string input;  ///< "plummer", or a file name without its folder; empty: unknown
  std::size_t count = 0;
  std::optional<double> dimension, softening;
};

/// One measurement: time and error of a force computation.
struct MeasuredForces {
  std::string code;  ///< with its backend: "octree on cpu, 2 threads"
  MeasuredBodies bodies;
  double ms = 0, error = 0;            ///< time and mean relative error; both are positive
  double error_99 = 0, error_max = 0;  ///< 99th percentile and largest relative error; 0: unknown
};

/// Reads the rows of a CSV file that have a time and an error. Columns (the first of a group wins): peer, solver or
/// name; n or bodies; force_ms, total_ms or ms; mean_error or error_mean; optional: error_99_percent, error_max,
/// backend, threads, input, dimension, softening. Throws InputError.
std::vector<MeasuredForces> read_measurements(Bytes csv);
/// Reads a file. Throws CommandLineError with its name.
std::vector<MeasuredForces> read_measurements(const std::string& path);

std::vector<MeasuredForces> measurements_of(const BenchOptions& options, const std::vector<BenchRow>& rows);

/// Speedup over each peer on the same bodies, at each measured mean error that is inside the range of both codes. Times
/// and the larger errors are interpolated in logarithms over log error. Rows that another row of the same code beats in
/// time and error are ignored. Lists the errors outside the common range.
std::string comparison(const std::vector<MeasuredForces>& ours, const std::vector<MeasuredForces>& peers);

}  // namespace pericenter::app
