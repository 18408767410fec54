#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <source_location>
#include <utility>

#include "sim/cuda/runtime/cuda_check.cuh"

namespace pericenter {

/// Blocks of `threads` threads for `count` elements, one thread per element.
constexpr unsigned blocks_of(std::size_t count, unsigned threads) {
  return static_cast<unsigned>((count + threads - 1) / threads);
}

/// Blocks and threads of a launch. An error names the line that made this object.
struct LaunchSize {
  dim3 blocks, threads;
  std::size_t shared_bytes = 0;
  std::source_location where = std::source_location::current();
  /// Whether the kernel may start when all blocks of the one before it in the stream have called start_next_kernel(),
  /// if nothing else lies between them. Needs can_start_early().
  bool early = false;
};

/// One thread per element.
inline LaunchSize per_element(std::size_t count, unsigned threads,
                              std::source_location where = std::source_location::current()) {
  return {blocks_of(count, threads), threads, 0, where};
}

/// Whether `kernel` and those that are compiled with it may start before the end of another one on the current device:
/// if their code is for compute capability 9.0. A newer device may use code for an older one.
template <class Kernel>
bool can_start_early(Kernel* kernel) {
  cudaFuncAttributes attributes{};
  PERICENTER_CUDA_CHECK(cudaFuncGetAttributes(&attributes, kernel));
  return attributes.ptxVersion >= 90;
}
/// Lets a kernel with LaunchSize::early start. It must wait for what it reads of this one.
__device__ __forceinline__ void start_next_kernel() {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}
/// Waits until the kernel has ended before whose end this one may have started.
__device__ __forceinline__ void wait_for_last_kernel() {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

/// Enqueues a kernel and checks the launch.
template <class... Parameters, class... Arguments>
void launch(void (*kernel)(Parameters...), const LaunchSize& size, cudaStream_t stream, Arguments&&... arguments) {
  if (size.early) {
    cudaLaunchAttribute early{};
    early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    early.val.programmaticStreamSerializationAllowed = 1;
    const cudaLaunchConfig_t config = {size.blocks, size.threads, size.shared_bytes, stream, &early, 1};
    cudaLaunchKernelEx(&config, kernel, std::forward<Arguments>(arguments)...);
  } else {
    kernel<<<size.blocks, size.threads, size.shared_bytes, stream>>>(std::forward<Arguments>(arguments)...);
  }
  const cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess) return;
  throw_cuda_error({error, "a kernel launch", size.where.file_name(), static_cast<int>(size.where.line())});
}

/// Multiprocessors of the current device.
inline unsigned multiprocessors() {
  int device = 0, count = 0;
  PERICENTER_CUDA_CHECK(cudaGetDevice(&device));
  PERICENTER_CUDA_CHECK(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device));
  return static_cast<unsigned>(count);
}

/// Resident blocks of `threads` threads on the current device.
template <class Kernel>
unsigned resident_blocks(Kernel* kernel, unsigned threads) {
  int blocks = 0;
  PERICENTER_CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, static_cast<int>(threads), 0));
  return static_cast<unsigned>(blocks) * multiprocessors();
}

}  // namespace pericenter
