#pragma once

#include "app/base/log.h"
#include "app/settings/options.h"

namespace pericenter::app {

/// Runs options.steps steps without a window, with a progress bar on stderr; prints stage timings and the energy error,
/// and writes the files of the options. Returns an exit code.
int run_headless(const Options& options, Log& log);

/// Without a display: renders the scene at its highlight time to a PNG and prints its path. Returns an exit code.
int run_without_display(const Options& options, const std::string& why, Log& log);

}  // namespace pericenter::app
