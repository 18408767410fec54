#pragma once

#include "app/bench/options.h"

namespace pericenter::app {

/// Runs the suite that was asked for (run_suite), or times steps and checks forces, a row for each solver, backend,
/// number of bodies, opening angle and combination of switches, with a progress bar on stderr; prints the table and
/// writes the CSV, and compares with another table. Ctrl+C ends it after the step that it is in, with the rows so far.
/// What cannot run here is left out with a line on stderr. Returns an exit code; throws CommandLineError when nothing
/// can run, and FileError.
int run_bench(BenchOptions options);

}  // namespace pericenter::app
