#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/analysis/health.h"
#include "sim/core/config.h"
#include "sim/files/load.h"
#include "sim/run/body_measurements.h"
#include "sim/run/history.h"
#include "sim/run/lab_recorder.h"
#include "sim/session/session_state.h"

namespace pericenter {

/// What was measured along the course of a run.
struct RunRecord {
  LabRecorder recorder;
  Conservation conservation;
  HealthHistory health;
};

/// What a step depends on, besides the bodies and the direction of time.
struct RunSettings {
  Config config;
  Params params;
};

/// What request::Undo takes back within a run: a change of parameters, or the continuation from an earlier moment.
struct UndoStep {
  std::string what;         ///< "change of theta"
  Params params;            ///< before
  std::uint64_t ghost = 0;  ///< of History, the course of the run before; 0: only the parameters changed
  std::shared_ptr<const RunRecord> record = {};  ///< of that course; null: only the parameters changed
  std::chrono::steady_clock::time_point last{};  ///< latest of the changes that this step combines
};

/// A run that a reset or another scene replaced, with all that it needs to come back.
struct PreviousRun {
  std::string what;  ///< the change that replaced it: "Reset"
  SessionState state;
  History history;  ///< ends with a keyframe of the last step; empty for a playback
  std::vector<UndoStep> undo;
  std::shared_ptr<const SceneSource> source;
  std::shared_ptr<const FileOrigin> origin;
  Params simulation_params;
  RunRecord record;
  std::shared_ptr<const BodyMeasurements::Meters> meters;
  std::optional<RunSettings> settings_of_steps;
  bool settings_changed = false;
};

}  // namespace pericenter
