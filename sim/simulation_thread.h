#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "sim/bodies.h"
#include "sim/requests.h"
#include "sim/simulation_state.h"
#include "sim/stage_timings.h"
#include "sim/tree_box.h"

namespace pericenter {

/// Owns a Simulation and the thread that steps it. All members may be called from one other thread and return at once.
///
/// The picture lends it a vertex buffer with lend(), the thread fills it between two steps, and take_back() hands it
/// over. Each call of take_back(), one a picture, allows steps_per_frame further steps: a fast solver cannot run away
/// from the picture, and a slow one never holds it up.
class SimulationThread {
 public:
  SimulationThread();
  ~SimulationThread();  ///< ends the thread after the step it is in
  SimulationThread(const SimulationThread&) = delete;
  SimulationThread& operator=(const SimulationThread&) = delete;

  void request(Request request);
  /// Ends the making of a scene that is under way; the old scene stays.
  void cancel();

  SimulationState state() const;
  /// Stages of the steps since the last call, oldest first; at most the last 512.
  std::vector<StageTimings> take_timings();
  /// The cells that ShowTree asked for; nullopt when they have not changed since the last call.
  std::optional<std::vector<TreeBox>> take_tree_boxes();

  /// Lends a buffer. Its memory must stay valid until take_back() returns a value or recall() was called.
  void lend(std::span<Vertex> buffer);
  /// To be called once a picture. The lent buffer, filled; nullopt while it is not. One that is too small comes back
  /// with count 0 and the state's `bodies` tells how large it must be.
  std::optional<Published> take_back();
  /// Takes the lent buffer back whatever its state; waits for a publish in progress (never for a step).
  void recall();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace pericenter
