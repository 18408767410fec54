#pragma once

#include "app/cli/options.h"

namespace pericenter::app {

/// Runs options.steps steps without a window, with a progress bar on stderr; prints stage timings and the energy error,
/// and writes the CSV and the screenshot that were asked for. Returns an exit code.
int run_headless(const Options& options);

/// No display: renders the collision at its best moment to a PNG and says where it is. Returns an exit code.
int run_without_display(const Options& options, const std::string& why);

}  // namespace pericenter::app
