#pragma once

#include <cstddef>

#include "sim/cuda/runtime/device_buffer.cuh"
#include "sim/cuda/tree/device_tree.cuh"

namespace pericenter {

/// log_densities() on the device. Takes its memory when it is made; throws DeviceMemoryError when there is none.
template <class Real>
class CudaDensity {
 public:
  CudaDensity(int dimension, std::size_t count, cudaStream_t stream);

  std::size_t bytes() const { return block_.bytes(); }

  /// Enqueues what sets the result, one element a body as they were given. There must be bodies, as many as it was made
  /// for.
  const float* enqueue(const DeviceBodies<Real>& bodies);

 private:
  /// Pieces of the block; without one they only tell its size.
  struct Memory {
    Memory(std::byte* block, std::size_t count);

    TreeMemory<Real> sort;  ///< no more of it than keys and sort need
    Bounds<Real, 3>* box;
    float* result;
    std::size_t bytes;
  };

  const int dimension_;
  DeviceBuffer<std::byte> block_;
  Memory memory_;
  StageEvents events_;  ///< that nobody reads: these are not the stages of a step
};

}  // namespace pericenter
