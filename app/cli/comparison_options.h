#pragma once

#include "app/cli/options.h"

namespace pericenter::app {

/// `options` with the settings of Options::compare: KEY=VALUE, separated by commas. The keys are those of solver,
/// parameters and encounter in scene strings, and threads. Throws CommandLineError, which names the key and the value.
Options compared_options(const Options& options);

}  // namespace pericenter::app
