#pragma once

#include <cstddef>

#include "sim/core/config.h"
#include "sim/core/host_memory.h"

namespace pericenter::app {

/// Peak host memory in bytes of a simulation of `bodies`: scene, solver, vertices and the previous scene. An upper
/// estimate. Device memory is not included; the simulation throws DeviceMemoryError.
double memory_for(std::size_t bodies, const Config& config);

/// `config` with the solver that would be chosen for very many bodies if `automatic_solver`: it supports the most
/// bodies on CUDA.
Config for_many_bodies(Config config, bool automatic_solver);
/// Maximum number of bodies that the solver of `config` can index.
std::size_t max_addressable_bodies(const Config& config);
/// Maximum number of bodies that fit in the available memory; at least 1.
std::size_t max_bodies(const Config& config);

}  // namespace pericenter::app
