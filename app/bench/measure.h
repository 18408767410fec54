#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#include "app/base/signals.h"
#include "app/bench/input.h"
#include "sim/analysis/force_error.h"
#include "sim/core/config.h"
#include "sim/core/device.h"
#include "sim/core/stage_timings.h"
#include "sim/core/work_counts.h"

namespace pericenter::app {

/// One row of a benchmark: configuration and results.
struct BenchRow {
  Config config;
  double theta = 0;                     ///< only for solvers with a tree
  double accuracy = Params().accuracy;  ///< only for Opening::error
  std::size_t bodies = 0;

  std::string device;       ///< "CPU", or the name of the GPU
  std::string note;         ///< deviation from the requested configuration, reported by the solver
  std::size_t repeats = 0;  ///< timed steps; times are medians, with TimedSteps::dt means
  StageTimings stages;
  double step_ms = 0;   ///< wall clock
  double mean_ms = 0;   ///< mean of the wall-clock time
  double force_ms = 0;  ///< all stages except kick and drift
  WorkCounts work;
  std::size_t first_cells = 0;         ///< cells of the tree at the start of a run with TimedSteps::dt
  std::vector<std::size_t> cells;      ///< cells of the tree after each step of such a run
  std::size_t noted_steps = 0;         ///< timed steps after which the solver reported a note
  double energy_error = 0;             ///< change of the energy in such a run over its absolute value at the start
  double largest_leaf = 0;             ///< share of the bodies in the fullest cell of the last level at its end
  double dt = 0;                       ///< time step of such a run, scene units
  std::string length_unit = {};        ///< BenchInput::length_unit()
  std::vector<double> positions = {};  ///< x, y, z of each body at the end of such a run, in length_unit
  std::string warning = {};            ///< why such a run says little: its time step is too long
  std::size_t samples = 0;             ///< sampled bodies
  ForceErrors errors;

  /// Cells of the tree at the end of a run; 0 if it is none.
  std::size_t last_cells() const { return cells.empty() ? 0 : cells.back(); }
  bool has_tree() const;
  /// Whether theta, not the accuracy, is the opening criterion.
  bool has_theta() const;
  /// The multipole that the solver uses; may differ from the request.
  Multipole multipole() const;
  /// Walk, M2L, P2P and direct sum.
  double walk_ms() const;
  double bodies_per_second() const;
  /// During walk_ms(); 0 if these stages did not run.
  double interactions_per_second() const;
  double per_body(std::uint64_t count) const;  ///< count over bodies
};

/// Number of CPU threads of a row.
int threads_of(const Config& config);

/// Number of timed steps: at least `min`, then as many as fit into `seconds`, at most `max`. No further step starts if
/// it would end after `limit` seconds.
struct TimedSteps {
  std::size_t min = 1, max = 1;
  double seconds = 0, limit = std::numeric_limits<double>::infinity();
  double dt = 0;           ///< time step of a run whose tree changes; 0: the bodies stay where they are
  bool positions = false;  ///< fill in BenchRow::positions
};

/// Runs `work`. Returns why the solver or its memory refuses it, otherwise an empty string.
template <class Work>
std::string refusal_of(const Work& work) {
  try {
    work();
    return {};
  } catch (const DeviceMemoryError& error) {
    return error.what();
  } catch (const std::bad_alloc&) {
    return "out of memory";
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
}

/// Measures the row; a signal stops it after the current step. Returns the reason if the row cannot run (out of memory,
/// or rejected by the solver), otherwise an empty string.
std::string measure(const BenchInput& input, const TimedSteps& steps, StopSignals& stop, BenchRow& row);

}  // namespace pericenter::app
