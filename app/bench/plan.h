#pragma once

#include <string>
#include <vector>

#include "app/bench/measure.h"
#include "app/bench/options.h"

namespace pericenter::app {

/// Rows to measure, and reasons for requested rows that cannot run.
struct BenchPlan {
  std::vector<BenchRow> rows;  ///< rows to measure, ordered by number of bodies
  std::vector<std::string> left_out;
  std::vector<std::string> unused;  ///< requested options that no row has, with the reason
};

/// All valid combinations of `options` on this machine.
BenchPlan make_bench_plan(const BenchOptions& options);

}  // namespace pericenter::app
