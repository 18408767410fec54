#pragma once

#include <string>

#include "sim/core/config.h"
#include "sim/core/diagnostics.h"

namespace pericenter::app {

/// Why the time step is too long for these bodies, and which one is not.
std::string long_step_warning(const Params& params, const Diagnostics& now, bool softening_helps);

}  // namespace pericenter::app
