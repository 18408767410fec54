#pragma once

#include <cstdint>
#include <string>

#include "sim/core/diagnostics.h"
#include "sim/core/simulation.h"
#include "sim/session/session_state.h"

namespace pericenter::app {

/// |P - P0| / sqrt(2 K M), where the denominator is the largest possible momentum; |P - P0| if nothing moves.
double momentum_drift(const Diagnostics& start, const Diagnostics& now);

/// Totals of a run.
struct RunTotals {
  std::uint64_t steps = 0;
  double seconds = 0;   ///< wall-clock time of the steps
  StageTimings stages;  ///< sum over the steps
  Diagnostics start, end;

  void add(const StageTimings& step);
};

/// Whether a larger softening may help where the time step is too long. `start`: of the run.
bool a_softening_helps(const SessionState& state, const Diagnostics& start);
/// What to change then: "Use a smaller --dt or a larger --softening".
std::string finer_settings(const SessionState& state, const Diagnostics& start);

/// Why the result cannot be trusted, or will not be, and what to change, as sentences; empty: there is no such reason,
/// or bodies are not finite, which ends the run with an error.
std::string doubt_about(const SessionState& state, const Diagnostics& start);

/// The summary on stdout: settings, rates, time per stage, conservation, and doubt_about() it.
std::string run_report(const SessionState& state, const Simulation& simulation, const RunTotals& totals);

}  // namespace pericenter::app
