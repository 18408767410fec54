#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/core/simulation.h"
#include "sim/core/vertex_target.h"
#include "sim/run/run_state.h"
#include "sim/session/pace.h"

namespace pericenter {

/// Everything that the panels show: the current run, the settings that all runs share, and the work in progress.
struct SessionState : RunState {
  int steps_per_frame = 1;  ///< counts if `speed` is 0
  double speed = 0;         ///< scene time per second of wall time; 0: steps_per_frame counts
  Pace pace() const { return {steps_per_frame, speed}; }
  double speed_reached = 1;  ///< share of `speed` that this machine reaches
  bool exact_pace = false;   ///< request::SetExactPace
  bool running = false;
  Scalar scalar = Scalar::speed;      ///< attribute of the vertices
  std::string wanted_field;           ///< request::ShowScalar
  bool samples_forces = false;        ///< request::SampleForces
  std::vector<std::uint64_t> parked;  ///< keys of request::ParkRun that RestoreRun finds, ascending

  std::string device_lost;    ///< why the GPU can no longer be used; empty: it can
  double step_seconds = 0;    ///< duration so far of the step in progress; 0 between steps
  double step_progress = 0;   ///< share of its forces that are done, in [0, 1]; always 0 on a GPU
  double silent_seconds = 0;  ///< time without a report of the thread; 0 while it waits for work

  bool busy = false;              ///< a scene is being created or a simulation rebuilt
  bool awaits_device = false;     ///< while busy: the device of request::AwaitDevice is unknown
  bool computing_forces = false;  ///< while busy: the bodies exist, but their first forces are not known
  std::size_t next_bodies = 0;    ///< while busy: bodies of a scene that is shown before its first forces; 0: unknown
  double progress = 0;            ///< while busy: in [0, 1]
  std::string message;            ///< last message for the user; empty: none
  bool message_is_error = false;
  std::uint64_t message_serial = 0;  ///< counts messages, so that a repeated text is recognised as new

  std::uint64_t handled_request = 0;  ///< serial of the last request that this state reflects: SimulationThread
};

/// A filled vertex buffer: number of vertices, and the time that they belong to.
struct PublishedFrame {
  std::size_t count = 0;
  double time = 0;
  std::uint64_t steps = 0;
  std::uint64_t scene_serial = 0;
  Continuity continuity = {};                    ///< counts changes within the scene
  std::optional<VideoPace::Advance> video = {};  ///< frames that show it: request::SetExactPace
  bool bends = false;                            ///< vertices have bends: VertexTarget::bends
  std::size_t every = 1;                         ///< stride of the bodies that have a vertex: VertexTarget::every
};

}  // namespace pericenter
