#pragma once

#include <string>
#include <vector>

#include "app/bench/measure.h"
#include "app/bench/options.h"

namespace pericenter::app {

/// What to run, and a sentence without its full stop for each thing asked for that cannot.
struct BenchPlan {
  std::vector<BenchRow> rows;  ///< with nothing measured yet, ordered by number of bodies
  std::vector<std::string> left_out;
};

/// Every combination of what `options` lists that makes sense on this machine.
BenchPlan make_bench_plan(const BenchOptions& options);

}  // namespace pericenter::app
