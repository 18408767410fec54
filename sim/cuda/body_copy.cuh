#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include "sim/bodies.h"
#include "sim/config.h"
#include "sim/cuda/cuda_solver.cuh"
#include "sim/scenes/registry.h"

namespace pericenter {

/// What a body is on the device, one element a body in each array.
template <class Real>
struct BodyColumns {
  Four<Real>* position;  ///< w: mass
  Four<Real>* velocity;  ///< w: stored_tag()
};

// Both go by portions: while one is on its way, all threads of the host that config.threads allows convert the next.
// Both wait for the last one.

/// In 2D the z components are dropped. Throws SceneCancelled when `progress` returns false.
template <class Real>
void upload_bodies(const Config& config, const Bodies& from, const BodyColumns<Real>& to, const Progress& progress,
                   cudaStream_t stream);

template <class Real>
Bodies download_bodies(const Config& config, const BodyColumns<Real>& from, std::size_t count, cudaStream_t stream);

}  // namespace pericenter
