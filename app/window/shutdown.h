#pragma once

#include "app/ui/ui_state.h"
#include "app/window/capture.h"
#include "app/window/file_controller.h"
#include "sim/session/simulation_thread.h"

namespace pericenter::app {

/// How a window ends, as it should or not: files are finished, and bodies that would be lost are saved.
struct Shutdown {
  SimulationThread& simulation;
  Capture& output;
  FileController& desk;
  UiState& ui;
  bool rescues;  ///< whether somebody would miss the bodies

  struct Circumstances {
    int exit_code = 0;
    bool interrupted = false;  ///< by a signal
    bool hangs = false;        ///< a step does not return
    bool others_work = false;  ///< threads that nobody should wait for
  };
  /// Returns the exit code once the simulation has ended. Where that takes too long the process ends here, without
  /// destructors: the thread of a step can neither be ended nor be waited for.
  int end(const Circumstances& how);
  /// The process ends here, with kDisplayLost.
  [[noreturn]] void end_without_display(bool hangs);
  /// Saves the bodies of a window that ends for an error.
  void rescue();

 private:
  void rescue_within(double seconds);
  void finish_files(bool hangs);
};

}  // namespace pericenter::app
