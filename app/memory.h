#pragma once

#include <cstddef>

namespace pericenter::app {

/// Bytes that a simulation of `bodies` needs at its peak, scene, solver and vertices together; measured, generous.
double memory_for(std::size_t bodies);

/// Bytes of memory that programs could take now; 0 when the system does not tell.
double available_memory();

}  // namespace pericenter::app
