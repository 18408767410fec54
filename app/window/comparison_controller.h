#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/ui/comparison_setup.h"
#include "app/ui/lockstep.h"
#include "app/ui/ui_state.h"
#include "app/window/star_buffer.h"
#include "sim/session/simulation_thread.h"

namespace pericenter::app {

/// Two simulations of the same bodies in one image: A, on the left, which this class runs, and B, the simulation of the
/// window. Both start from the same bodies; panels and keys change B. They advance together in simulated time, and
/// pause, reset and settings of the view apply to both.
///
/// Ends with a message when the two no longer show the same scene or A fails. What panels and overlay show is in
/// UiState::comparison. All calls come from the main thread.
class Comparison {
 public:
  /// The simulation, the stars and the view of the window, which must outlive the comparison, as `ui`.
  struct Window {
    SimulationThread& simulation;
    StarBuffer& stars;
    Viewport& view;
    const Interop& interop;
    UiState& ui;
  };
  explicit Comparison(const Window& window) : window_(window) {}

  /// Whether B takes its steps in lockstep with A, which may still be starting.
  bool active() const { return a_ != nullptr; }
  /// State of A in the last update(); null unless the image shows it.
  const SessionState* reference() const { return window_.ui.comparison.on() ? &a_state_ : nullptr; }

  /// Keeps the current settings as A, or ends the comparison.
  void toggle(const UiFrame& frame);
  /// A and B continue from the current bodies, or restart their scenes. Refuses with a message if there is not enough
  /// memory, or nothing is being simulated.
  void start(const ComparisonSetup& setup, const UiFrame& frame);
  /// A plays snapshots that another program computed, and B computes a run from the same start.
  struct Series {
    std::string first_snapshot;  ///< path; its series is A
    std::string start;           ///< path of the initial conditions, with the same bodies
    std::string title;           ///< name of the program that computed A
    std::string differences;     ///< sentences about what it computes in another way
  };
  void start_with_series(const Series& series, const UiFrame& frame);
  /// A becomes B and B becomes A.
  void swap(const UiFrame& frame);
  /// Ends the comparison without a message; B continues.
  void stop();
  /// Ends the comparison without a message; the run of A continues in place of B, paused.
  void continue_with_a();

  /// Once per frame, before the window fetches the stars of B.
  void begin_update(const SessionState& b);
  /// Once per frame, after the stars of B are fetched, with the state that they were fetched with. `sampled`: there is
  /// a new sample of them. Allows the next steps of A and B if `may_step`.
  struct Update {
    bool sampled = false, may_step = true;
  };
  /// True if A has changed.
  bool update(const SessionState& b, const Update& update);
  /// Whether A and B have completed a step since the last update(), and show the same time as far as their time steps
  /// allow it.
  bool completed_step() const { return completed_step_; }
  /// Frames of a video that show this step.
  int video_frames() const { return video_frames_; }
  /// As SessionState::speed_reached, of both.
  double speed_reached() const { return due_.share(); }
  /// Passes on a request to B that also applies to A.
  void forward(const Request& request, const SessionState& b);

  /// At the end of the program: false if a thread does not end within `seconds`.
  bool end_threads(double seconds);

 private:
  struct Simulated {
    Simulated(Viewport& view, const Interop& interop) : stars(view, interop, render::Half::left) {}
    StarBuffer stars;
    SimulationThread thread;  // declared after the stars: it ends before the buffers that it may write to
  };

  void create(std::shared_ptr<const RunCopy> run);
  void create_series(const SessionState& b);
  void begin(const SessionState& now);
  void end(const std::string& message, bool is_error = false);
  void copy_a();
  void release_ended();
  std::string reason_to_end(const SessionState& b) const;
  bool update_a(const SessionState& b);
  void follow(const SessionState& b);
  int steps_of_round(const SessionState& b, bool begins);
  void allow_steps(const SessionState& b);
  void catch_up(const LockstepSteps& steps, const SessionState& b);
  void reset_a(const SessionState& b);
  void set(const ComparedSettings& settings, const SessionState& b);

  Window window_;
  std::unique_ptr<Simulated> a_;
  std::vector<std::unique_ptr<Simulated>> ending_;  ///< waiting for their threads to end
  SessionState a_state_;
  std::optional<ComparisonSetup> setup_;  ///< set until A is created
  std::optional<Series> series_;          ///< what A plays; nullopt: it computes
  std::uint64_t measured_serials_ = 0;    ///< sum of the serials of the two scenes whose differences are measured
  std::uint64_t start_serial_ = 0;        ///< scene that is being copied
  std::uint64_t old_message_ = 0;         ///< serial of a message of A from before it became A
  std::optional<double> completed_at_;    ///< time at which B was allowed steps last
  PaceClock due_;                         ///< steps of a round: those of the longer time step
  std::chrono::steady_clock::time_point last_round_{};  ///< when due_ was asked last
  VideoPace video_;
  VideoPace::Advance planned_;  ///< the round that runs, in a video
  int video_frames_ = 1;
  bool completed_step_ = false;
  bool keeps_a_ = false;  ///< continue_with_a(), until the run of A is copied
};

}  // namespace pericenter::app
