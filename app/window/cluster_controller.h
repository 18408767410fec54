#pragma once

#include <atomic>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "app/cluster/run_watch.h"
#include "app/ui/ui_state.h"
#include "sim/files/snapshot.h"

namespace pericenter::app {

class Comparison;

/// Runs of an engine in the window: submits the bodies that are shown, and looks after one run. The run continues when
/// the program ends.
class ClusterController {
 public:
  ~ClusterController() { cancelled_ = true; }

  /// Requests the bodies, which are then exported and started.
  void submit(const UiFrame& frame, UiState& ui);
  void cancel_submit();
  /// Looks after the run in a folder.
  void open(const std::string& folder, UiState& ui);
  void close(UiState& ui);
  /// Ends the run; the first call asks.
  void cancel_run(UiState& ui);
  /// Plays the snapshots, and new ones as they appear.
  void watch_run(const UiFrame& frame, UiState& ui);
  /// Compares the snapshots, as A, with a run of our own from the same start, as B.
  void compare_run(Comparison& comparison, const UiFrame& frame, UiState& ui);

  /// Whether update() would show something new: the window draws another frame, although nothing moves.
  bool has_news(const UiState& ui) const;

  /// Once for each scene that starts: opens the run that a snapshot belongs to.
  void scene_started(const SessionState& state, UiState& ui);
  /// Once per frame. Takes the snapshot if it awaits one.
  void update(std::optional<Snapshot>& snapshot, const UiFrame& frame, UiState& ui);

 private:
  struct Plan {
    EngineStart start;
    std::string folder;
  };
  using Outcome = std::variant<RunRecord, std::string>;  ///< or why it failed

  Outcome start(const Plan& plan, Snapshot snapshot);
  void look_after(RunRecord record, UiState& ui);

  std::optional<Plan> plan_;          ///< run to start when the bodies arrive
  std::uint64_t message_serial_ = 0;  ///< message of the simulation at the time of the request
  std::unique_ptr<RunWatch> watch_;
  std::atomic<bool> cancelled_ = false;
  std::atomic<double> share_ = 0;
  std::future<Outcome> outcome_;  // last: its destructor waits for the thread that uses the other members
};

}  // namespace pericenter::app
