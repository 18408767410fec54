#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string>

#include "sim/core/cancellation.h"
#include "sim/run/run.h"
#include "sim/session/requests.h"
#include "sim/session/session_options.h"

namespace pericenter {

class BodySource;

/// A scene that was created or loaded: with it a run starts.
struct NewRun {
  std::unique_ptr<Simulation> simulation;
  Course course;
  std::optional<Diagnostics> energy = {};  ///< see Run::start()
  std::string message = {};
};

/// Creates the simulations of a Session: of new scenes, which it shows before their first forces are known, of other
/// configurations, and of recorded steps. It reports the progress. All functions that create may throw
/// std::invalid_argument, InputError, SceneCancelled, std::bad_alloc, DeviceMemoryError and DeviceLost; then the run is
/// the same as before.
class SceneLoader {
 public:
  /// What the loader uses of its session, which must outlive it.
  struct Host {
    const SessionOptions& options;
    CancellationToken& cancellation;
    Run& run;
    SessionState& state;
    std::function<const SessionState&()> up_to_date;                        ///< the state with that of the run
    std::function<PublishedFrame(const Simulation&, std::uint64_t)> frame;  ///< a frame of a scene with this serial
  };
  explicit SceneLoader(Host host) : host_(std::move(host)) {}

  /// A sentence; empty if the scene can be created.
  std::string problem_with(const request::LoadScene& wanted) const;
  /// Calls `leave` before the current run may be lost.
  NewRun create(const request::LoadScene& wanted, const std::function<void()>& leave);
  NewRun load(const std::shared_ptr<const SceneSource>& source);

  /// Calls `make`. If the GPU cannot hold both simulations at once, the current one gives way, and is created again if
  /// the new one still does not fit.
  std::unique_ptr<Simulation> made(const std::function<std::unique_ptr<Simulation>()>& make);
  /// A simulation with its first forces, which may take minutes.
  std::unique_ptr<Simulation> make(const Config& config, const BodySource& bodies, SimulationStart start,
                                   const Params& params,
                                   const std::function<void(Simulation& made)>& before_forces = {});
  /// A simulation at this recorded step, with all bits that it had if its solver is reproducible: repeats the steps
  /// from the keyframe before it. `as_work`: the user sees the progress and may cancel.
  std::unique_ptr<Simulation> repeated(const HistoryLine& line, std::uint64_t step, bool as_work = true);
  /// `config` with the solver and the integrator that are chosen for these bodies.
  Config with_suitable_choices(const Config& config, const BodySource& bodies, double softening) const;

  /// The work has ended. Returns the memory of the old simulation to the system, which glibc would keep.
  void finish();
  /// False when the work should be cancelled.
  bool report(bool busy, double progress);
  /// Serial of the scene that starts now.
  std::uint64_t take_serial();
  /// Later serials are larger.
  void raise_serial(std::uint64_t serial) { next_serial_ = std::max(next_serial_, serial); }
  /// Forgets a scene that is shown and has not started; whether there was one.
  bool end_preview();

  /// As request::AwaitDevice.
  void await_device(std::shared_future<std::optional<int>> device) { starting_device_ = std::move(device); }
  /// Configuration of the next scene, until a request for one is done.
  void defer(const Config& config) { deferred_ = config; }
  void forget_deferred() { deferred_.reset(); }

 private:
  struct Start;
  Config config_for(const request::LoadScene& wanted) const;
  Scene make_scene(const request::LoadScene& wanted, const Config& config, SceneRequest& made);
  Config on_started_device(Config config, const std::function<void()>& meanwhile = {});
  bool can_preview(std::size_t bodies) const;
  void preview(const Start& start, Simulation& made);

  Host host_;
  std::uint64_t next_serial_ = 1;          ///< serial of the next scene
  std::optional<SessionState> previewed_;  ///< state of the scene that is shown before its first forces are known
  std::shared_future<std::optional<int>> starting_device_;  ///< device of request::AwaitDevice, until it is known
  std::optional<Config> deferred_;                          ///< configuration that gave way to a new scene
};

}  // namespace pericenter
