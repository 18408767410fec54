#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "sim/cuda/runtime/device_buffer.cuh"
#include "sim/cuda/runtime/launch.cuh"

namespace pericenter {

inline constexpr unsigned kSumThreads = 128;  // a power of two

/// Each block adds its bodies with `add(sum, index)`, and writes one result.
template <class Sum, class Add>
__global__ void body_sums_kernel(std::size_t count, Add add, Sum* result) {
  // Bytes, because shared variables cannot have constructors.
  __shared__ alignas(Sum) unsigned char memory[kSumThreads * sizeof(Sum)];
  auto* const partial = reinterpret_cast<Sum*>(memory);
  Sum mine;
  for (std::size_t i = blockIdx.x * kSumThreads + threadIdx.x; i < count; i += gridDim.x * kSumThreads) add(mine, i);
  partial[threadIdx.x] = mine;
  for (unsigned width = kSumThreads / 2; width > 0; width /= 2) {
    __syncthreads();
    if (threadIdx.x < width) partial[threadIdx.x] += partial[threadIdx.x + width];
  }
  if (threadIdx.x == 0) result[blockIdx.x] = partial[0];
}

/// Sums of type Sum, which has operator+=, over all bodies on the device. The order of summation depends only on the
/// body count.
template <class Sum>
class BodySums {
 public:
  explicit BodySums(std::size_t count) : count_(count), sums_(blocks_for(count)) {}
  static std::size_t bytes(std::size_t count) { return blocks_for(count) * sizeof(Sum); }

  /// Waits for the stream.
  template <class Add>
  Sum evaluate(const Add& add, cudaStream_t stream) {
    launch(body_sums_kernel<Sum, Add>, {static_cast<unsigned>(sums_.size()), kSumThreads}, stream, count_, add,
           sums_.data());
    std::vector<Sum> partial(sums_.size());
    PERICENTER_CUDA_CHECK(cudaMemcpyAsync(partial.data(), sums_.data(), sums_.bytes(), cudaMemcpyDeviceToHost, stream));
    PERICENTER_CUDA_CHECK(cudaStreamSynchronize(stream));
    Sum all;
    for (const Sum& part : partial) all += part;
    return all;
  }

 private:
  static constexpr std::size_t kMaxBlocks = 1024;  // the host sums the results of the blocks

  static std::size_t blocks_for(std::size_t count) {
    return std::clamp<std::size_t>(blocks_of(count, kSumThreads), 1, kMaxBlocks);
  }

  std::size_t count_;
  DeviceBuffer<Sum> sums_;  ///< one per block
};

}  // namespace pericenter
