#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "app/base/signals.h"
#include "app/cli/options.h"
#include "app/headless/run_report.h"
#include "sim/core/simulation.h"
#include "sim/session/checkpoint.h"
#include "sim/session/session_state.h"

namespace pericenter::app {

/// A run without a window, and what it adds up.
struct HeadlessRun {
  const Options& options;
  std::string name;  ///< of the scene, or of the file
  Scene scene;
  Params params;
  std::unique_ptr<Simulation> simulation;
  RunTotals totals;
  StepTable table;
  SceneRequest request;
  std::uint64_t first_steps = 0;      ///< that a saved run had when it was loaded
  std::optional<TimeRange> recorded;  ///< of a series that is played
  Checkpoint good{false};             ///< from which it goes on without its GPU
  bool recovered = false;             ///< it lost its GPU, and no step has been done since
  bool warned = false;                ///< of a step that is too long for the fastest body
};

/// The run that the options ask for, before its first step. Throws InputError, SceneCancelled, DeviceMemoryError.
HeadlessRun prepare(const Options& options, StopSignals& stop);

/// How a run is watched: rows of the table only when `with_table`; `after_step` sees each step.
struct Watch {
  bool with_table = false, with_progress = false;
  std::function<void()> after_step;
};

/// Runs `steps` steps, or fewer when a signal comes. Where the GPU is lost it goes on from its last copy on the CPU,
/// and says so on stderr; throws DeviceLost where there is no copy.
void advance(HeadlessRun& run, std::uint64_t steps, const Watch& watch, StopSignals& stop);

/// What the window would be told of the run.
SessionState state_of(const HeadlessRun& run);

}  // namespace pericenter::app
