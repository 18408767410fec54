#pragma once

#include <memory>

#include "sim/core/cancellation.h"
#include "sim/core/simulation.h"

namespace pericenter {

/// A simulation on the CPU. `config` must be valid; `cancellation` as in SimulationStart.
std::unique_ptr<Simulation> make_cpu_simulation(const Config& config, const Bodies& bodies,
                                                CancellationToken* cancellation);

}  // namespace pericenter
