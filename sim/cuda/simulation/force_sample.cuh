#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <span>

#include "sim/core/config.h"
#include "sim/core/simulation.h"
#include "sim/cuda/runtime/device_buffer.cuh"
#include "sim/cuda/simulation/cuda_solver.cuh"

namespace pericenter {

/// Stored and exact accelerations of a sample of the bodies. Memory grows with the largest sample, not with the bodies.
class CudaForceSample {
 public:
  /// Simulation::sampled_forces() for accelerations that are up to date; waits for the stream. The order of summation
  /// depends on the number of bodies, the size of the sample and the device. Throws DeviceMemoryError.
  template <class Real>
  SampledForces measure(const DeviceBodies<Real>& bodies, const Params& params, std::span<const std::size_t> sampled,
                        cudaStream_t stream);

  std::size_t bytes() const { return sampled_.bytes() + sums_.bytes() + results_.bytes(); }

 private:
  DeviceBuffer<std::uint32_t> sampled_;
  DeviceBuffer<Vec4<double>> sums_;     ///< sums for each sampled body, one per chunk of sources
  DeviceBuffer<Vec4<double>> results_;  ///< exact and stored acceleration of each sampled body
};

}  // namespace pericenter
