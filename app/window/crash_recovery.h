#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/output/snapshot_saver.h"
#include "sim/files/snapshot.h"
#include "sim/session/simulation_thread.h"

namespace pericenter::app {

/// Where a recovery snapshot is saved.
struct RecoveryPlaces {
  std::vector<std::string> folders;  ///< the first writable one is used
  std::string note;                  ///< file that stores the path of the snapshot for the next session, or empty
};
/// The settings folder, then the current folder, then the folder for temporary files.
RecoveryPlaces recovery_places();

/// The bodies after the current step if they arrive within `seconds`, else the last checkpoint. Null if there is
/// neither. Cancels the creation of a scene.
std::shared_ptr<const Snapshot> latest_valid_snapshot(SimulationThread& simulation, double seconds);

/// Saves pericenter-recovery-SCENE-DATE-PROCESS-NNNN.hdf5. Returns a message for the user: the path and how to load it,
/// or why saving failed.
std::string save_recovery(const Snapshot& snapshot, const RecoveryPlaces& places, const SnapshotWriter& writer = {});

/// Path of the recovery snapshot of an earlier session; empty if there is none. Deletes the note.
std::string take_recovery(const RecoveryPlaces& places);

}  // namespace pericenter::app
