#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/analysis/force_sample.h"
#include "sim/analysis/health.h"
#include "sim/analysis/probe.h"
#include "sim/core/cancellation.h"
#include "sim/core/device.h"
#include "sim/core/simulation.h"
#include "sim/core/tree_box.h"
#include "sim/core/vertex_target.h"
#include "sim/files/snapshot.h"
#include "sim/run/body_measurements.h"
#include "sim/run/checkpoint.h"
#include "sim/run/encounter_schedule.h"
#include "sim/run/history.h"
#include "sim/run/lab_recorder.h"
#include "sim/run/step_rate.h"
#include "sim/session/previous_run.h"
#include "sim/session/requests.h"
#include "sim/session/run_copy.h"
#include "sim/session/session_state.h"

namespace pericenter {

class BodySource;

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
  bool allows_rollback = true;       ///< stores two checkpoints instead of one
  bool records_history = false;      ///< for the timeline: seek, replay, branches, and undo of a reset
  bool records = true;               ///< collects SessionState::record
  bool reports_encounters = true;    ///< encounter_events(), also without a record
  /// Bodies that encounter_events() come from if there is no memory for a copy of all.
  std::size_t encounter_sample = std::size_t{1} << 18;
  bool samples_forces = false;      ///< as request::SampleForces
  bool measures_each_step = false;  ///< measures the structure after each step; otherwise at most 1 % of the time
};

/// A simulation, the scene that its bodies come from, its settings and checkpoints, and which steps and frames are due.
/// The window runs it on a SimulationThread, headless mode directly. For one thread, except cancellation().
class Session {
 public:
  explicit Session(SessionOptions options = {}) : options_(std::move(options)), checkpoints_(options_.allows_rollback) {
    state_.samples_forces = options_.samples_forces;
  }

  /// Ends an evaluation of forces on the CPU, and with it a step or a rebuild; may be used by any thread.
  CancellationToken& cancellation() { return cancellation_; }

  /// Null before the first scene.
  Simulation* simulation() const { return simulation_.get(); }
  /// Up to date with the simulation.
  const SessionState& state();

  /// Errors become the state's message, and the previous simulation stays. Throws DeviceLost, and Cancelled for
  /// TakeSnapshot.
  void apply(const Request& request);
  /// As the requests, but errors are thrown: std::invalid_argument, InputError, SceneCancelled, std::bad_alloc,
  /// DeviceMemoryError, DeviceLost.
  void load(const request::LoadScene& wanted);
  void load(std::shared_ptr<const SceneSource> source);

  /// Whether a step is due: one of request::Step, or one of those that `credit` allows.
  bool wants_to_step(int credit) const;
  /// Advances by one step. With `vertices`, which the simulation must accept, the step ends by filling them. Throws
  /// Cancelled, after which the next call completes the same step, and DeviceLost.
  std::optional<PublishedFrame> step(const VertexTarget* vertices = nullptr);
  /// As step(), but throws InputError where step() pauses with a message. `with_energy` updates the diagnostics.
  std::optional<PublishedFrame> advance(const VertexTarget* vertices, bool with_energy);
  /// Duration of the last step with its diagnostics.
  double last_step_seconds() const { return last_step_seconds_; }
  /// The reference of the energy error; it may be from before the bodies were saved and loaded.
  std::optional<Diagnostics> initial_energy() const { return conservation_.reference(); }

  /// Whether a frame should show the bodies now: after steps_per_frame steps, or when no step follows soon.
  bool wants_to_publish(int credit) const;
  /// Whether the next step should end by filling `vertices`: it is the last one of a frame, and its kernel can write
  /// there.
  bool publishes_in_step(int credit, const VertexTarget& vertices) const;
  /// Fills the buffer; count 0 when the simulation does not accept it.
  PublishedFrame write_vertices(const VertexTarget& buffer);

  /// Whether a recorded moment is shown instead of the newest step; steps then replay the history.
  bool is_rewound() const { return rewound_.has_value(); }
  /// Whether a step was cancelled and not completed.
  bool is_in_step() const { return simulation_ && simulation_->in_step(); }
  const History& history() const { return history_; }
  /// LabRecord::events, always up to date.
  const std::vector<EncounterEvent>& encounter_events() const { return recorder_.events(); }

  /// Cells of request::ShowTree; nullopt: unchanged.
  std::optional<std::vector<TreeBox>> new_tree_boxes();
  /// Tree walk of request::ShowProbe; nullopt: unchanged, nullopt inside: no body is probed.
  std::optional<std::optional<Probe>> new_probe();

  /// Measures the force errors of the paused bodies if they have changed since the last measurement, unless that takes
  /// long. Call it when no step is due.
  void sample_paused_forces();

  /// Everything that an exact restart from the step shown needs. There must be a simulation. Throws Cancelled, and for
  /// a recorded moment, whose steps are repeated from a keyframe, also std::bad_alloc and DeviceMemoryError.
  Snapshot snapshot();
  /// The snapshot of request::TakeSnapshot.
  std::optional<Snapshot> take_snapshot() { return std::exchange(snapshot_, std::nullopt); }
  /// The copy of request::TakeCopy; null: none.
  std::shared_ptr<const RunCopy> take_copy() { return std::exchange(run_copy_, nullptr); }
  /// The latest checkpoint; null when there is none.
  std::shared_ptr<const Snapshot> checkpoint() const { return checkpoints_.latest(); }

  /// Whether recover() can resume: there is a checkpoint, and a step was completed since the last recovery.
  bool can_resume();
  /// Continues on the CPU after a lost GPU, from the latest checkpoint or else from the start of the scene. Paused if
  /// no step was completed since the last recovery. Does not throw.
  void recover(const DeviceLost& error);
  /// Pauses and shows an error.
  void stop(const std::string& error);

 private:
  using Clock = std::chrono::steady_clock;

  // Requests, in session.cpp.
  void apply_to(const request::Play& play);
  void apply_to(const request::Step& step) { pending_steps_ += step.count; }
  void apply_to(const request::LoadScene& wanted);
  void apply_to(const request::AwaitDevice& wanted) { starting_device_ = wanted.device; }
  void apply_to(const request::LoadSource& wanted);
  void apply_to(const request::Reset&);
  void apply_to(const request::Simulate&);
  void apply_to(const request::TakeSnapshot&);
  void apply_to(const request::TakeCopy&);
  void apply_to(const request::ContinueCopy& wanted);
  void apply_to(const request::SetParams& wanted);
  void set_params(const Params& params);
  void apply_to(const request::SetConfig& wanted);
  void apply_to(const request::ChooseSolver& wanted);
  void apply_to(const request::SetStepsPerFrame& wanted);
  void apply_to(const request::SetExactPace& wanted) { exact_pace_ = wanted.exact; }
  void apply_to(const request::SetSingleBuffer& wanted) { single_buffer_ = wanted.single; }
  void apply_to(const request::ShowTree& wanted);
  void apply_to(const request::ShowScalar& wanted);
  void apply_to(const request::ShowProbe& wanted);
  void apply_to(const request::Rollback& wanted);
  void apply_to(const request::Publish&) { unpublished_ = true; }

  void seek(double time);
  bool has_steps_of_frame() const { return steps_since_publish_ >= state_.steps_per_frame; }
  bool frame_is_due() const;
  void note_published();
  PublishedFrame published() const;
  PublishedFrame published_of(const Simulation& simulation, std::uint64_t scene_serial) const;
  std::vector<Vec3> forces_to_show(bool& changed);
  void update_diagnostics();
  void set_message(const std::string& message, bool is_error);
  bool report_progress(bool busy, double progress);

  // Timeline, in session_timeline.cpp.
  void update_timeline();
  double shown_position() const;
  Config shown_config() const;
  void apply_to(const request::Seek& wanted);
  void rewind(double position);
  void show_position(double position);
  void return_to_newest(bool jumps);
  void replay();
  PublishedFrame write_recorded_vertices(const VertexTarget& buffer);
  void apply_to(const request::SetReplaySpeed& wanted);
  void apply_to(const request::ContinueFromHere&) { continue_from_here(); }
  bool continue_from_here();
  enum class Repeats { as_work, silently };  ///< whether the user sees the progress and may cancel
  std::unique_ptr<Simulation> repeated(const HistoryLine& line, std::uint64_t step, Repeats how = Repeats::as_work);
  void continue_with_simulation();
  std::shared_ptr<const TimelineDetails> details();
  Snapshot recorded_snapshot();

  // Recording, in session_history.cpp.
  void apply_to(const request::SetHistoryBudget& wanted);
  void start_history(const Bodies* bodies);
  void continue_history(const Bodies& bodies);
  HistoryMoment moment() const { return {simulation_->steps(), simulation_->time()}; }
  void note_step_start(const Params& params);
  void store_moments(double step_seconds);
  void record_keyframe();
  bool record_newest();
  void add_keyframe();
  PendingCheckpoint begin_checkpoint(bool with_keyframe);
  void collect_keyframe(bool wait);
  std::uint64_t branch_at(const HistoryMoment& at);

  // Undo, in session_undo.cpp.
  void remember_params(const Params& next);
  void prepare_to_leave();
  void keep_previous_run();
  std::string undo_text() const;
  void apply_to(const request::Undo&);
  std::unique_ptr<PreviousRun> run_to_keep();
  void undo_branch(const UndoStep& step);
  void forget_branches();
  void restore_previous_run();
  void restore_run(std::unique_ptr<PreviousRun>& run);
  void restore_playback(std::unique_ptr<PreviousRun>& run);
  void continue_run(PreviousRun run);

  // Parked runs, in session_park.cpp.
  void apply_to(const request::ParkRun& wanted);
  void apply_to(const request::RestoreRun& wanted);
  void apply_to(const request::ForgetRuns&);
  void limit_parked();
  void forget_parked(std::uint64_t key);
  void note_parked();
  std::size_t parked_bytes() const;
  std::size_t kept_bytes() const;
  bool is_parked() const;

  RunRecord run_record() const { return {recorder_, conservation_, health_}; }
  void restore(RunRecord record);

  // Record of the run and the way back to its start, in session_record.cpp.
  void begin_record();
  void record_sample();
  void measure_bodies();
  void measure_bodies_now();
  void watch_encounter();
  void watch_sample(const TimelinePoint& at);
  void measure_rotation();
  TimelinePoint timeline_point() const;
  void apply_to(const request::MeasureRotation& wanted);
  void apply_to(const request::RunBackwards&);
  Params next_params();
  void note_step(const Params& params);
  void finish_return();

  // How accurate it is, in session_accuracy.cpp.
  void apply_to(const request::SampleForces& wanted);
  void apply_to(const request::MeasureForceErrors&);
  void apply_to(const request::MeasureSweep& wanted);
  void measure(const std::string& what, const std::function<void()>& work);
  void set_force_errors(const std::vector<double>& relative);
  void start_accuracy();
  void continue_accuracy();
  void settle_energy_error();
  EnergyDefinition energy_definition() const;
  void update_energy_error();
  void update_health();
  bool can_sample_forces() const;
  bool sample_is_current() const;
  void update_force_sample();
  void sample_forces(std::size_t count);

  // Scenes and configurations, in session_rebuild.cpp.
  std::string problem_with_scene(const request::LoadScene& wanted) const;
  Config config_for(const request::LoadScene& wanted) const;
  /// What defines a scene that starts.
  struct SceneStart {
    std::string name;
    SceneRequest request;
    const Scene& scene;
    Params params = {};
    Config config = {};
    std::string file = {};  ///< as SessionState::file
    std::uint64_t steps_at_load = 0;

    void describe_in(SessionState& state) const;
  };
  void create_scene(const request::LoadScene& wanted);
  void create_from(const std::shared_ptr<const SceneSource>& source);
  void reload();
  void rebuild(const Config& config);
  void replace(const std::string& task, const std::function<void()>& work);
  void finish_work();
  bool note_cancelled();
  std::string what_continues() const;
  Config with_suitable_solver(const Config& config, const BodySource& bodies) const;
  const Config& config() const;
  Params initial_params(const Params& suggested) const;
  Config on_started_device(Config config, const std::function<void()>& meanwhile = {});
  bool can_preview(std::size_t bodies) const;
  void preview(const SceneStart& start, Simulation& made);
  void end_preview();
  void keep_settings(SessionState& next) const;
  void begin_scene(const SceneStart& start, const std::optional<Diagnostics>& energy = {});
  void mark_changed();
  void note_new_simulation();
  void leave_playback();
  std::unique_ptr<Simulation> make_simulation(const Config& config, const BodySource& bodies, SimulationStart start,
                                              const Params& params,
                                              const std::function<void(Simulation& made)>& before_forces = {});
  void replace_simulation(const Config& config, const BodySource& bodies, const SimulationStart& start,
                          const Params& params, const std::function<void(Simulation& made)>& before_forces = {});
  void replace_simulation(const std::function<std::unique_ptr<Simulation>()>& make);
  Bodies bodies_between_steps();

  // Checkpoints and recovery, in session_recovery.cpp.
  Snapshot snapshot_with(Bodies bodies);
  std::shared_ptr<const FileOrigin> shown_origin() const;
  void check_finite();
  void restore(const Snapshot& checkpoint, const Config& config);
  void keep_on_cpu(const DeviceLost& error);

  SessionOptions options_;
  CancellationToken cancellation_;
  std::unique_ptr<Simulation> simulation_;
  SessionState state_;
  std::uint64_t next_serial_ = 1;          ///< of the next scene
  std::optional<SessionState> previewed_;  ///< of the scene that is shown before its first forces are known
  std::shared_future<std::optional<int>> starting_device_;  ///< of request::AwaitDevice, until it is known
  std::optional<Config> deferred_config_;                   ///< of a SetConfig that gave way to a new scene
  std::shared_ptr<const SceneSource> source_;               ///< null for a scene of the scene table
  std::shared_ptr<const FileOrigin> origin_;                ///< of the file; null for a scene of the scene table
  Params simulation_params_;         ///< suggested for a simulation that continues from the playback
  std::uint64_t pending_steps_ = 0;  ///< of request::Step
  Checkpoints checkpoints_;
  bool recovered_ = false;   ///< no step was completed since the last recovery
  std::uint64_t jumps_ = 0;  ///< rollbacks, recoveries, and jumps on the timeline
  std::optional<Snapshot> snapshot_;
  std::shared_ptr<const RunCopy> run_copy_;

  History history_;
  std::optional<std::size_t> history_budget_;  ///< of request::SetHistoryBudget
  /// A keyframe that another thread has packed.
  struct PackedKeyframe {
    HistoryKeyframe keyframe;
    double waited_seconds = 0, packing_seconds = 0;  ///< of this thread, of the other one
  };
  static PackedKeyframe packed(const HistoryMoment& at, const MotionLayout& layout, const Bodies& bodies) {
    return {{at, std::make_shared<const PackedMotion>(layout, bodies)}};
  }
  std::future<PackedKeyframe> pending_keyframe_;
  bool pins_next_keyframe_ = false;  ///< the step in progress cannot be repeated exactly
  /// A recorded moment that is shown, and the parameters of the newest step.
  struct Rewound {
    double position = 0;
    Params newest_params;
  };
  std::optional<Rewound> rewound_;
  std::shared_ptr<const TimelineDetails> recorded_details_;  ///< of the history, in the details of the state
  std::vector<EncounterEvent> shown_events_;                 ///< the events in them
  double replay_speed_ = 1;
  std::vector<UndoStep> undo_;
  std::unique_ptr<PreviousRun> previous_, leaving_;  ///< null: none; `leaving_` while another scene is created
  std::string previous_is_lost_;                     ///< why there is no previous run; empty: there was none
  std::map<std::uint64_t, std::unique_ptr<PreviousRun>> parked_;  ///< by key
  std::vector<std::uint64_t> parked_order_;                       ///< their keys, oldest first
  /// Scene and step at which the run was parked last.
  struct ParkedAt {
    std::uint64_t scene_serial = 0, step = 0;
  };
  std::optional<ParkedAt> parked_at_;
  bool leaves_parked_ = false;  ///< the run that another scene replaces is parked

  LabRecorder recorder_;
  BodyMeasurements body_measurements_;
  EncounterSchedule encounter_watch_;
  MeasurementBudget rotation_budget_;
  bool measures_rotation_ = false;
  bool returning_ = false;                        ///< request::RunBackwards
  std::optional<RunSettings> settings_of_steps_;  ///< of the first step of the run
  bool settings_changed_ = false;                 ///< later steps had others

  StepRates rates_;
  double last_step_seconds_ = 0;
  Clock::time_point last_diagnostics_{};

  Conservation conservation_;
  double momentum_change_ = 0;
  std::optional<std::uint64_t> diagnosed_steps_;  ///< steps() of the diagnostics in the state
  HealthHistory health_;
  std::optional<Params> stepped_params_;  ///< of the last step of this simulation
  SampleSchedule sample_schedule_;
  std::uint64_t samples_ = 0;         ///< taken in this scene
  double paused_sample_seconds_ = 0;  ///< longest of this simulation

  bool exact_pace_ = false, single_buffer_ = false;
  bool unpublished_ = false;  ///< the last frame does not show the current bodies
  int steps_since_publish_ = 0;
  Clock::time_point last_publish_{};

  request::ShowTree show_tree_;
  bool tree_changed_ = false;
  Clock::time_point last_boxes_{};
  std::optional<std::uint32_t> probed_;
  bool probe_changed_ = false;
  Clock::time_point last_probe_{};
  double probe_seconds_ = 0;  ///< duration of the last probe
};

}  // namespace pericenter
