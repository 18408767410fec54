#pragma once

#include "app/bench/options.h"

namespace pericenter::app {

/// Runs a benchmark and returns an exit code. Of solvers: prints a table with one row per combination, writes the CSV.
/// Shows progress on stderr; Ctrl+C stops after the current step and keeps the rows so far. Combinations that cannot
/// run are reported on stderr. Throws CommandLineError when nothing can run, and FileError.
int run_bench(BenchOptions options);

/// Measures the time to create the bodies of options.scenes, and with options.changes that of changes to them: one row
/// per scene and number of bodies, medians. Prints the table, writes options.csv and returns an exit code. Throws
/// FileError, and std::runtime_error without OpenGL.
int run_scene_bench(const BenchOptions& options);

/// Measures the time per frame of the collision, without a window: one row per number of bodies, with the stages in ms.
/// Prints the table, writes options.csv and returns an exit code. Throws OffscreenError and FileError.
int run_render_bench(const BenchOptions& options);

}  // namespace pericenter::app
