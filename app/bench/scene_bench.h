#pragma once

#include "app/bench/options.h"

namespace pericenter::app {

/// Measures the time to create the bodies of options.scenes, and with options.changes that of changes to them: one row
/// per scene and number of bodies, medians. Prints the table, writes options.csv and returns an exit code. Throws
/// FileError, and std::runtime_error without OpenGL.
int run_scene_bench(const BenchOptions& options);

}  // namespace pericenter::app
