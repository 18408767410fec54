#pragma once

#include <cuda_runtime.h>

#include "sim/cuda/runtime/cuda_check.cuh"

namespace pericenter {

/// Makes a device the current one of this thread, from construction to destruction.
class CurrentDevice {
 public:
  explicit CurrentDevice(int device) {
    PERICENTER_CUDA_CHECK(cudaGetDevice(&before_));
    PERICENTER_CUDA_CHECK(cudaSetDevice(device));
  }
  ~CurrentDevice() { PERICENTER_CUDA_LOG(cudaSetDevice(before_)); }
  CurrentDevice(const CurrentDevice&) = delete;
  CurrentDevice& operator=(const CurrentDevice&) = delete;

 private:
  int before_ = 0;
};

}  // namespace pericenter
