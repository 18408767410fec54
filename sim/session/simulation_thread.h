#pragma once

#include <cstdint>
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
#include "sim/session/run_store.h"
#include "sim/session/session_state.h"

namespace pericenter {

/// A thread that runs a Session: request queue, published state and vertex buffers. All members may be called from one
/// other thread and do not block, except as documented.
///
/// The window lends a vertex buffer with lend(), the thread fills it with the last step of a frame or between two
/// steps, and take_back() returns it. Each frame calls allow_steps(), so that a fast solver does not run ahead of the
/// frames, and a slow one does not delay them.
class SimulationThread {
 public:
  SimulationThread();
  ~SimulationThread();  ///< waits for the thread, on a GPU until the end of the current step
  SimulationThread(const SimulationThread&) = delete;
  SimulationThread& operator=(const SimulationThread&) = delete;

  /// Queues a request and returns its serial: 1, 2, … in the order of the calls. Requests are handled in that order.
  /// Once SessionState::handled_request is not less than the serial, the request was applied or refused, or a later one
  /// has superseded it, and the state shows the outcome.
  std::uint64_t request(Request request);
  /// Cancels the scene or configuration that is being created, including its first forces on the CPU; the previous one
  /// stays.
  void cancel();

  /// A copy of the latest state; take one per frame.
  SessionState state() const;
  /// Stages of the steps since the last call, oldest first; at most the last 512.
  std::vector<StageTimings> take_timings();
  /// Cells of request::ShowTree; nullopt: unchanged since the last call.
  std::optional<std::vector<TreeBox>> take_tree_boxes();
  /// Tree walk of request::ShowProbe; nullopt: unchanged since the last call, nullopt inside: no body is probed.
  std::optional<std::optional<Probe>> take_probe();
  /// The snapshot of request::TakeSnapshot, once it is ready.
  std::optional<Snapshot> take_snapshot();
  /// The copy of request::TakeCopy, once it is ready; null: none.
  std::shared_ptr<const RunCopy> take_copy();

  /// The latest checkpoint, with finite bodies: at most one second old while steps take less (see
  /// Checkpoints::period()). Null before the first scene, during playback, and without enough memory.
  std::shared_ptr<const Snapshot> checkpoint() const;

  /// Lends a buffer. Its memory must stay valid until take_back() returns a value or recall() was called. `ahead`:
  /// while a run plays, the buffer is filled before the forces of the step whose end it shows, so that frames can show
  /// the way there meanwhile.
  void lend(const VertexTarget& buffer, bool ahead = false);
  /// The lent buffer once it is filled, waiting up to `seconds` for it. A buffer that does not suit, or on a device
  /// while the CPU computes, is returned with count 0; `bodies` and `config` of the state determine what is needed.
  std::optional<PublishedFrame> take_back(double seconds = 0);
  /// Whether a buffer that is lent now is filled immediately, without a step before that.
  bool awaits_buffer() const;
  /// Call once per frame, preferably after lending a buffer: allows steps_per_frame further steps, or with
  /// request::SetSpeed those that are due now.
  void allow_steps();
  /// Allows this number of further steps.
  void allow_steps(int steps);
  /// The time shown while the thread waits for allow_steps() or, paused, for a request: it has taken all steps that it
  /// may take, and take_back() has returned the last one. nullopt while it works, or before the first scene.
  std::optional<double> waits_at() const;
  /// Takes the lent buffer back in any state. Waits while it is being filled: for a buffer on a device possibly until
  /// the end of a step, otherwise never for a step.
  void recall();

  /// Exchanges the simulations, with the buffers that are lent to them and the serials of their requests.
  void swap(SimulationThread& other) noexcept { impl_.swap(other.impl_); }

  /// Asks the thread to end; false when its current step does not return within `seconds`.
  bool end(double seconds);

  /// How long a request to load another scene has waited for work that does not end; 0: none waits.
  double scene_waits_seconds() const;
  /// Loads the waiting scene on another thread, with the settings of this one and without its runs, and on the CPU if
  /// the GPU does not answer. Returns the thread that was left: it was asked to end, and may use the lent buffer until
  /// end() returns true.
  std::unique_ptr<SimulationThread> leave_work(bool leaves_gpu = false);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace pericenter
