#pragma once

#include "app/bench/options.h"

namespace pericenter::app {

/// Runs a benchmark and returns an exit code. Of solvers: prints a table with one row per combination, writes the CSV.
/// Shows progress on stderr; Ctrl+C stops after the current step and keeps the rows so far. Combinations that cannot
/// run are reported on stderr. Throws CommandLineError when nothing can run, and FileError.
int run_bench(BenchOptions options);

}  // namespace pericenter::app
