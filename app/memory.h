#pragma once

#include <cstddef>

#include "sim/config.h"

namespace pericenter::app {

/// Bytes of the computer's memory that a simulation of `bodies` needs at its peak, scene, solver and vertices together,
/// on the generous side. What CUDA needs on its device is for the simulation to say (DeviceMemoryError).
double memory_for(std::size_t bodies, Backend backend);

/// Bytes of memory that programs could take now; 0 when the system does not tell.
double available_memory();

}  // namespace pericenter::app
