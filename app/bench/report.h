#pragma once

#include <string>
#include <vector>

#include "app/bench/measure.h"
#include "app/bench/options.h"

namespace pericenter::app {

/// Aligned columns for reading, with a line of what holds for all rows.
std::string bench_table(const BenchOptions& options, const std::vector<BenchRow>& rows);

/// A header and a line a row: settings, all stages, all figures.
std::string bench_csv(const BenchOptions& options, const std::vector<BenchRow>& rows);

}  // namespace pericenter::app
