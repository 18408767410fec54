#include "sim/cuda/simulation/force_sample.cuh"

#include <algorithm>
#include <chrono>
#include <vector>

#include "sim/core/clock.h"
#include "sim/cuda/kernels/pair_force.cuh"
#include "sim/cuda/runtime/launch.cuh"

namespace pericenter {
namespace {

/// Threads of a block, each with one sampled body, and sources in shared memory at a time, of which each thread loads
/// one.
constexpr std::uint32_t kSampleThreads = 128;
constexpr std::uint32_t kLanes = 32;  ///< lanes that add the chunks of a sampled body

/// The sampled bodies, and the partition of the sources: a block processes kSampleThreads bodies and one chunk.
struct SampleGrid {
  const std::uint32_t* sampled;
  std::uint32_t count;  ///< sampled bodies
  std::uint32_t chunk, chunks;
};

/// Enough chunks to give every multiprocessor several times its resident blocks.
SampleGrid grid_for(const std::uint32_t* sampled, std::uint32_t count, std::uint32_t bodies) {
  constexpr std::uint32_t kBlocksEach = 32;
  const std::uint32_t groups = blocks_of(count, kSampleThreads), tiles = blocks_of(bodies, kSampleThreads);
  const std::uint32_t chunks = std::clamp(kBlocksEach * multiprocessors() / groups, 1U, tiles);
  const std::uint32_t chunk = blocks_of(tiles, chunks) * kSampleThreads;
  return {sampled, count, chunk, blocks_of(bodies, chunk)};
}

/// Sets sums[i * chunks + c] to the acceleration (G = 1) of sampled body i by the sources of chunk c.
///
/// A pair takes 17 instructions in double precision, so an H100 (64 per cycle and multiprocessor) computes about 8e11
/// pairs per second: 0.6 ms for 512 bodies among a million.
template <class Real>
__global__ void __launch_bounds__(kSampleThreads)
    sample_sums_kernel(DeviceBodies<Real> bodies, SampleGrid grid, Softening<double> softening, Vec4<double>* sums) {
  __shared__ Vec4<double> tile[kSampleThreads];
  const std::uint32_t i = blockIdx.x * kSampleThreads + threadIdx.x;
  const auto load = [&](std::uint32_t j) {
    const Vec4<Real> body = bodies.position[j];
    return Vec4<double>{double(body.x), double(body.y), double(body.z), double(body.w)};
  };
  const Vec4<double> target = load(grid.sampled[min(i, grid.count - 1)]);
  Vec4<double> sum = {};
  const std::uint32_t begin = blockIdx.y * grid.chunk, end = min(begin + grid.chunk, bodies.count);
  for (std::uint32_t first = begin; first < end; first += kSampleThreads) {
    const std::uint32_t j = first + threadIdx.x;
    tile[threadIdx.x] = j < end ? load(j) : Vec4<double>{};
    __syncthreads();
#pragma unroll 8
    for (std::uint32_t k = 0; k < kSampleThreads; ++k) add_point<false>(tile[k], target, softening, sum);
    __syncthreads();
  }
  if (i < grid.count) sums[std::size_t(i) * grid.chunks + blockIdx.y] = sum;
}

/// Adds the chunks of each sampled body in a fixed order and copies its stored acceleration; one block per body.
template <class Real>
__global__ void __launch_bounds__(kLanes)
    sample_results_kernel(DeviceBodies<Real> bodies, SampleGrid grid, double gravity, const Vec4<double>* sums,
                          Vec4<double>* results) {
  const std::uint32_t i = blockIdx.x;
  Vec4<double> sum = {};
  for (std::uint32_t c = threadIdx.x; c < grid.chunks; c += kLanes) {
    const Vec4<double> part = sums[std::size_t(i) * grid.chunks + c];
    sum.x += part.x;
    sum.y += part.y;
    sum.z += part.z;
  }
  for (std::uint32_t width = kLanes / 2; width > 0; width /= 2) {
    sum.x += __shfl_down_sync(~0u, sum.x, width);
    sum.y += __shfl_down_sync(~0u, sum.y, width);
    sum.z += __shfl_down_sync(~0u, sum.z, width);
  }
  if (threadIdx.x != 0) return;
  const Vec4<Real> stored = bodies.acceleration[grid.sampled[i]];
  results[2 * i] = {gravity * sum.x, gravity * sum.y, gravity * sum.z, 0};
  results[2 * i + 1] = {double(stored.x), double(stored.y), double(stored.z), 0};
}

template <class T>
void grow(DeviceBuffer<T>& buffer, std::size_t size) {
  if (buffer.size() < size) buffer = DeviceBuffer<T>(size);
}

}  // namespace

template <class Real>
SampledForces CudaForceSample::measure(const DeviceBodies<Real>& bodies, const Params& params,
                                       std::span<const std::size_t> sampled, cudaStream_t stream) {
  if (sampled.empty()) return {};
  const auto start = std::chrono::steady_clock::now();
  const auto count = static_cast<std::uint32_t>(sampled.size());
  grow(sampled_, count);
  const SampleGrid grid = grid_for(sampled_.data(), count, bodies.count);
  grow(sums_, std::size_t(count) * grid.chunks);
  grow(results_, 2 * std::size_t(count));
  const std::vector<std::uint32_t> indices(sampled.begin(), sampled.end());
  PERICENTER_CUDA_CHECK(
      cudaMemcpyAsync(sampled_.data(), indices.data(), count * sizeof(indices[0]), cudaMemcpyHostToDevice, stream));
  launch(sample_sums_kernel<Real>, {dim3(blocks_of(count, kSampleThreads), grid.chunks), kSampleThreads}, stream,
         bodies, grid, make_softening<double>(params.softening), sums_.data());
  launch(sample_results_kernel<Real>, {count, kLanes}, stream, bodies, grid, params.gravity, sums_.data(),
         results_.data());
  std::vector<Vec4<double>> results(2 * std::size_t(count));
  PERICENTER_CUDA_CHECK(cudaMemcpyAsync(results.data(), results_.data(), results.size() * sizeof(results[0]),
                                        cudaMemcpyDeviceToHost, stream));
  PERICENTER_CUDA_CHECK(cudaStreamSynchronize(stream));
  SampledForces forces;
  for (std::size_t i = 0; i < results.size(); i += 2) {
    forces.exact.push_back(vector_of(results[i]));
    forces.solver.push_back(vector_of(results[i + 1]));
  }
  forces.seconds = seconds_between(start, std::chrono::steady_clock::now());
  return forces;
}
template SampledForces CudaForceSample::measure(const DeviceBodies<float>&, const Params&, std::span<const std::size_t>,
                                                cudaStream_t);
template SampledForces CudaForceSample::measure(const DeviceBodies<double>&, const Params&,
                                                std::span<const std::size_t>, cudaStream_t);

}  // namespace pericenter
