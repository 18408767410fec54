#pragma once

#include "sim/core/config.h"

namespace pericenter {

struct RunState;

/// The configuration of the next scene: that of the run, on CUDA if only few bodies have left it for their integrator.
Config next_config(const RunState& now);

}  // namespace pericenter
