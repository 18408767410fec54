#pragma once

#include <string>

#include "app/base/signals.h"
#include "app/cli/options.h"
#include "sim/files/scene_source.h"
#include "sim/files/snapshot.h"

namespace pericenter::app {

/// What --load or --play name, with a progress bar; its config is the one to run with, which other options have
/// changed. Throws InputError, SceneCancelled.
LoadedScene load_input(const Options& options, StopSignals& stop);
/// What the user calls it: the file's name without its ending.
std::string input_name(const Options& options);

/// Writes --save, with a progress bar. Returns an exit code: a signal that comes meanwhile gives it up. Throws
/// FileError.
int save_output(const Snapshot& snapshot, const Options& options);

}  // namespace pericenter::app
