#pragma once

#include "app/bench_options.h"

namespace pericenter::app {

/// Times steps and checks forces, a row for each solver, backend, number of bodies and opening angle, with a progress
/// bar on stderr; prints the table and writes the CSV. Ctrl+C ends it after the step that it is in, with the rows so
/// far. What cannot run here is left out with a line on stderr. Returns an exit code; throws CommandLineError when
/// nothing can run, and FileError.
int run_bench(const BenchOptions& options);

}  // namespace pericenter::app
