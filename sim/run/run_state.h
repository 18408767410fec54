#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/analysis/force_error.h"
#include "sim/analysis/health.h"
#include "sim/analysis/lab_record.h"
#include "sim/analysis/orbit_check.h"
#include "sim/analysis/osculating_orbit.h"
#include "sim/analysis/theta_sweep.h"
#include "sim/core/body_field.h"
#include "sim/core/config.h"
#include "sim/core/device.h"
#include "sim/core/diagnostics.h"
#include "sim/core/simulation.h"
#include "sim/core/stage_timings.h"
#include "sim/core/vertex_target.h"
#include "sim/core/work_counts.h"
#include "sim/files/file_origin.h"
#include "sim/files/load.h"
#include "sim/run/star_report.h"
#include "sim/run/timeline.h"

namespace pericenter {

/// Time and step of the checkpoint that request::Rollback returns to.
struct RollbackTarget {
  double time = 0;
  std::uint64_t steps = 0;
};

/// Errors of the forces on a sample of the bodies.
struct ForceSample {
  std::size_t bodies = 0;  ///< sampled; 0: not measured yet
  ForceErrors errors;
  double seconds = 0;  ///< that the measurement took
  double share = 0;    ///< share of the computing time of steps and measurements
  double time = 0;
  std::uint64_t steps = 0;
  Params params = {};        ///< parameters of the solver's forces
  std::uint64_t number = 0;  ///< counts the samples of a run
};

/// What is known of a run, and shown by the panels. Quantities without a unit are in scene units.
struct RunState : ScenePresentation {
  std::string scene;              ///< name of the running scene or file; empty before the first one is loaded
  SceneRequest scene_request;     ///< its progress function is empty
  std::string file;               ///< path of the file that the bodies were loaded from; empty for a scene of the table
  ReadOptions file_options = {};  ///< how that file was read
  FileMeasures file_measures = {};    ///< measures of that file; a mass of 0 in saved runs
  std::optional<TimeRange> playback;  ///< time range of a playback; nullopt while simulating
  Params suggested;                   ///< the scene's own parameters
  std::uint64_t scene_serial = 0;     ///< counts scenes and resets; after a change fit the camera and clear histories

  Config config;                      ///< a playback has that of a simulation which continues from it
  bool automatic_solver = false;      ///< the solver was chosen for these bodies, and is chosen again for others
  bool automatic_integrator = false;  ///< the same of the integrator
  bool automatic_backend = false;     ///< few bodies may leave CUDA for the integrator, until the next scene
  Params params;
  std::size_t bodies = 0;
  double time = 0;
  std::uint64_t steps = 0;
  int step_parts = 1;               ///< Simulation::step_parts() of the last step that was computed
  double start_time = 0;            ///< time at which the bodies were created or loaded
  bool returning = false;           ///< request::RunBackwards has not reached the start yet
  std::uint64_t steps_at_load = 0;  ///< value of `steps` in the file that the bodies were loaded from

  StageTimings timings;          ///< stages of the last step
  double steps_per_second = 0;   ///< smoothed
  double bodies_per_second = 0;  ///< bodies * steps per second of step time, smoothed
  /// Smoothed duration of a step; 0 before the first one.
  double mean_step_seconds() const {
    return bodies_per_second > 0 ? static_cast<double>(bodies) / bodies_per_second : 0;
  }
  WorkCounts work;                      ///< interactions of the last force evaluation
  std::string note;                     ///< Simulation::note()
  Diagnostics diagnostics;              ///< updated a few times per second
  double energy_error = 0;              ///< relative, since the scene started: Conservation
  std::vector<OsculatingOrbit> orbits;  ///< those of a planetary system, with the diagnostics
  int tree_levels = 0;
  std::string device_name;                 ///< Simulation::device_name()
  DeviceMemory device_memory;              ///< updated with the diagnostics
  std::vector<DeviceShare> device_shares;  ///< the same; empty unless several GPUs divide the forces

  std::vector<FieldInfo> fields;    ///< that the file of these bodies has of each
  std::optional<FieldScale> field;  ///< the one that is read: request::ShowScalar

  std::optional<ForceErrors> force_errors;  ///< last measurement of all bodies in this scene
  double force_errors_time = 0;             ///< time of that measurement

  Health health;
  OrbitCheck orbit_check;
  ForceSample force_sample;
  std::shared_ptr<const StarReport> stars;  ///< request::TrackStars; null: nothing is tracked
  std::shared_ptr<const ThetaSweep> sweep;  ///< last one of this scene; null: none
  std::shared_ptr<const LabRecord> record = std::make_shared<const LabRecord>();
  Timeline timeline;

  std::optional<RollbackTarget> rollback_target;  ///< nullopt: there is no checkpoint
  std::string first_nonfinite;  ///< description of the first body that is NaN or infinite; empty: all are finite
};

}  // namespace pericenter
