#pragma once

#include <cstddef>

#include "sim/cuda/runtime/device_buffer.cuh"
#include "sim/cuda/tree/device_tree.cuh"

namespace pericenter {

/// log_densities() on the device. The constructor allocates all memory and throws DeviceMemoryError on failure.
template <class Real>
class CudaDensity {
 public:
  CudaDensity(int dimension, std::size_t count, cudaStream_t stream);

  std::size_t bytes() const { return block_.bytes(); }

  /// Enqueues the computation of the result, one element per body in input order. The number of bodies must be that of
  /// the constructor and not 0.
  const float* enqueue(const DeviceBodies<Real>& bodies);

 private:
  /// Parts of the block; without a block it only computes the size.
  struct Memory {
    Memory(std::byte* block, std::size_t count);

    TreeMemory<Real> sort;  ///< only the arrays for keys and sort
    Bounds<Real, 3>* box;
    float* result;
    std::size_t bytes;
  };

  const int dimension_;
  DeviceBuffer<std::byte> block_;
  Memory memory_;
  StageEvents events_;  ///< never read: these are parts of Stage::write_vertices
};

}  // namespace pericenter
