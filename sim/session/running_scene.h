#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "sim/core/cancellation.h"
#include "sim/core/device.h"
#include "sim/core/simulation.h"
#include "sim/files/snapshot.h"
#include "sim/session/checkpoint.h"
#include "sim/session/requests.h"
#include "sim/session/session_state.h"
#include "sim/session/step_rate.h"

namespace pericenter {

/// The simulation that runs, the scene that its bodies come from, and what is known of both. For one thread.
///
/// What puts another simulation in its place returns whether it did. When it fails, the one that ran before stays, and
/// the state's message says why.
class RunningScene {
 public:
  /// `report` gets the state while a scene is being made or a simulation rebuilt; it returns false to cancel that.
  explicit RunningScene(std::function<bool(const SessionState&)> report) : report_(std::move(report)) {}

  /// Ends an evaluation of forces, and with it a step() or what waits for its first ones; for any thread.
  CancellationToken& cancellation() { return cancellation_; }

  /// Null before the first scene has come.
  Simulation* simulation() const { return simulation_.get(); }
  /// What was set and said; the numbers of the simulation are as of the last told().
  SessionState& state() { return state_; }
  const SessionState& state() const { return state_; }
  /// Everything at once, so that no snapshot mixes two scenes.
  const SessionState& told();
  /// What bodies are computed with; while a recording is played, what they would be computed with.
  const Config& config() const;
  /// All that is needed to go on exactly from here. Throws Cancelled.
  Snapshot snapshot();

  bool load(const request::LoadScene& wanted);
  bool load(std::shared_ptr<const SceneSource> source);
  /// The same scene from its begin.
  bool reload();
  /// Goes on from the same bodies with another config.
  bool change(const Config& config);
  /// Whether the solver is chosen for the bodies from now on; true where that has put another in its place.
  bool choose_solver(bool automatically);
  /// Computes on from what a recording shows; false where bodies are computed already.
  bool compute_on();
  /// Goes back to the last good state, paused; false when there is none or it cannot be done.
  bool go_back(const std::optional<Params>& params);
  /// Goes on from the last good state on the CPU, or from the scene's begin where there is none; the simulation on the
  /// lost GPU is gone. Does not throw.
  void recover(const DeviceLost& error);
  std::shared_ptr<const Snapshot> rollback_target() const { return good_.latest(); }

  void ask_for_step() { ++single_steps_; }
  /// Single steps that were asked for and have not been done.
  int single_steps() const { return single_steps_; }
  /// Advances by one step, which with `vertices` ends in filling them; false when it could not be done. Throws
  /// Cancelled; the next call goes on where this one was.
  bool step(const VertexTarget* vertices);
  /// To another moment of the recording that is played.
  void go_to(double time);

  /// Does nothing within a step that was interrupted, and where it is interrupted itself.
  void update_diagnostics();
  /// The energy changes with what the forces depend on: its error is counted from now on.
  void forget_energy();

  /// Pauses for a reason that the user should know.
  void stop(const std::string& why);
  void say(const std::string& message, bool error);
  std::string what_goes_on() const;
  /// False when the work should be given up.
  bool report_progress(bool busy, double progress);

 private:
  using Clock = std::chrono::steady_clock;

  void end_work();
  bool note_given_up();
  template <class Load>
  bool load_guarded(const Load& load);
  Params params_for(const std::string& name, const Scene& scene) const;
  void take_scene(const std::string& name, const SceneRequest& scene_request, const Scene& scene);
  bool rebuild(const Config& config);
  Config suited(const Config& config, const BodySource& bodies) const;
  void leave_recording();
  bool change_guarded(const std::function<void()>& change);
  void restore(const Snapshot& good, const Config& config);
  void make_checkpoint();
  void alarm();
  void stay_on_cpu(const DeviceLost& error);
  std::unique_ptr<Simulation> make_simulation(const Config& config, const BodySource& bodies, SimulationStart start,
                                              const Params& params);
  void replace_simulation(const Config& config, const BodySource& bodies, const SimulationStart& start,
                          const Params& params);
  Bodies bodies_between_steps();

  std::function<bool(const SessionState&)> report_;
  CancellationToken cancellation_;
  std::unique_ptr<Simulation> simulation_;
  SessionState state_;
  std::optional<Config> put_off_;              ///< that change() was asked for before it gave way to another scene
  std::shared_ptr<const SceneSource> source_;  ///< null when the scene table made the bodies
  Params recorded_params_;                     ///< for who computes on from the recording that is played
  int single_steps_ = 0;
  Checkpoint good_;
  bool recovered_ = false;  ///< and no step has been done since
  StepRates rates_;
  Clock::time_point last_diagnostics_{};
  std::optional<Diagnostics> energy_start_;  ///< since which the error of the energy counts
};

}  // namespace pericenter
