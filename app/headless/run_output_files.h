#pragma once

#include <cstdint>
#include <string>

#include "app/base/signals.h"
#include "app/cli/options.h"
#include "sim/files/scene_source.h"
#include "sim/files/snapshot.h"

namespace pericenter::app {

/// The file of --load or the series of --play. Its configuration is the one to run with, changed by other options.
SceneSource input_source(const Options& options);
/// Its name for the user: the file name without extension.
std::string input_name(const Options& options);

/// Writes --save, with a progress bar. Returns an exit code; a signal cancels it. Throws FileError.
int save_output(const Snapshot& snapshot, const Options& options);
/// Name of a file of --save-every: "run_000040.hdf5" for "run.hdf5" after 40 steps, so that a run that continues from
/// its own file continues its series.
std::string series_file(const std::string& save, std::uint64_t steps);

}  // namespace pericenter::app
