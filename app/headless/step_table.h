#pragma once

#include <optional>
#include <string>

#include "sim/analysis/structure.h"
#include "sim/core/diagnostics.h"
#include "sim/core/simulation.h"
#include "sim/core/units.h"

namespace pericenter::app {

/// The table of --csv: step, time, milliseconds per stage, and conserved quantities in the rows where they were
/// evaluated; the separation is that of the nuclei. Unknown values are empty.
class StepTable {
 public:
  StepTable();
  /// The state before the first step.
  void add_start(const Simulation& simulation, const Units& units, const Diagnostics& start, const Diagnostics& now);
  /// The state after a step. `start`: reference of the energy error.
  void add(const Simulation& simulation, const Units& units, const Diagnostics& start,
           const std::optional<Diagnostics>& now);
  const std::string& csv() const { return csv_; }

 private:
  void add_time(const Simulation& simulation, const Units& units);
  void add_quantities(const Simulation& simulation, const Diagnostics& start, const Diagnostics& now);

  std::string csv_;
  std::optional<StructureMeter> structure_;  ///< made from the bodies of the first row
};

}  // namespace pericenter::app
