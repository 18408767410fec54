#pragma once

#include <string>

#include "app/base/signals.h"
#include "app/settings/options.h"
#include "sim/files/load.h"
#include "sim/files/snapshot.h"

namespace pericenter::app {

/// The file of --load or the series of --play. Its configuration is the one to run with, changed by other options.
SceneSource input_source(const Options& options);
/// Its name for the user: the file name without extension.
std::string input_name(const Options& options);

/// Writes --save, with a progress bar. Returns an exit code; a signal cancels it. Throws FileError.
int save_output(const Snapshot& snapshot, const Options& options);

}  // namespace pericenter::app
