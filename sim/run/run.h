#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/core/body_field.h"
#include "sim/core/vertex_target.h"
#include "sim/files/load.h"
#include "sim/files/snapshot.h"
#include "sim/run/accuracy_watch.h"
#include "sim/run/encounter_watch.h"
#include "sim/run/force_sample_watch.h"
#include "sim/run/orbit_watch.h"
#include "sim/run/recording.h"
#include "sim/run/rotation_watch.h"
#include "sim/run/run_watcher.h"
#include "sim/run/star_watch.h"
#include "sim/run/step_rate.h"
#include "sim/run/structure_watch.h"
#include "sim/run/tree_and_probe.h"

namespace pericenter {

/// What is known of the course of a run.
struct RunRecord {
  LabRecorder recorder;
  AccuracyWatch accuracy;
  /// steps() after the first step with other settings than Course::first_settings.
  std::optional<std::uint64_t> settings_changed_at = {};
};

/// What request::Undo takes back within a run: a change of parameters, or the continuation from an earlier moment.
struct UndoStep {
  std::string what;                                ///< "change of theta"
  Params params;                                   ///< parameters before it
  Params next = {};                                ///< parameters after it, if only they changed
  std::uint64_t ghost = 0;                         ///< earlier course in the History; 0: only the parameters changed
  std::shared_ptr<const RunRecord> record = {};    ///< record of that course; null: only the parameters changed
  std::chrono::steady_clock::time_point latest{};  ///< latest of the changes that this step combines
};

/// What a step depends on, besides the bodies and the direction of time.
struct RunSettings {
  Config config;
  Params params;

  friend bool operator==(const RunSettings&, const RunSettings&) = default;
};

/// All of a run but its simulation: with the bodies of a step, or the keyframes of its recording, it can be continued.
/// A copy continues independently.
struct Course {
  RunState state;
  std::shared_ptr<const SceneSource> source = {};  ///< null for a scene of the scene table
  std::shared_ptr<const FileOrigin> origin = {};   ///< where the file's bodies come from; null for a scene of the table
  std::shared_ptr<const BodyField> field = {};     ///< values of RunState::field; null in a playback, which has them
  Params simulation_params = {};                   ///< suggested for a simulation that continues from a playback
  Recording recording = {};                        ///< empty for a playback
  std::vector<UndoStep> undo = {};
  RunRecord record = {};
  BodyMeasurements bodies = {};
  EncounterWatch encounter = {};
  OrbitWatch orbits = {};
  std::optional<RunSettings> first_settings = {};  ///< Run::settings() of the first step
};

/// A course of bodies: the simulation that computes or plays it, its settings, history, checkpoints and records, and
/// the moment of it that is shown. For one thread.
class Run {
 public:
  /// Host memory for the recording.
  struct HistoryMemory {
    std::optional<std::size_t> budget;  ///< nullopt: default_history_budget()
    std::size_t reserved = 0;           ///< used by other runs
  };
  enum class NewCheckpoint { none, another, only };

  explicit Run(RunOptions options) : options_(std::move(options)), checkpoints_(options_.allows_rollback) {}

  /// Null before the first scene.
  Simulation* simulation() const { return simulation_.get(); }
  const Course& course() const { return course_; }
  Course& course() { return course_; }
  RunState& state() { return course_.state; }
  const RunState& state() const { return course_.state; }
  const History& history() const { return course_.recording.history(); }
  /// LabRecord::events, always up to date.
  const std::vector<EncounterEvent>& encounter_events() const { return course_.record.recorder.events(); }
  /// The reference of the energy error; it may be from before the bodies were saved and loaded.
  std::optional<Diagnostics> initial_energy() const { return course_.record.accuracy.reference(); }
  AccuracyWatch& accuracy() { return course_.record.accuracy; }
  const Checkpoints& checkpoints() const { return checkpoints_; }
  Checkpoints& checkpoints() { return checkpoints_; }
  TreeAndProbe& tree_and_probe() { return tree_and_probe_; }
  StarWatch& stars() { return stars_; }
  bool is_playback() const { return state().playback.has_value(); }
  /// Whether a step was cancelled and not completed.
  bool is_in_step() const { return simulation_ && simulation_->in_step(); }
  /// Configuration of the simulation; without one, and during a playback, that of the next one.
  const Config& config() const { return simulation_ && !is_playback() ? simulation_->config() : state().config; }
  /// Duration of the last step with its diagnostics.
  double last_step_seconds() const { return last_step_seconds_; }

  // ---- its course

  /// Starts a run. `energy` is the reference of the energy error if that is from before the bodies were saved.
  void start(std::unique_ptr<Simulation> simulation, Course course, const std::optional<Diagnostics>& energy,
             const HistoryMemory& memory);
  /// Another simulation continues the run. With `bodies`, which it must have, another segment of the history begins;
  /// otherwise it repeats recorded steps. Afterwards the newest step is shown.
  void continue_with(std::unique_ptr<Simulation> simulation, NewCheckpoint checkpoint, const Bodies* bodies = nullptr);
  /// A simulation of these bodies continues from the moment of a playback that is shown.
  void leave_playback(std::unique_ptr<Simulation> simulation, const Bodies& bodies, const HistoryMemory& memory);
  /// The series of a playback has changed; what was measured after `valid_until` is forgotten.
  void set_playback_range(const TimeRange& range, double valid_until);
  /// Another course in place of the current one.
  void set_course(Course course, const HistoryMemory& memory);
  /// Completes the recording, from whose end the run can be continued; false if it cannot be.
  bool complete_recording();
  /// Frees the simulation, so that another one has its memory.
  void release_simulation();
  /// The simulation that was released, created again.
  void restore_simulation(std::unique_ptr<Simulation> simulation);
  /// Starts the recording again from the current step.
  void record_from_here(const HistoryMemory& memory);
  /// The run returned to a checkpoint, which may be before the start of a branch: it becomes a branch of its own, and
  /// earlier ones cannot be undone.
  void branch_at_checkpoint(const Simulation& simulation);
  void forget_branches();
  /// Call before a change of the parameters, which Undo then takes back.
  void remember_params(const Params& next);

  // ---- steps

  /// Advances by one step with these parameters and measures what is due. Throws Cancelled, InputError, DeviceLost.
  void step(const Params& params, bool diagnose, const VertexTarget* vertices, bool running);
  /// Parameters of the next step: on the way back, a step does not go beyond the start.
  Params next_params();
  /// Reverses the time step, so that the run returns to its start. Returns a message, and whether it is an error;
  /// RunState::returning tells whether the run returns.
  std::pair<std::string, bool> begin_return();
  /// Whether the last step has led back to the start.
  bool has_returned(const Params& last) const;
  /// Time from here to the start of the run.
  double way_back() const { return state().start_time - simulation_->time(); }
  /// Measures the bodies that have returned, with the time step forward again. Returns their rms distance from the
  /// start, as text.
  std::string finish_return();

  // ---- measurements

  /// `running`: the next step follows soon.
  RunView view(bool running) {
    running_ = running;
    return view();
  }
  /// Nothing within a step that was cancelled.
  void update_diagnostics();
  /// Before a change that defines the energy of the bodies differently.
  void update_energy_error_before_change();
  /// After a change of the parameters.
  void update_health();
  void set_samples_forces(bool samples);
  void measure_structure() {
    if (options_.records) StructureWatch::measure(view());
  }
  void measure_rotation(bool on);
  /// Shows a field by Scalar::field; it has a value for each body. Null: none.
  void set_field(std::shared_ptr<const BodyField> field);
  void sample_paused_forces();
  /// Updates RunState::stars if that is due.
  void update_stars(bool running);
  /// The state, up to date with the simulation. `running`: the next step follows soon.
  const RunState& updated_state(bool running);

  // ---- recorded moments

  /// Whether a recorded moment is shown instead of the newest step.
  bool is_rewound() const { return rewound_.has_value(); }
  /// Position on the timeline, and configuration, of the moment that is shown.
  double shown_position() const;
  Config shown_config() const;
  /// Shows this recorded moment, with the parameters of that time. The history must have it.
  void show(double position);
  /// False if the newest step is already shown.
  bool return_to_newest();
  /// Parameters of the newest step.
  const Params& newest_params() const { return rewound_ ? rewound_->newest_params : state().params; }
  /// A body at the recorded moment that is shown.
  Body recorded_body(std::size_t index) const;
  /// Fills a host buffer with the moment that is shown.
  void write_recorded_vertices(const VertexTarget& buffer, Scalar scalar) const;
  /// Time of the moment that is shown.
  double shown_time() const;

  /// A snapshot of these bodies, which belong to the moment that is shown.
  Snapshot snapshot_of(Bodies bodies);
  /// The origin with the ids and particle types of the bodies that a playback shows.
  std::shared_ptr<const FileOrigin> shown_origin() const;
  Params initial_params(const Params& suggested) const;

 private:
  using Clock = std::chrono::steady_clock;
  /// A recorded moment that is shown.
  struct Rewound {
    double position = 0;
    Params newest_params;
  };

  std::array<RunWatcher*, 8> watchers();
  RunView view();
  void resume();
  void give_field();
  void begin_course(const Bodies* bodies, const HistoryMemory& memory);
  void start_recording(const Bodies* bodies, const HistoryMemory& memory);
  void forget_after(std::uint64_t step);
  RunSettings settings() const;
  void compare_settings();
  void store_moments();
  PendingCheckpoint begin_checkpoint(bool with_keyframe);
  void measure_orbits();
  void name_first_nonfinite();
  void update_moment();
  void update_timeline();
  std::shared_ptr<const TimelineDetails> details();

  RunOptions options_;
  std::unique_ptr<Simulation> simulation_;
  Course course_;
  Checkpoints checkpoints_;
  std::optional<Rewound> rewound_;
  StepRates rates_;
  double last_step_seconds_ = 0;
  bool running_ = false;  ///< the next step follows soon
  bool samples_forces_ = false;
  ForceSampleWatch force_sample_;
  StructureWatch structure_;
  RotationWatch rotation_;
  TreeAndProbe tree_and_probe_;
  StarWatch stars_;
  std::shared_ptr<const TimelineDetails> recorded_details_;  ///< details of the history in those of the state
  std::vector<EncounterEvent> shown_events_;                 ///< the events in them
};

}  // namespace pericenter
