#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "sim/analysis/probe.h"
#include "sim/core/bodies.h"
#include "sim/core/stage_timings.h"
#include "sim/core/tree_box.h"
#include "sim/core/vertex_target.h"
#include "sim/files/snapshot.h"
#include "sim/session/requests.h"
#include "sim/session/session_state.h"

namespace pericenter {

/// Owns a Simulation and the thread that steps it. All members may be called from one other thread and return at once.
///
/// The picture lends it a vertex buffer with lend(), the thread fills it with the last step of a picture or between two
/// steps, and take_back() hands it over. Each picture calls allow_steps(): a fast solver cannot run away from the
/// picture, and a slow one never holds it up.
class SimulationThread {
 public:
  SimulationThread();
  ~SimulationThread();  ///< ends the thread, on a GPU after the step it is in
  SimulationThread(const SimulationThread&) = delete;
  SimulationThread& operator=(const SimulationThread&) = delete;

  void request(Request request);
  /// Ends the making of a scene or the change of a config that is under way, with its first forces if the CPU computes
  /// them; what was before stays.
  void cancel();

  /// Also answers while a step hangs, like all but recall().
  SessionState state() const;
  /// Stages of the steps since the last call, oldest first; at most the last 512.
  std::vector<StageTimings> take_timings();
  /// The cells that ShowTree asked for; nullopt when they have not changed since the last call.
  std::optional<std::vector<TreeBox>> take_tree_boxes();

  /// The walk that ShowProbe asked for; nullopt when it has not changed since the last call, nullopt within when no
  /// body is probed any more.
  std::optional<std::optional<Probe>> take_probe();

  /// What TakeSnapshot asked for, once it is there.
  std::optional<Snapshot> take_snapshot();

  /// A copy of everything that is needed to go on, with all bodies finite: at most a second old while steps take less
  /// (see Checkpoint::period()). Null before the first scene, while a recording is played, and where there is no memory
  /// for it.
  std::shared_ptr<const Snapshot> rollback_target() const;

  /// Lends a buffer. Its memory must stay valid until take_back() returns a value or recall() was called.
  void lend(const VertexTarget& buffer);
  /// The lent buffer, filled; nullopt while it is not. One that is too small, or on a device while the CPU computes,
  /// comes back with count 0; the state's `bodies` and `config` tell what is needed.
  /// Waits up to `seconds` for it.
  std::optional<Published> take_back(double seconds = 0);
  /// Whether a buffer that is lent now is filled at once, without a step before that.
  bool awaits_buffer() const;
  /// To be called once a picture, best after a buffer was lent: allows steps_per_frame further steps.
  void allow_steps();
  /// Takes the lent buffer back whatever its state; waits for a publish in progress, which for a buffer on a device may
  /// be the end of a step (never for a step otherwise).
  void recall();

  /// Asks the thread to end, for good; false when the step that it is in has not returned within `seconds`.
  bool end(double seconds);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace pericenter
