#pragma once

#include <cstddef>
#include <memory>

#include "sim/simulation.h"

namespace pericenter {

/// A simulation on the CUDA device config.device; the config has been checked. Throws DeviceMemoryError when it does
/// not fit there, CudaError for other failures, std::invalid_argument when there is no such device.
std::unique_ptr<Simulation> make_cuda_simulation(const Config& config, const Bodies& bodies);

/// Bodies that the CUDA solvers can number.
inline constexpr std::size_t kMostCudaBodies = std::size_t(1) << 28;

}  // namespace pericenter
