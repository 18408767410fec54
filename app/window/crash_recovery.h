#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/window/snapshot_saver.h"
#include "sim/files/snapshot.h"
#include "sim/session/simulation_thread.h"

namespace pericenter::app {

/// Where the bodies of a run are saved whose end cannot be avoided.
struct RecoveryPlaces {
  std::vector<std::string> folders;  ///< the first that takes them is used
  std::string note;                  ///< file that tells the next session of them; empty: none does
};
/// The folder of the settings, else the current one, else that of temporary files.
RecoveryPlaces recovery_places();

/// The bodies of the step that has just been done, if they come within `seconds`, else those of the last good state;
/// null where there are neither. Ends the making of a scene that is under way.
std::shared_ptr<const Snapshot> rescued_bodies(SimulationThread& simulation, double seconds);

/// Saves them as pericenter-recovery-SCENE-DATE-NNNN.hdf5. Returns what to tell the user: where they are and how to go
/// on, or why they are lost.
std::string save_recovery(const Snapshot& bodies, const RecoveryPlaces& places, const SnapshotWriter& writer = {});

/// The file that a session before this one saved so, told once; empty when there is none.
std::string take_recovery(const RecoveryPlaces& places);

}  // namespace pericenter::app
