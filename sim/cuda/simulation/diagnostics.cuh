#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "sim/core/diagnostic_sums.h"
#include "sim/core/urgency.h"
#include "sim/cuda/simulation/body_sums.cuh"
#include "sim/cuda/simulation/cuda_solver.cuh"

namespace pericenter {

/// Sums over all bodies on the device, in double precision.
class CudaDiagnostics {
 public:
  explicit CudaDiagnostics(std::size_t count) : sums_(count), urgency_(count) {}
  static std::size_t bytes(std::size_t count) {
    return BodySums<DiagnosticSums>::bytes(count) + BodySums<Urgency>::bytes(count);
  }

  /// `velocity` has one element per body; potentials must be up to date. Waits for the stream.
  template <class Real>
  Diagnostics evaluate(const DeviceBodies<Real>& bodies, const Vec4<Real>* velocity, cudaStream_t stream);
  /// What limits the step. Accelerations, and without softening potentials, must be up to date. Waits for the stream.
  template <class Real>
  Urgency urgency(const DeviceBodies<Real>& bodies, bool softened, cudaStream_t stream);

 private:
  BodySums<DiagnosticSums> sums_;
  BodySums<Urgency> urgency_;
};

}  // namespace pericenter
