#pragma once

#include "app/base/log.h"
#include "app/settings/options.h"

namespace pericenter::app {

/// Opens the window and runs until it is closed. Returns an exit code: kUnavailable without OpenGL 4.5, or without
/// interop if it was requested. Throws NoDisplay.
int run_window(const Options& options, Log& log);

}  // namespace pericenter::app
