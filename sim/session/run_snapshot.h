#pragma once

#include "sim/core/simulation.h"
#include "sim/files/snapshot.h"
#include "sim/session/checkpoint.h"
#include "sim/session/session_state.h"

namespace pericenter {

/// All that is needed to go on exactly from where the simulation is; `state` is what is known of it. Without a scene
/// string.
Snapshot snapshot_of(const SessionState& state, const Simulation& simulation);
/// The same where its bodies have been copied already.
Snapshot snapshot_of(const SessionState& state, const Simulation& simulation, Bodies bodies);
/// The same, without waiting for the bodies where another thread can get them.
PendingCheckpoint pending_checkpoint_of(const SessionState& state, Simulation& simulation);

}  // namespace pericenter
