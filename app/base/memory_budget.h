#pragma once

#include <cstddef>

#include "sim/core/config.h"

namespace pericenter::app {

/// Bytes of the computer's memory that a simulation of `bodies` needs at its peak, scene, solver and vertices together
/// and the scene before it, on the generous side. What CUDA needs on its device is for the simulation to say
/// (DeviceMemoryError).
double memory_for(std::size_t bodies, const Config& config);

/// Bytes of memory that this program could take now, in a container no more than that has left; 0 when the system does
/// not tell.
double available_memory();

/// `config` with the solver that the program would choose for very many bodies, where it chooses: no other can number
/// as many on CUDA.
Config for_many_bodies(Config config, bool automatic_solver);
/// The most bodies that the solver of `config` can number.
std::size_t max_addressable_bodies(const Config& config);
/// The most of these that the computer's memory has room for now; at least one.
std::size_t max_bodies(const Config& config);

}  // namespace pericenter::app
