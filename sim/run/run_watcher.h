#pragma once

#include <cstddef>
#include <functional>

#include "sim/core/simulation.h"
#include "sim/run/body_measurements.h"
#include "sim/run/checkpoint.h"
#include "sim/run/lab_recorder.h"
#include "sim/run/run_state.h"

namespace pericenter {

/// Which measurements a run makes.
struct RunOptions {
  /// Parameters of a new scene from the suggested ones. Empty: the suggested ones.
  std::function<Params(const Params& suggested)> initial_params = {};
  bool allows_rollback = true;     ///< stores two checkpoints instead of one
  bool records_history = false;    ///< needed by the timeline: seek, replay, branches, and undo of a reset
  bool records = true;             ///< collects RunState::record
  bool reports_encounters = true;  ///< finds the events of an encounter, also without a record
  /// Bodies that the events of an encounter come from if there is no memory for a copy of all.
  std::size_t encounter_sample = std::size_t{1} << 18;
  bool measures_each_step = false;  ///< measures the structure after each step; otherwise at most 1 % of the time
};

/// A run as its watchers see it.
struct RunView {
  Simulation& simulation;
  RunState& state;  ///< each watcher writes its part, and may read all
  LabRecorder& record;
  BodyMeasurements& bodies;
  const Checkpoints& checkpoints;
  const RunOptions& options;
  double step_seconds = 0;             ///< duration of the last step with its diagnostics
  double bodies_per_second = 0;        ///< RunState::bodies_per_second, up to date
  bool running = false;                ///< the next step follows soon
  bool samples_forces = false;         ///< request::SampleForces
  bool device_copy_is_in_use = false;  ///< only one copy of the bodies exists on the device

  /// Position and time of the current bodies on the timeline.
  TimelinePoint now() const {
    const double time = simulation.time();
    return {state.playback ? time : static_cast<double>(simulation.steps()), time};
  }
  /// Configuration of the simulation; during a playback that of a simulation which continues from it.
  const Config& config() const { return state.playback ? state.config : simulation.config(); }
};

/// A measurement along the course of a run. It has its own members, which a copy of the run takes along, and writes
/// what it finds in the state or the record of the run. Each is a member of `Course` and a row of Run::watchers().
class RunWatcher {
 public:
  virtual ~RunWatcher() = default;

  /// A run starts from these bodies, whose diagnostics are in the state.
  virtual void begin(const RunView&) {}
  /// Another simulation continues the run: with another configuration, or from an earlier moment. Its diagnostics
  /// follow.
  virtual void resume(const RunView&) {}
  /// The state has the diagnostics of the current bodies.
  virtual void on_diagnostics(const RunView&) {}
  /// A step was taken.
  virtual void after_step(const RunView&) {}
};

}  // namespace pericenter
