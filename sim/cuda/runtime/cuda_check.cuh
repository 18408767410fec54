#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <stdexcept>
#include <string>

#include "sim/core/device.h"
#include "sim/core/device_errors.h"

namespace pericenter {

/// A failed CUDA call; what() has the call, the file and the line.
class CudaError : public std::runtime_error {
 public:
  CudaError(cudaError_t error, const char* call, const char* file, int line)
      : std::runtime_error(std::string("CUDA: ") + cudaGetErrorString(error) + " (" + cudaGetErrorName(error) +
                           ") in " + call + ", " + file + ":" + std::to_string(line)),
        code(error) {}
  cudaError_t code;
};

/// Throws the exception for a failed call: DeviceMemoryError, DeviceLost or CudaError.
[[noreturn]] inline void throw_cuda_error(const CudaError& error) {
  switch (meaning_of_cuda_error(error.code)) {
    case CudaErrorKind::out_of_memory:
      throw DeviceMemoryError(error.what());
    case CudaErrorKind::device_lost:
      record_device_lost(error.what());
      throw DeviceLost(error.what());
    case CudaErrorKind::defect:
      break;
  }
  throw error;
}

}  // namespace pericenter

/// Throws when a call fails (see throw_cuda_error()) and clears the error, which a later call would otherwise report
/// again.
#define PERICENTER_CUDA_CHECK(call)                                                   \
  do {                                                                                \
    const cudaError_t cuda_check_error_ = (call);                                     \
    if (cuda_check_error_ != cudaSuccess) {                                           \
      cudaGetLastError();                                                             \
      ::pericenter::throw_cuda_error({cuda_check_error_, #call, __FILE__, __LINE__}); \
    }                                                                                 \
  } while (false)

/// For destructors, which must not throw. Logs a failed call, except after the loss of the device, when all calls fail.
#define PERICENTER_CUDA_LOG(call)                                                                 \
  do {                                                                                            \
    const cudaError_t cuda_log_error_ = (call);                                                   \
    if (cuda_log_error_ != cudaSuccess) {                                                         \
      cudaGetLastError();                                                                         \
      if (::pericenter::device_lost_reason().empty())                                             \
        std::fprintf(stderr, "pericenter: %s: %s\n", #call, cudaGetErrorString(cuda_log_error_)); \
    }                                                                                             \
  } while (false)
