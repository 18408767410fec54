#pragma once

#include <cstdint>
#include <future>
#include <optional>
#include <string>

#include "app/cli/options.h"
#include "app/ui/ui_state.h"
#include "app/window/viewport.h"
#include "sim/session/simulation_thread.h"

namespace pericenter::app {

/// The scenes that the window asks for, what each begins with, and what follows from what the simulation says of it.
/// The first one begins as the command line says, a pasted one as its string says.
class SceneController {
 public:
  /// All must outlive it.
  SceneController(const Options& options, SimulationThread& simulation, FrameView& view, UiState& ui)
      : options_(options), simulation_(simulation), view_(view), ui_(ui) {}

  /// Asks for the first scene. How many bodies suit a machine is measured with `config` while the empty window is
  /// already there, unless the command line says how many.
  void start(const Config& config, bool software_rendering);
  /// Whether that is not known yet.
  bool measuring() const { return measured_.valid(); }

  /// Once a frame. True when another scene has begun. Throws CommandLineError when the file of the command line cannot
  /// be shown.
  bool watch(const SessionState& state);
  std::uint64_t scene_serial() const { return serial_; }      ///< 0 before the first
  std::uint64_t first_steps() const { return first_steps_; }  ///< of the first scene, when it came

  /// Does what a command asks of the clipboard; false for other commands.
  bool apply(const Command& command, const UiFrame& frame);
  /// What was pasted will not come.
  void forget_pasted() { pasted_.reset(); }

 private:
  void copy(const SessionState& state);
  void paste(const UiFrame& frame);
  void load_first();
  void take_measured();
  void begin(const SessionState& state);
  void begin_first(const SessionState& state);
  void begin_pasted(const SessionState& state);
  void see_message(const SessionState& state);
  void pause_at_highlight(const SessionState& state);
  void look_at(const Options& options);
  void take_params(const Params& params, const SessionState& state);

  const Options& options_;
  SimulationThread& simulation_;
  FrameView& view_;
  UiState& ui_;
  std::optional<Options> pasted_;  // until its scene has come
  std::uint64_t serial_ = 0, first_steps_ = 0;
  double last_time_ = 0;            // of the simulation, a frame ago
  std::uint64_t last_message_ = 0;  // its serial, of the simulation
  std::future<std::size_t> measured_;
};

}  // namespace pericenter::app
