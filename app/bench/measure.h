#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "app/base/signals.h"
#include "app/bench/input.h"
#include "sim/analysis/force_error.h"
#include "sim/core/config.h"
#include "sim/core/stage_timings.h"
#include "sim/core/work_counts.h"

namespace pericenter::app {

/// One row of a benchmark: what runs, and what was measured.
struct BenchRow {
  Config config;
  double theta = 0;                     ///< of solvers with a tree
  double accuracy = Params().accuracy;  ///< of Opening::error
  std::size_t bodies = 0;

  std::string device;       ///< "CPU", or the name of the GPU
  std::string note;         ///< what the solver did otherwise than it was asked to
  std::size_t repeats = 0;  ///< steps; the times are medians over them
  StageTimings stages;
  double step_ms = 0;   ///< wall clock
  double mean_ms = 0;   ///< the same, the mean
  double force_ms = 0;  ///< the stages that compute forces
  WorkCounts work;
  std::size_t samples = 0;  ///< bodies that the errors are of
  ForceErrors errors;

  bool has_tree() const;
  /// Theta, not the accuracy, decides what its cells act on.
  bool has_theta() const;
  /// What its cells act with, which is not for every solver what was asked for.
  Multipole multipole() const;
  /// Of the stages that compute forces from bodies and cells: walk, direct sum.
  double walk_ms() const;
  double bodies_per_second() const;
  /// During walk_ms(). 0 when these stages did not run.
  double interactions_per_second() const;
  double per_body(std::uint64_t count) const;  ///< count over bodies
};

/// Cores that a CPU row takes.
int threads_of(const Config& config);

/// How many steps are timed: `most` of them, or from `fewest` on as many as fit into `seconds`.
struct TimedSteps {
  std::size_t fewest = 1, most = 1;
  double seconds = 0;
};

/// Measures the row; a signal ends it after the step that it is in. Returns why it cannot be, empty when it was: the
/// bodies do not fit into a memory, or the solver refuses.
std::string measure(const BenchInput& input, const TimedSteps& steps, StopSignals& stop, BenchRow& row);

}  // namespace pericenter::app
