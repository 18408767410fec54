#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/output/snapshot_saver.h"
#include "app/ui/ui_state.h"
#include "app/window/capture.h"
#include "app/window/file_controller.h"
#include "app/window/running_copy.h"
#include "sim/files/snapshot.h"
#include "sim/session/simulation_thread.h"

namespace pericenter::app {

/// Where a recovery snapshot is saved.
struct RecoveryPlaces {
  std::vector<std::string> folders;  ///< the first writable one is used
  std::string note;                  ///< file with the paths of snapshots for the next session, or empty
};
/// The settings folder, then the current folder, then the folder for temporary files.
RecoveryPlaces recovery_places();

/// The bodies after the current step if they arrive within `seconds`, else the last checkpoint. Null if there is
/// neither. Cancels the creation of a scene.
std::shared_ptr<const Snapshot> latest_valid_snapshot(SimulationThread& simulation, double seconds);

/// A recovery snapshot, or why there is none.
struct SavedRecovery {
  bool saved = false;
  std::string message;  ///< words for the user: the path and how to load it, or why saving failed
};
/// Saves pericenter-recovery-SCENE-DATE-PROCESS-NNNN.hdf5.
SavedRecovery save_recovery(const Snapshot& snapshot, const RecoveryPlaces& places, const SnapshotWriter& writer = {});

/// Paths of the recovery snapshots of earlier sessions that still exist, newest first: those of the note, which is
/// deleted, and the copies of processes that were killed.
std::vector<std::string> take_recovery(const RecoveryPlaces& places);

/// Ends the window, normally or after an error: finishes files, and saves bodies that would be lost.
struct Shutdown {
  SimulationThread& simulation;
  Capture& capture;
  FileController& files;
  UiState& ui;
  RunningCopy* copy;  ///< deleted unless the bodies would be lost with it; null: no recovery snapshot is saved

  struct Conditions {
    int exit_code = 0;
    bool interrupted = false;         ///< a signal interrupted the run
    bool stalled = false;             ///< a step does not return
    bool background_threads = false;  ///< threads that must not be waited for are still running
  };
  /// Returns the exit code after the simulation thread has ended. If that takes too long, exits the process without
  /// destructors: the thread of a step can be neither stopped nor joined.
  int end(const Conditions& conditions);
  /// Exits the process with kDisplayLost.
  [[noreturn]] void end_without_display(bool stalled);
  /// Saves a recovery snapshot before the window ends with an error.
  void save_bodies();

 private:
  void save_bodies_within(double seconds);
  void finish_files(bool stalled, bool interrupted);
};

}  // namespace pericenter::app
