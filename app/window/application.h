#pragma once

#include <string>

#include "app/cli/options.h"

namespace pericenter::app {

/// Why no window can be opened on this machine (no display at all); thrown by run_window before anything was shown.
struct NoDisplay {
  std::string why;
};

/// Opens the window and runs until it is closed. Returns an exit code; kUnavailable when there is a display but no
/// OpenGL 4.5, or no interop where it was asked for.
int run_window(const Options& options);

}  // namespace pericenter::app
