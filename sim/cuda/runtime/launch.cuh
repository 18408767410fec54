#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "sim/cuda/runtime/cuda_check.cuh"

namespace pericenter {

/// Blocks of `threads` threads for `count` elements, one thread per element.
constexpr unsigned blocks_of(std::size_t count, unsigned threads) {
  return static_cast<unsigned>((count + threads - 1) / threads);
}

/// Multiprocessors of the current device.
inline unsigned multiprocessors() {
  int device = 0, count = 0;
  PERICENTER_CUDA_CHECK(cudaGetDevice(&device));
  PERICENTER_CUDA_CHECK(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device));
  return static_cast<unsigned>(count);
}

}  // namespace pericenter
