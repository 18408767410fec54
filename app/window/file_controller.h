#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/output/snapshot_saver.h"
#include "app/ui/ui_state.h"
#include "sim/session/simulation_thread.h"

namespace pericenter::app {

/// Files in the window: the browser, the list of recent files, and snapshots that are saved in the background.
class FileController {
 public:
  /// `recent_path`: where RecentFiles stores the list.
  explicit FileController(const std::string& recent_path, SnapshotWriter writer = {});

  /// Opens the file browser.
  void browse(UiState& ui);
  /// Requests a snapshot to be saved under ui.files.save_as, or under a new name.
  void request_save(const UiFrame& frame, UiState& ui);
  void cancel_save();
  /// Whether a requested snapshot is not saved yet.
  bool busy() const { return !pending_.empty() || saver_.busy(); }

  /// Once for each scene that starts.
  void scene_started(const SessionState& state, UiState& ui);
  /// Whether a requested snapshot has not arrived.
  bool awaits_bodies() const { return !pending_.empty(); }
  /// Saves a checkpoint instead of the requested snapshot, because the simulation does not answer. Null: there is none.
  void save_instead(const std::shared_ptr<const Snapshot>& checkpoint, double now, UiState& ui);
  /// Once per frame, with the snapshot if it has arrived.
  void update(std::optional<Snapshot> snapshot, const UiFrame& frame, UiState& ui);
  /// At the end of the program: waits until a requested snapshot is saved, or for a signal. Prints progress to stderr.
  /// A simulation that is `stalled` sends no snapshot.
  void finish(SimulationThread& simulation, bool stalled = false);
  /// Offers to open the recovery snapshots of earlier sessions, newest first.
  void offer_recovery(const std::vector<std::string>& paths, UiState& ui);

 private:
  void save(Snapshot snapshot);
  bool has_failed(const SessionState& state) const;
  std::string path_to_save(const std::string& scene, const UiState& ui) const;
  void report(const SnapshotSaver::Outcome& outcome, double now, UiState& ui);
  void add_recent(const std::string& path, double now, UiState& ui);

  RecentFiles recent_;
  std::string folder_;                ///< folder of the last typed path
  std::string replace_;               ///< existing file that a second request replaces
  std::string pending_;               ///< path of a snapshot that was requested but has not arrived
  std::string scene_string_;          ///< scene string of the requested snapshot
  std::string remark_;                ///< words after the path of the snapshot that is being saved
  std::uint64_t message_serial_ = 0;  ///< message serial of the simulation at the time of the request
  SnapshotSaver saver_;
};

}  // namespace pericenter::app
