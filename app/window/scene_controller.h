#pragma once

#include <cstdint>
#include <functional>
#include <future>
#include <optional>

#include "app/settings/auto_body_count.h"
#include "app/settings/options.h"
#include "app/ui/ui_state.h"
#include "app/window/viewport.h"
#include "sim/session/simulation_thread.h"

namespace pericenter::app {

/// Loads scenes and applies their initial settings: those of the command line to the first scene, those of a scene
/// string to a pasted one. Reports messages of the simulation.
class SceneController {
 public:
  /// The arguments must outlive it; the view may be created after it. With Options::early_scene it requests the scene
  /// of the command line, whose bodies are shown until set_device(). Without a number of the command line it measures
  /// the number before; if the options await CUDA, it shows as many as most GPUs can run.
  SceneController(const Options& options, SimulationThread& simulation, Viewport& view, UiState& ui);

  /// Requests the first scene, with `config`, unless that was done early. Without a number of bodies on the command
  /// line, it is measured in the background while the window is already open.
  void start(const Config& config, bool software_rendering);
  /// Starts the scene that was requested early, on this CUDA device or the CPU (nullopt), with another number of bodies
  /// if the device is too slow. Nothing happens if no scene waits.
  void set_device(std::optional<int> device);
  /// Whether the measurement is still running.
  bool measuring() const { return measurement_.valid(); }

  /// Once per frame. True if a new scene has started. Throws CommandLineError if the file of the command line cannot be
  /// loaded.
  bool update(const SessionState& state);
  std::uint64_t scene_serial() const { return serial_; }      ///< serial of the scene shown; 0 before the first
  bool has_started() const { return started_serial_ != 0; }   ///< any scene
  std::uint64_t first_steps() const { return first_steps_; }  ///< steps of the first scene when it was loaded

  /// Copies the scene string to the clipboard.
  void copy(const SessionState& state);
  /// Loads the scene string in the clipboard. The current scene stays until the new one is ready.
  void paste(const UiFrame& frame);
  /// Loads these options, as paste() does. With `keeps_draft` number of bodies and seed of the next scene stay as they
  /// are.
  void load(const SceneOptions& options, bool keeps_draft);
  /// Whether a scene of paste() or load() is neither loaded nor refused yet.
  bool loading() const { return pasted_.has_value(); }
  /// Cancels the creation of a scene.
  void cancel();

 private:
  void request_settings(const Config& config);
  /// Determines the number of bodies.
  struct Measurement {
    StepSample sample;
    std::size_t requested = 0;  ///< bodies of the scene that is already requested, or 0
  };
  void load_first(std::size_t bodies);
  void request_first(std::size_t bodies);
  void start_early();
  void end_wait();
  void measure(std::function<Measurement()> measurement);
  void poll_measurement();
  void show_scene(const SessionState& state);
  void start_scene(const SessionState& state);
  void start_first(const SessionState& state);
  void start_pasted(const SessionState& state);
  void report_message(const SessionState& state);
  void pause_at_highlight(const SessionState& state);
  void set_camera(const SceneOptions& options);
  void request_params(const Params& params, const SessionState& state);

  const Options& options_;
  SimulationThread& simulation_;
  Viewport& view_;
  UiState& ui_;
  struct PendingScene {
    SceneOptions options;
    bool keeps_draft = false;
  };
  std::optional<PendingScene> pasted_;  ///< set until its scene is loaded
  bool awaits_first_ = false;           ///< the scene of the command line, with its options
  /// A scene is shown while its first forces are computed, and starts after them.
  std::uint64_t serial_ = 0, started_serial_ = 0;
  std::string scene_;  ///< name of that of serial_; empty: a file
  std::uint64_t first_steps_ = 0;
  /// The camera of the previous scene, restored if the new one is cancelled.
  struct PreviousCamera {
    std::uint64_t scene_serial = 0;
    render::CameraPose pose;
    Follow follow;
  };
  PreviousCamera left_;
  double last_time_ = 0;            ///< simulation time in the last frame
  std::uint64_t last_message_ = 0;  ///< its serial
  std::future<Measurement> measurement_;
  bool software_rendering_ = false;
  bool started_early_ = false;  ///< start_early() was called, start() not yet
  /// A scene that was requested early, until its device is known.
  struct PendingDevice {
    std::size_t guessed = 0;  ///< number of bodies, to be measured on the device; 0: it is known
    std::optional<int> device;
    std::promise<std::optional<int>> promise;
  };
  std::optional<PendingDevice> awaiting_;
};

}  // namespace pericenter::app
