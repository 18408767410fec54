#pragma once

#include "app/bench/options.h"

namespace pericenter::app {

/// Measures how long pictures of the collision take to draw, without a window: a row of options.bodies each, with the
/// times of the stages in ms. Prints the table, writes options.csv and returns an exit code. Throws OffscreenError and
/// FileError.
int run_render_bench(const BenchOptions& options);

}  // namespace pericenter::app
