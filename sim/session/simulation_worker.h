#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/analysis/probe.h"
#include "sim/files/snapshot.h"
#include "sim/session/requests.h"
#include "sim/session/running_scene.h"
#include "sim/session/session_state.h"

namespace pericenter {

/// The scene that runs and what was asked of it, with what of it pictures should see when: all of SimulationThread that
/// needs no lock. For one thread.
class SimulationWorker {
 public:
  /// `report` gets the state while a scene is being made or a simulation rebuilt; it returns false to cancel the scene.
  explicit SimulationWorker(std::function<bool(const SessionState&)> report) : scene_(std::move(report)) {}

  /// RunningScene::interruption(); what evaluates forces throws Cancelled then. apply() does so only for
  /// TakeSnapshot.
  CancellationToken& cancellation() { return scene_.cancellation(); }

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

  /// Checkpoint::latest() of the scene.
  std::shared_ptr<const Snapshot> rollback_target() const { return scene_.rollback_target(); }

  /// Goes on without the GPU that was lost.
  void recover(const DeviceLost& error);
  /// Pauses for a reason that the user should know.
  void stop(const std::string& why) { scene_.stop(why); }
  const SessionState& state() { return scene_.told(); }

 private:
  using Clock = std::chrono::steady_clock;

  void apply_to(const request::Play& play);
  void apply_to(const request::SingleStep&) { scene_.ask_for_step(); }
  void apply_to(const request::LoadScene& load) {
    if (scene_.load(load)) note_new_scene();
  }
  void apply_to(const request::LoadSource& load) {
    if (scene_.load(load.source)) note_new_scene();
  }
  void apply_to(const request::Reset&);
  void apply_to(const request::Seek& seek) { go_to(seek.time); }
  void apply_to(const request::Simulate&) {
    if (scene_.compute_on()) note_new_simulation();
  }
  void apply_to(const request::TakeSnapshot&);
  void apply_to(const request::SetParams& set);
  void apply_to(const request::SetConfig& set) {
    if (scene_.change(set.config)) note_new_simulation();
  }
  void apply_to(const request::ChooseSolver& choose) {
    if (scene_.choose_solver(choose.automatically)) note_new_simulation();
  }
  void apply_to(const request::SetStepsPerFrame& set);
  void apply_to(const request::KeepPace& keep) { exact_pace_ = keep.exact; }
  void apply_to(const request::ShareBuffer& share) { one_buffer_ = share.one; }
  void apply_to(const request::ShowTree& show);
  void apply_to(const request::ShowScalar& show);
  void apply_to(const request::MeasureForceErrors&);
  void apply_to(const request::ShowProbe& show);
  void apply_to(const request::GoBack& back);
  void apply_to(const request::Publish&) { unpublished_ = true; }
  void go_to(double time);
  void note_new_simulation();
  void note_new_scene();
  void note_published();
  Published published() const;
  bool picture_is_due() const;
  bool has_steps_of_a_picture() const;
  std::vector<Vec3> forces_to_show(bool& changed);
  void set_force_errors(const std::vector<double>& relative);

  RunningScene scene_;
  std::optional<Snapshot> snapshot_;
  request::ShowTree show_tree_;
  bool tree_changed_ = false;
  std::optional<std::uint32_t> probed_;
  bool probe_changed_ = false;
  Clock::time_point last_probe_{};
  double probe_seconds_ = 0;  ///< that it took
  std::uint64_t jumps_ = 0;   ///< to earlier moments
  bool unpublished_ = false;  ///< the picture has not seen the bodies as they are
  int steps_since_publish_ = 0;
  bool exact_pace_ = false, one_buffer_ = false;
  Clock::time_point last_boxes_{}, last_publish_{};
};

}  // namespace pericenter
