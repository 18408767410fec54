#include <cuda_runtime.h>

#include <csignal>
#include <string>

#include "sim/cuda/cuda_check.cuh"
#include "sim/cuda/device.h"

namespace pericenter {
namespace {

/// Threads that are made while it lives take no signals: the driver's own would else take Ctrl+C from the program.
class SignalsHeldBack {
 public:
  SignalsHeldBack() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~SignalsHeldBack() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsHeldBack(const SignalsHeldBack&) = delete;
  SignalsHeldBack& operator=(const SignalsHeldBack&) = delete;

 private:
  sigset_t before_;
};

/// Loaded to find out whether this build has code for a device.
__global__ void probe_kernel() {}

/// Why a device cannot be used; empty when it can.
std::string problem_of(int index) {
  cudaFuncAttributes attributes;
  cudaError_t error = cudaSetDevice(index);
  if (error == cudaSuccess) error = cudaFuncGetAttributes(&attributes, probe_kernel);
  if (error == cudaSuccess) return {};
  cudaGetLastError();
  if (error == cudaErrorNoKernelImageForDevice || error == cudaErrorInvalidDeviceFunction) {
    return "this build has no code for it; build on that machine, with a CUDA toolkit that still knows it";
  }
  return cudaGetErrorString(error);
}

std::string no_devices(cudaError_t error) {
  if (error == cudaErrorNoDevice || error == cudaSuccess) return "there is no NVIDIA GPU";
  if (error == cudaErrorInsufficientDriver) return "there is no NVIDIA driver, or it is older than CUDA needs";
  return std::string("the NVIDIA driver says: ") + cudaGetErrorString(error);
}

}  // namespace

CudaStatus cuda_status() {
  const SignalsHeldBack held_back;
  CudaStatus status;
  int count = 0;
  // Without a driver the count stays as it was: only the return code tells.
  const cudaError_t error = cudaGetDeviceCount(&count);
  if (error != cudaSuccess || count == 0) {
    cudaGetLastError();
    return {{}, no_devices(error)};
  }
  int current = 0;
  cudaGetDevice(&current);
  for (int index = 0; index < count; ++index) {
    cudaDeviceProp properties;
    if (cudaGetDeviceProperties(&properties, index) != cudaSuccess) {
      cudaGetLastError();
      continue;
    }
    const std::string problem = problem_of(index);
    if (problem.empty()) {
      status.devices.push_back({index, properties.name});
    } else {
      status.missing += (status.missing.empty() ? "" : "; ") + std::string(properties.name) + ": " + problem;
    }
  }
  if (status.available()) {
    status.missing.clear();
    cudaSetDevice(current);
  } else if (status.missing.empty()) {
    status.missing = "no NVIDIA GPU answers";
  }
  return status;
}

}  // namespace pericenter
