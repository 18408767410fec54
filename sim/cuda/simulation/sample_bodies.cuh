#pragma once

#include <cuda_runtime.h>

#include "sim/core/config.h"
#include "sim/cuda/simulation/body_copy.cuh"
#include "sim/scenes/model/procedural_source.h"

namespace pericenter {

/// Creates the bodies of a source in device memory and waits for completion. The result equals that of
/// ProceduralSource::make() to rounding. In 2D the z components are dropped. Throws SceneCancelled when `progress`
/// returns false.
template <class Real>
void sample_bodies(const Config& config, const ProceduralSource& source, const BodyColumns<Real>& to,
                   const Progress& progress, cudaStream_t stream);

}  // namespace pericenter
