#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <stdexcept>
#include <string>

namespace pericenter {

/// A call into CUDA that failed; what() names the call, the file and the line.
class CudaError : public std::runtime_error {
 public:
  CudaError(cudaError_t error, const char* call, const char* file, int line)
      : std::runtime_error(std::string("CUDA: ") + cudaGetErrorString(error) + " (" + cudaGetErrorName(error) +
                           ") in " + call + ", " + file + ":" + std::to_string(line)),
        code(error) {}
  cudaError_t code;
};

}  // namespace pericenter

/// Throws CudaError when a call fails, and clears the error, which would else be reported by a later call again.
#define PERICENTER_CUDA_CHECK(call)                                                \
  do {                                                                             \
    const cudaError_t cuda_check_error_ = (call);                                  \
    if (cuda_check_error_ != cudaSuccess) {                                        \
      cudaGetLastError();                                                          \
      throw ::pericenter::CudaError(cuda_check_error_, #call, __FILE__, __LINE__); \
    }                                                                              \
  } while (false)

/// For destructors, which do not throw: a call that fails is logged.
#define PERICENTER_CUDA_LOG(call)                                                               \
  do {                                                                                          \
    const cudaError_t cuda_log_error_ = (call);                                                 \
    if (cuda_log_error_ != cudaSuccess) {                                                       \
      cudaGetLastError();                                                                       \
      std::fprintf(stderr, "pericenter: %s: %s\n", #call, cudaGetErrorString(cuda_log_error_)); \
    }                                                                                           \
  } while (false)

/// After a kernel launch.
#define PERICENTER_CUDA_LAUNCHED() PERICENTER_CUDA_CHECK(cudaGetLastError())
