#pragma once

#include <cstddef>
#include <functional>

#include "sim/run/run_watcher.h"
#include "sim/session/session_state.h"

namespace pericenter {

struct SessionOptions {
  /// Receives the state while a scene is created or a simulation rebuilt; returns false to cancel. Empty: no reports.
  std::function<bool(const SessionState&)> report = {};
  /// Shows the bodies of a new scene while its first forces are computed: fills a vertex buffer and receives the state
  /// of the start of this scene, as report() does. If the scene is then cancelled, the state is again that of the old
  /// one. Returns false, and does neither, if there is no buffer. Empty: new scenes are shown with their first forces.
  std::function<bool(Simulation& scene, const SessionState& state, const PublishedFrame& start)> preview = {};
  /// Parameters of a new scene from the suggested ones. Empty: the suggested ones.
  std::function<Params(const Params& suggested)> initial_params = {};
  double diagnostics_period = 0.25;  ///< seconds between evaluations, which cost about one step each

  // As in RunOptions.
  bool allows_rollback = true;
  bool records_history = false;
  bool records = true;
  bool reports_encounters = true;
  std::size_t encounter_sample = std::size_t{1} << 18;
  bool samples_forces = false;  ///< see request::SampleForces
  bool measures_each_step = false;

  RunOptions run_options() const {
    return {initial_params,     allows_rollback,  records_history,   records,
            reports_encounters, encounter_sample, measures_each_step};
  }
};

}  // namespace pericenter
