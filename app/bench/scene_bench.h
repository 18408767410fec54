#pragma once

#include "app/bench/options.h"

namespace pericenter::app {

/// Measures how long the bodies of options.made_scenes take to make: a row for each scene and number of options.bodies,
/// the median of some. Prints the table, writes options.csv and returns an exit code. Throws FileError.
int run_scene_bench(const BenchOptions& options);

}  // namespace pericenter::app
