#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "sim/analysis/force_error.h"
#include "sim/core/config.h"
#include "sim/core/device.h"
#include "sim/core/diagnostics.h"
#include "sim/core/scalar.h"
#include "sim/core/simulation.h"
#include "sim/core/stage_timings.h"
#include "sim/core/work_counts.h"
#include "sim/files/scene_source.h"

namespace pericenter {

/// The moment of a copy that is kept in the computer's memory (SimulationThread::rollback_target()).
struct RollbackTarget {
  double time = 0;
  std::uint64_t steps = 0;
};

/// A copy of everything that the panels show.
struct SessionState {
  std::string scene;           ///< name of the scene that runs; empty before the first is ready
  SceneRequest scene_request;  ///< without its progress function
  std::string file;            ///< that the bodies were loaded from, with its path; empty when the scene made them
  std::optional<TimeRange> recorded;  ///< of a recording that is played; nullopt where bodies are computed
  Units units;
  Params suggested;  ///< the scene's own parameters
  double view_radius = 1;
  std::optional<ViewAngles> angles;  ///< that suit the scene
  double highlight_time = 0;
  std::uint64_t scene_serial = 0;  ///< counts scenes and resets; a change means: fit the camera, forget history

  Config config;
  bool automatic_solver = false;  ///< it was chosen for these bodies, and is chosen anew for others
  Params params;
  int steps_per_frame = 1;
  bool running = false;
  std::size_t bodies = 0;
  double time = 0;
  std::uint64_t steps = 0;
  std::uint64_t steps_before = 0;  ///< of these, done before the file was written that the bodies come from

  StageTimings timings;          ///< of the last step
  double steps_per_second = 0;   ///< smoothed
  double bodies_per_second = 0;  ///< bodies * steps per second of step time, smoothed
  /// Seconds that a step takes, smoothed; 0 when none has been done.
  double usual_step_seconds() const {
    return bodies_per_second > 0 ? static_cast<double>(bodies) / bodies_per_second : 0;
  }
  WorkCounts work;          ///< of the last force evaluation
  std::string note;         ///< Simulation::note()
  Diagnostics diagnostics;  ///< of the last time they were evaluated (a few times a second)
  double energy_error = 0;  ///< pericenter::energy_error() since the scene began or the softening last changed
  int tree_levels = 0;
  std::string device_name;     ///< of the GPU that computes; empty on the CPU
  DeviceMemory device_memory;  ///< of the last time the diagnostics were evaluated

  Scalar scalar = Scalar::speed;            ///< that the vertices hold
  std::optional<ForceErrors> force_errors;  ///< of all bodies, when they were measured last in this scene
  double force_errors_time = 0;             ///< and when that was

  std::optional<RollbackTarget> rollback_target;  ///< that request::GoBack goes to; nullopt: there is none
  double last_good_period = 1;                    ///< Checkpoint::period()
  std::string lost_body;                          ///< the first one that is not finite, for the user; empty: all are
  std::string device_lost;                        ///< why the GPU that computed cannot be used any more; empty: it can
  double step_seconds = 0;                        ///< that the step which is under way has taken; 0 between steps
  double step_share = 0;  ///< of its forces that are there, in [0, 1]; 0 where nobody tells, on a GPU

  bool busy = false;              ///< a scene is being made or a simulation rebuilt
  bool computing_forces = false;  ///< the first ones of what it is busy with, which has bodies now
  double progress = 0;            ///< of what it is busy with, in [0, 1]
  std::string message;            ///< last thing that the user should know; empty when all is well
  bool message_is_error = false;
  std::uint64_t message_serial = 0;  ///< grows with every message, so that the same words are news when they come again
};

/// A buffer of vertices that was filled: how many, and the moment that they belong to.
struct Published {
  std::size_t count = 0;
  double time = 0;
  std::uint64_t steps = 0;
  std::uint64_t scene_serial = 0;
  Continuity continuity = {};  ///< within the scene
};

}  // namespace pericenter
