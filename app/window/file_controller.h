#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/ui/recent_files.h"
#include "app/ui/ui_state.h"
#include "app/window/snapshot_saver.h"
#include "sim/session/simulation_thread.h"

namespace pericenter::app {

/// Asks for what is in these files: several are a recording that is played, and so is one that belongs to a series.
/// Those that Ctrl+S numbered are no series.
void open_files(const std::vector<std::string>& paths, UiState& ui);
/// Asks for the bodies of this file alone.
void open_alone(const std::string& path, UiState& ui);
/// Asks for the series of this file as a recording.
void play_series(const std::string& path, UiState& ui);

/// What the window does with files: the browser, the files of late, and snapshots that are saved while it goes on.
class FileController {
 public:
  /// `recent_path`: where RecentFiles are kept.
  explicit FileController(const std::string& recent_path, SnapshotWriter writer = {});

  /// Does what a command asks of files; false for other commands.
  bool apply(const Command& command, const UiFrame& frame, UiState& ui);
  /// Once for each scene that begins.
  void see(const SessionState& begun, UiState& ui);
  /// Once a frame, with the snapshot that has come.
  void update(std::optional<Snapshot> taken, const UiFrame& frame, UiState& ui);
  /// Whether a snapshot was asked for that is not on the disk.
  bool busy() const { return !wanted_.empty() || saver_.busy(); }
  /// At the end of the program: waits until it is there, unless a signal comes. Says so on stderr. Of a step that
  /// `hangs` no snapshot comes.
  void finish(SimulationThread& simulation, bool hangs = false);
  /// Offers what the last session saved at its end.
  void offer(const std::string& recovered, UiState& ui);

 private:
  void ask_to_save(const UiFrame& frame, UiState& ui);
  void save(Snapshot taken);
  bool is_in_vain(const SessionState& state) const;
  std::string path_to_save(const std::string& scene, const UiState& ui) const;
  void end(const SnapshotSaver::Outcome& outcome, double now, UiState& ui);
  void remember(const std::string& path, double now, UiState& ui);

  RecentFiles recent_;
  std::string folder_;        // that a path was typed into last
  std::string replace_;       // a file that exists, which asking once more replaces
  std::string wanted_;        // where the snapshot goes that has not come
  std::string scene_string_;  ///< of what is saved
  std::string message_;       // of the simulation when it was asked for
  SnapshotSaver saver_;
};

}  // namespace pericenter::app
