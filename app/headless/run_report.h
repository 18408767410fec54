#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "sim/core/diagnostics.h"
#include "sim/core/simulation.h"
#include "sim/scenes/registry.h"

namespace pericenter::app {

/// |P - P0| over sqrt(2 K M), which no sum of the bodies' momenta can exceed; absolute when nothing moves.
double momentum_drift(const Diagnostics& start, const Diagnostics& now);

/// Rows of --csv: step, time, milliseconds of every stage, and energy where it was evaluated.
class StepTable {
 public:
  StepTable();
  void add(const Simulation& simulation, const Diagnostics& start, const std::optional<Diagnostics>& now);
  const std::string& csv() const { return csv_; }

 private:
  std::string csv_;
};

/// What a run without a window adds up.
struct RunTotals {
  std::uint64_t steps = 0;
  double seconds = 0;   ///< of wall-clock time in the steps
  StageTimings stages;  ///< summed over the steps
  Diagnostics start, end;

  void add(const StageTimings& step);
};

/// What stands on stdout at the end: the run in a sentence, stages with their share, rates and conservation.
std::string run_report(const std::string& scene, const Units& units, const Params& params, const Simulation& simulation,
                       const RunTotals& totals);

}  // namespace pericenter::app
