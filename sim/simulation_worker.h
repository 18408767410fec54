#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/files/snapshot.h"
#include "sim/probe.h"
#include "sim/requests.h"
#include "sim/simulation.h"
#include "sim/simulation_state.h"

namespace pericenter {

/// The simulation that runs and what was asked of it: all of SimulationThread that needs no lock. For one thread.
class SimulationWorker {
 public:
  /// `report` gets the state while a scene is being made or a simulation rebuilt; it returns false to cancel the scene.
  explicit SimulationWorker(std::function<bool(const SimulationState&)> report) : report_(std::move(report)) {}

  void apply(const Request& wanted);

  /// Whether a step is due: a single one, or one of those that `credit` pictures have asked for.
  bool wants_to_step(int credit) const;
  /// Advances by one step; its stages are those of state().timings. With `vertices`, which the simulation must take,
  /// the step ends in filling them, and what was published is returned.
  std::optional<Published> step(const VertexTarget* vertices);

  /// Whether the picture should see the bodies now: after the steps of a picture, or when none will follow soon.
  bool wants_to_publish(int credit) const;
  /// Whether the next step should end in publishing to `vertices`: when it is the last one of a picture, and the kernel
  /// that ends it can write there.
  bool publishes_in_step(int credit, const VertexTarget& vertices) const;
  /// Fills the buffer; count 0 when the simulation does not take it.
  Published publish(const VertexTarget& buffer);

  /// The cells to draw, when they have changed.
  std::optional<std::vector<TreeBox>> new_tree_boxes();

  /// The walk that ShowProbe asked for, when it has changed; nullopt within: no body is probed any more.
  std::optional<std::optional<Probe>> new_probe();

  /// What TakeSnapshot asked for.
  std::optional<Snapshot> take_snapshot() { return std::exchange(snapshot_, std::nullopt); }

  /// Pauses for a reason that the user should know.
  void stop(const std::string& why);
  /// Everything at once, so that no snapshot mixes two scenes.
  const SimulationState& state();

 private:
  using Clock = std::chrono::steady_clock;

  void apply_to(const request::Play& play);
  void apply_to(const request::SingleStep&) { ++single_steps_; }
  void apply_to(const request::LoadScene& load) {
    load_scene(load.name, load.scene, load.config.value_or(state_.config));
  }
  void apply_to(const request::LoadSource& load) { load_source(load.source); }
  void apply_to(const request::Reset&);
  void apply_to(const request::Seek& seek) { go_to(seek.time); }
  void apply_to(const request::Simulate&);
  void apply_to(const request::TakeSnapshot&);
  void apply_to(const request::SetParams& set);
  void apply_to(const request::SetConfig& set);
  void apply_to(const request::SetStepsPerFrame& set);
  void apply_to(const request::KeepPace& keep) { exact_pace_ = keep.exact; }
  void apply_to(const request::ShowTree& show);
  void apply_to(const request::ShowScalar& show);
  void apply_to(const request::MeasureForceErrors&);
  void apply_to(const request::ShowProbe& show);
  void apply_to(const request::Publish&) { unpublished_ = true; }
  void load_scene(const std::string& name, SceneRequest scene_request, const Config& config);
  void load_source(std::shared_ptr<const SceneSource> source);
  template <class Load>
  void load_guarded(const Load& load);
  void take_scene(const std::string& name, const SceneRequest& scene_request, const Scene& scene);
  SavedRun saved_run() const;
  void go_to(double time);
  void rebuild(const Config& config);
  void leave_recording();
  const Config& config() const;
  const Params& params_to_compute() const { return state_.recorded ? recorded_params_ : state_.params; }
  void replace_simulation(const Config& config, const Bodies& bodies, double time, std::uint64_t steps);
  Published published() const;
  bool picture_is_due() const;
  void note_published();
  void forget_rates();
  void measure_rates(double step_seconds, Clock::time_point end);
  void update_diagnostics();
  void forget_energy();
  void set_force_errors(const std::vector<double>& relative);
  void say(const std::string& message, bool error);
  bool report_progress(bool busy, double progress);

  std::function<bool(const SimulationState&)> report_;
  std::unique_ptr<Simulation> simulation_;
  SimulationState state_;
  std::shared_ptr<const SceneSource> source_;  ///< null when the scene table made the bodies
  std::optional<Snapshot> snapshot_;
  Params recorded_params_;  ///< for who computes on from the recording that is played
  int single_steps_ = 0;
  request::ShowTree show_tree_;
  bool tree_changed_ = false;
  std::optional<std::uint32_t> probed_;
  bool probe_changed_ = false;
  Clock::time_point last_probe_{};
  double probe_seconds_ = 0;  ///< that it took
  bool unpublished_ = false;  ///< the picture has not seen the bodies as they are
  int steps_since_publish_ = 0;
  bool exact_pace_ = false;
  double initial_energy_ = 0;
  bool energy_known_ = false;
  Clock::time_point last_boxes_{}, last_diagnostics_{}, last_publish_{}, last_step_end_{};
  double mean_step_seconds_ = 0, mean_period_seconds_ = 0;
  bool was_stepping_ = false;
};

}  // namespace pericenter
