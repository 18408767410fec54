#include <cuda_runtime.h>

#include <csignal>
#include <filesystem>
#include <string>
#include <system_error>

#include "sim/core/device.h"
#include "sim/core/device_errors.h"
#include "sim/cuda/runtime/cuda_check.cuh"

namespace pericenter {
namespace {

/// Threads created during its lifetime block signals; otherwise driver threads could receive Ctrl+C.
class BlockedSignals {
 public:
  BlockedSignals() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~BlockedSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  BlockedSignals(const BlockedSignals&) = delete;
  BlockedSignals& operator=(const BlockedSignals&) = delete;

 private:
  sigset_t before_;
};

/// Loaded to check whether this build has code for a device.
__global__ void probe_kernel() {}

/// Why a device is not usable; empty if it is.
std::string problem_of(int index, const cudaDeviceProp& properties) {
  cudaFuncAttributes attributes;
  cudaError_t error = cudaSetDevice(index);
  if (error == cudaSuccess) error = cudaFuncGetAttributes(&attributes, probe_kernel);
  if (error == cudaSuccess) return {};
  cudaGetLastError();
  if (error == cudaErrorNoKernelImageForDevice || error == cudaErrorInvalidDeviceFunction) {
    return no_code_for(properties.major, properties.minor);
  }
  return cudaGetErrorString(error);
}

CudaStatus no_devices(cudaError_t error) {
  if (error == cudaErrorNoDevice || error == cudaSuccess) return {{}, "no NVIDIA GPU found"};
  int known = 0;
  const bool has_driver = cudaDriverGetVersion(&known) == cudaSuccess && known > 0;
  if (error != cudaErrorInsufficientDriver)
    return {{}, std::string("NVIDIA driver error: ") + cudaGetErrorString(error), true};
  return has_driver ? CudaStatus{{}, driver_is_too_old(known, CUDART_VERSION), true}
                    : CudaStatus{{}, "no NVIDIA driver found"};
}

/// The usable devices, or why there are none.
CudaStatus find_devices() {
  CudaStatus status;
  int count = 0;
  // Without a driver the count is unchanged; only the return code is valid.
  const cudaError_t error = cudaGetDeviceCount(&count);
  if (error != cudaSuccess || count == 0) {
    cudaGetLastError();
    return no_devices(error);
  }
  int current = 0;
  cudaGetDevice(&current);
  for (int index = 0; index < count; ++index) {
    cudaDeviceProp properties;
    if (cudaGetDeviceProperties(&properties, index) != cudaSuccess) {
      cudaGetLastError();
      continue;
    }
    const std::string problem = problem_of(index, properties);
    if (problem.empty()) {
      CudaDevice device{index, properties.name, properties.multiProcessorCount};
      cudaDeviceGetAttribute(&device.floats_per_double, cudaDevAttrSingleToDoublePrecisionPerfRatio, index);
      status.devices.push_back(device);
    } else {
      status.missing += (status.missing.empty() ? "" : "; ") + std::string(properties.name) + ": " + problem;
    }
  }
  if (status.available()) {
    status.missing.clear();
    cudaSetDevice(current);
    return status;
  }
  status.fixable = true;
  if (status.missing.empty()) status.missing = "no NVIDIA GPU is available";
  return status;
}

}  // namespace

bool driver_is_loaded() {
  std::error_code error;
  return std::filesystem::exists("/proc/driver/nvidia/version", error);
}

CudaStatus status_of_driver() {
  const BlockedSignals held_back;
  CudaStatus status = find_devices();
  cudaDriverGetVersion(&status.driver_version);
  status.runtime_version = CUDART_VERSION;
  return status;
}

}  // namespace pericenter
