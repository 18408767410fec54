#include "sim/cuda/simulation/diagnostics.cuh"

#include <algorithm>
#include <vector>

#include "sim/cuda/runtime/launch.cuh"

namespace pericenter {
namespace {

constexpr unsigned kThreads = 128;        // a power of two
constexpr std::size_t kMaxBlocks = 1024;  // the host sums the results of the blocks

std::size_t blocks_for(std::size_t count) {
  return std::clamp<std::size_t>(blocks_of(count, kThreads), 1, kMaxBlocks);
}

template <class Real>
__global__ void diagnostics_kernel(DeviceBodies<Real> bodies, const Vec4<Real>* velocity, DiagnosticSums* result) {
  // Bytes, because shared variables cannot have constructors.
  __shared__ alignas(DiagnosticSums) unsigned char memory[kThreads * sizeof(DiagnosticSums)];
  auto* const partial = reinterpret_cast<DiagnosticSums*>(memory);
  DiagnosticSums mine;
  for (std::size_t i = blockIdx.x * kThreads + threadIdx.x; i < bodies.count; i += gridDim.x * kThreads) {
    const Vec4<Real> position = bodies.position[i], acceleration = bodies.acceleration[i];
    mine.add_body({i, double(position.w), vector_of(position), vector_of(velocity[i]), double(acceleration.w),
                   vector_of(acceleration)});
  }
  partial[threadIdx.x] = mine;
  for (unsigned width = kThreads / 2; width > 0; width /= 2) {
    __syncthreads();
    if (threadIdx.x < width) partial[threadIdx.x] += partial[threadIdx.x + width];
  }
  if (threadIdx.x == 0) result[blockIdx.x] = partial[0];
}

}  // namespace

CudaDiagnostics::CudaDiagnostics(std::size_t count) : sums_(blocks_for(count)) {}

std::size_t CudaDiagnostics::bytes(std::size_t count) {
  return blocks_for(count) * sizeof(DiagnosticSums);
}

template <class Real>
Diagnostics CudaDiagnostics::evaluate(const DeviceBodies<Real>& bodies, const Vec4<Real>* velocity,
                                      cudaStream_t stream) {
  launch(diagnostics_kernel<Real>, {static_cast<unsigned>(sums_.size()), kThreads}, stream, bodies, velocity,
         sums_.data());
  std::vector<DiagnosticSums> partial(sums_.size());
  PERICENTER_CUDA_CHECK(cudaMemcpyAsync(partial.data(), sums_.data(), sums_.bytes(), cudaMemcpyDeviceToHost, stream));
  PERICENTER_CUDA_CHECK(cudaStreamSynchronize(stream));
  DiagnosticSums sums;
  for (const DiagnosticSums& part : partial) sums += part;
  return sums.result();
}
template Diagnostics CudaDiagnostics::evaluate(const DeviceBodies<float>&, const Vec4<float>*, cudaStream_t);
template Diagnostics CudaDiagnostics::evaluate(const DeviceBodies<double>&, const Vec4<double>*, cudaStream_t);

}  // namespace pericenter
