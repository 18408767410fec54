#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/core/cancellation.h"
#include "sim/core/device.h"
#include "sim/core/simulation.h"
#include "sim/run/run.h"
#include "sim/session/frame_pacing.h"
#include "sim/session/requests.h"
#include "sim/session/run_store.h"
#include "sim/session/scene_loader.h"
#include "sim/session/session_options.h"
#include "sim/session/session_state.h"

namespace pericenter {

/// Answers requests about a run and the runs before it, and decides which steps and frames are due. The window runs it
/// on a SimulationThread, headless mode directly. For one thread, except cancellation().
class Session {
 public:
  explicit Session(SessionOptions options = {});
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  /// Ends an evaluation of forces on the CPU, and with it a step or a rebuild; may be used by any thread.
  CancellationToken& cancellation() { return cancellation_; }

  /// The current run; it has no simulation before the first scene.
  const Run& run() const { return run_; }
  Simulation* simulation() const { return run_.simulation(); }
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
  bool wants_to_step(int credit) const { return simulation() && pacing_.wants_to_step(state_.running, credit); }
  /// Advances by one step. With `vertices`, which the simulation must accept, the step ends by filling them. Throws
  /// Cancelled, after which the next call completes the same step, and DeviceLost.
  std::optional<PublishedFrame> step(const VertexTarget* vertices = nullptr);
  /// As step(), but throws InputError where step() pauses with a message. `with_energy` updates the diagnostics.
  std::optional<PublishedFrame> advance(const VertexTarget* vertices, bool with_energy);

  /// Whether a frame should show the bodies now: after steps_per_frame steps, or when no step follows soon.
  bool wants_to_publish(int credit) const { return simulation() && pacing_.wants_to_publish(state_.running, credit); }
  /// Whether the next step should end by filling `vertices`: it is the last one of a frame, and its kernel can write
  /// there.
  bool publishes_in_step(int credit, const VertexTarget& vertices) const;
  /// Whether a frame should show the end of the next step before its forces are known: the steps of a run that plays.
  bool publishes_ahead(int credit) const;
  /// Fills the buffer with the positions at the end of the next step; count 0 when the simulation does not accept it.
  /// May throw Cancelled.
  PublishedFrame publish_ahead(const VertexTarget& vertices);
  /// Fills the buffer; count 0 when the simulation does not accept it.
  PublishedFrame write_vertices(const VertexTarget& buffer);

  /// Whether take_new_snapshots() may find any: request::Follow.
  bool follows_series() const { return run_.is_playback() && run_.state().playback->follows; }
  void take_new_snapshots();

  /// Cells of request::ShowTree; nullopt: unchanged.
  std::optional<std::vector<TreeBox>> new_tree_boxes();
  /// Tree walk of request::ShowProbe; nullopt: unchanged, nullopt inside: no body is probed.
  std::optional<std::optional<Probe>> new_probe();
  /// Updates SessionState::stars if that is due.
  void update_stars() { run_.update_stars(state_.running); }
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

  /// Whether recover() can resume: there is a checkpoint, and a step was completed since the last recovery.
  bool can_resume();
  /// Continues on the CPU after a lost GPU, from the latest checkpoint or else from the start of the scene. Paused if
  /// no step was completed since the last recovery. Does not throw.
  void recover(const DeviceLost& error);
  /// Serials continue after those of this state of another session. Call it before the first request.
  void continue_serials(const SessionState& other);
  /// Pauses and shows an error.
  void stop(const std::string& error);

 private:
  // In session.cpp: steps, frames and simple requests.
  void set_message(const std::string& message, bool is_error);
  void update_diagnostics();
  void stop_if_not_finite();
  PublishedFrame frame_of(const Simulation& simulation, std::uint64_t scene_serial, std::size_t every = 1) const;
  void replay();
  double speed() const;
  void update_pace();
  void handle(const request::SetSpeed& wanted);
  void on_change();
  void handle(const request::Play& play);
  void handle(const request::SetParams& wanted);
  void set_params(const Params& params);
  void handle(const request::TakeSnapshot&);
  void handle(const request::RunBackwards&);
  void handle(const request::SetHistoryBudget& wanted);
  void seek_playback(double time);
  void follow(bool wanted);
  void seek(double position);
  void return_to_newest(bool jumps);
  void measure(const std::string& what, const std::function<void()>& work);
  void show_field();

  // In session_runs.cpp: everything that replaces the simulation or the run.
  void replace(const std::string& task, const std::function<void()>& work);
  void begin(NewRun made);
  std::string start_message(const std::string& of_loader) const;
  void leave();
  void continue_at_other_moment(std::unique_ptr<Simulation> simulation, Run::NewCheckpoint checkpoint,
                                const Bodies* bodies = nullptr);
  Bodies bodies_between_steps();
  void handle(const request::LoadScene& wanted);
  void handle(const request::LoadSource& wanted);
  void handle(const request::Reset&);
  void reload();
  void handle(const request::SetConfig& wanted);
  void handle(const request::ChooseSolver& wanted);
  void rebuild(const Config& config);
  bool continue_from_here();
  void handle(const request::Undo&);
  void undo_branch(const UndoStep& step);
  void restore(const std::string& task, std::unique_ptr<Course>& kept);
  void handle(const request::ParkRun& wanted);
  void handle(const request::RestoreRun& wanted);
  void handle(const request::TakeCopy&);
  void handle(const request::ContinueCopy& wanted);
  void handle(const request::Rollback& wanted);

  SessionOptions options_;
  CancellationToken cancellation_;
  SessionState state_;  ///< the part of the run is that of the last state()
  Run run_;
  RunStore store_;
  SceneLoader loader_;
  FramePacing pacing_;
  bool by_time_ = false;  ///< request::SetSpeed, not SetStepsPerFrame, came last
  /// A speed that was chosen for one scene or file.
  struct ChosenSpeed {
    double speed = 0;  ///< 0: none
    std::string scene, file;
  } chosen_speed_;
  double replay_speed_ = 1;  ///< recorded steps shown for each step that is due
  std::uint64_t jumps_ = 0;  ///< rollbacks, recoveries, and jumps on the timeline
  bool recovered_ = false;   ///< no step was completed since the last recovery
  /// How the current run is kept when another one replaces it.
  enum class Leaves { nothing, recorded, parked } leaves_ = Leaves::nothing;
  std::optional<Snapshot> snapshot_;
  std::shared_ptr<const RunCopy> run_copy_;
};

}  // namespace pericenter
