#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "app/bench_options.h"
#include "sim/force_error.h"
#include "sim/stage_timings.h"

namespace pericenter::app {

/// One row of a benchmark: what ran, and what was measured.
struct BenchRow {
  Config config;
  bool has_tree = false;
  double theta = 0;  ///< of solvers with a tree
  std::size_t bodies = 0;
  std::string device;       ///< "CPU", or the name of the GPU
  std::size_t repeats = 0;  ///< steps; the times are medians over them
  StageTimings stages;
  double step_ms = 0;   ///< wall clock
  double force_ms = 0;  ///< the stages that compute forces
  std::uint64_t body_interactions = 0, cell_interactions = 0;
  std::size_t samples = 0;  ///< bodies that the errors are of
  ForceErrors errors;

  double bodies_per_second() const;
  /// During the stages that do them: walk, direct sum. 0 when none of these ran.
  double interactions_per_second() const;
  double pairs_per_body() const;
  double cells_per_body() const;
};

/// Aligned columns for reading, with a line of what holds for all rows.
std::string bench_table(const BenchOptions& options, const std::vector<BenchRow>& rows);

/// A header and a line a row: settings, all stages, all figures.
std::string bench_csv(const BenchOptions& options, const std::vector<BenchRow>& rows);

}  // namespace pericenter::app
