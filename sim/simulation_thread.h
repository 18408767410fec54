#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "sim/scenes/registry.h"
#include "sim/simulation.h"

namespace pericenter {

/// What is asked of the simulation thread. It applies requests between two steps, in the order they came.
namespace request {
struct Play {
  bool running = true;
};
struct SingleStep {};
struct LoadScene {
  std::string name;
  SceneRequest scene;
};                ///< starts paused or playing as before
struct Reset {};  ///< the current scene again, same seed, same N
struct SetParams {
  Params params;
};
struct SetConfig {
  Config config;
};  ///< goes on from the same bodies; on failure the old one stays
struct SetStepsPerFrame {
  int steps = 1;
};
struct ShowTree {
  bool show = false;
  int first_level = 0, last_level = 64;
  std::size_t limit = 200'000;
};
}  // namespace request
using Request = std::variant<request::Play, request::SingleStep, request::LoadScene, request::Reset, request::SetParams,
                             request::SetConfig, request::SetStepsPerFrame, request::ShowTree>;

/// A copy of everything that the panels show.
struct SimulationState {
  std::string scene;           ///< name of the scene that runs; empty before the first is ready
  SceneRequest scene_request;  ///< without its progress function
  Units units;
  Params suggested;  ///< the scene's own parameters
  double view_radius = 1;
  double highlight_time = 0;
  float speed_scale = 1;
  std::uint64_t scene_serial = 0;  ///< counts scenes and resets; a change means: fit the camera, forget history

  Config config;
  Params params;
  int steps_per_frame = 1;
  bool running = false;
  std::size_t bodies = 0;
  double time = 0;
  std::uint64_t steps = 0;

  StageTimings timings;                                        ///< of the last step
  double steps_per_second = 0;                                 ///< smoothed
  double bodies_per_second = 0;                                ///< bodies * steps per second of step time, smoothed
  std::uint64_t body_interactions = 0, cell_interactions = 0;  ///< of the last force evaluation
  Diagnostics diagnostics;  ///< of the last time they were evaluated (a few times a second)
  double energy_error = 0;  ///< (E - E0)/|E0| since the scene began or the softening last changed
  int tree_levels = 0;

  bool busy = false;    ///< a scene is being made or a simulation rebuilt
  double progress = 0;  ///< of what it is busy with, in [0, 1]
  std::string message;  ///< last thing that the user should know; empty when all is well
  bool message_is_error = false;
};

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

  /// What take_back() returns: how many vertices of the lent buffer were written, and the time they belong to.
  struct Published {
    std::size_t count = 0;
    double time = 0;
    std::uint64_t steps = 0;
    std::uint64_t scene_serial = 0;
  };
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
