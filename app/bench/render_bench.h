#pragma once

#include "app/bench/options.h"

namespace pericenter::app {

/// Measures the time per frame of the collision, without a window: one row per number of bodies, with the stages in ms.
/// Prints the table, writes options.csv and returns an exit code. Throws OffscreenError and FileError.
int run_render_bench(const BenchOptions& options);

}  // namespace pericenter::app
