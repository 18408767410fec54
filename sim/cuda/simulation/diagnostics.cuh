#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "sim/core/diagnostic_sums.h"
#include "sim/cuda/runtime/device_buffer.cuh"
#include "sim/cuda/simulation/cuda_solver.cuh"

namespace pericenter {

/// Sums over all bodies on the device, in double precision. The order of summation depends only on the body count.
class CudaDiagnostics {
 public:
  explicit CudaDiagnostics(std::size_t count);
  static std::size_t bytes(std::size_t count);

  /// `velocity` has one element per body; potentials must be up to date. Waits for the stream.
  template <class Real>
  Diagnostics evaluate(const DeviceBodies<Real>& bodies, const Vec4<Real>* velocity, cudaStream_t stream);

 private:
  DeviceBuffer<DiagnosticSums> sums_;  ///< one per block
};

}  // namespace pericenter
