#pragma once

#include <memory>

#include "sim/core/simulation.h"
#include "sim/scenes/model/procedural_source.h"

namespace pericenter {

/// A simulation on the CUDA device config.device, where a procedural source creates its bodies; the config has been
/// checked. Throws DeviceMemoryError when it does not fit there, CudaError for other failures, std::invalid_argument
/// when there is no such device or the solver cannot number so many bodies, SceneCancelled when `progress` of their way
/// to the device returns false.
std::unique_ptr<Simulation> make_cuda_simulation(const Config& config, const BodySource& bodies,
                                                 const Progress& progress);

}  // namespace pericenter
