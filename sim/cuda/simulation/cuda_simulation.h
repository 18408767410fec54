#pragma once

#include <memory>

#include "sim/core/simulation.h"
#include "sim/scenes/model/procedural_source.h"

namespace pericenter {

/// A simulation on the CUDA device config.device; a procedural source creates its bodies on the device. The config must
/// be valid. Throws DeviceMemoryError when it does not fit, std::invalid_argument when the device does not exist or the
/// solver cannot index this many bodies, SceneCancelled when `progress` returns false during the upload, and CudaError
/// for other failures.
std::unique_ptr<Simulation> make_cuda_simulation(const Config& config, const BodySource& bodies,
                                                 const Progress& progress);

}  // namespace pericenter
