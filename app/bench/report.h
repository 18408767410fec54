#pragma once

#include <string>
#include <vector>

#include "app/bench/measure.h"
#include "app/bench/options.h"

namespace pericenter::app {

/// Table with aligned columns, preceded by a line with the common settings.
std::string bench_table(const BenchOptions& options, const std::vector<BenchRow>& rows);

/// CSV: header, then one line per row with settings, all stages and all digits.
std::string bench_csv(const BenchOptions& options, const std::vector<BenchRow>& rows);

}  // namespace pericenter::app
