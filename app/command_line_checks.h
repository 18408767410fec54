#pragma once

#include "app/options.h"

namespace pericenter::app {

/// What is wrong with options together, after each was read for itself; settles the backend and, without a window, the
/// number of steps. `steps_given`: by --steps. Throws CommandLineError.
void check_together(Options& options, bool steps_given);

}  // namespace pericenter::app
