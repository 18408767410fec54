#pragma once

#include "app/ui/ui_state.h"
#include "app/window/capture.h"
#include "app/window/file_controller.h"
#include "sim/session/simulation_thread.h"

namespace pericenter::app {

/// Ends the window, normally or after an error: finishes files, and saves bodies that would be lost.
struct Shutdown {
  SimulationThread& simulation;
  Capture& capture;
  FileController& files;
  UiState& ui;
  bool saves_recovery;  ///< save a recovery snapshot after an error

  struct Conditions {
    int exit_code = 0;
    bool interrupted = false;         ///< a signal interrupted the run
    bool stalled = false;             ///< a step does not return
    bool background_threads = false;  ///< threads that must not be waited for are still running
  };
  /// Returns the exit code after the simulation thread has ended. If that takes too long, exits the process without
  /// destructors: the thread of a step can be neither stopped nor joined.
  int end(const Conditions& conditions);
  /// Exits the process with kDisplayLost.
  [[noreturn]] void end_without_display(bool stalled);
  /// Saves a recovery snapshot before the window ends with an error.
  void save_bodies();

 private:
  void save_bodies_within(double seconds);
  void finish_files(bool stalled, bool interrupted);
};

}  // namespace pericenter::app
