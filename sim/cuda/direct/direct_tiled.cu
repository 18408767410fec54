#include <algorithm>

#include "sim/cuda/direct/direct_sources.cuh"
#include "sim/cuda/runtime/device_buffer.cuh"
#include "sim/solvers/registry.h"

namespace pericenter {
namespace {

/// Sources in shared memory at a time; each thread loads one.
constexpr std::uint32_t kTile = kDirectThreads;
/// Chunk sizes are multiples of this, so that the unrolled loop over a tile has no remainder.
constexpr std::uint32_t kUnroll = 32;
static_assert(kTile % kUnroll == 0);

constexpr std::uint32_t rounded_up(std::uint32_t value, std::uint32_t step) {
  return (value + step - 1) / step * step;
}

/// Partition of the sources: a block of threads processes kDirectThreads bodies and one chunk of sources.
struct Chunks {
  std::uint32_t size, count;
};

/// Enough chunks to give every multiprocessor of the current device several times its resident blocks. Tuned with 1e3
/// to 1e6 bodies on an H200. There, several bodies per thread were slower at every size (register pressure).
std::uint32_t suitable_chunks(std::uint32_t count) {
  constexpr std::uint32_t kBlocksEach = 48, kMaxChunks = 32;
  const std::uint32_t wanted = kBlocksEach * multiprocessors() / direct_blocks(count);
  return std::clamp(wanted, 1U, std::min(kMaxChunks, direct_blocks(count)));
}

/// Each chunk is the share of one of the threads of a body.
Chunks chunks_for(const Config& config, std::size_t bodies) {
  const auto count = std::max(static_cast<std::uint32_t>(bodies), 1U);
  const std::uint32_t chosen = value_number(config, SolverOption::threads_per_body);
  const std::uint32_t chunks = chosen > 0 ? chosen : suitable_chunks(count);
  const std::uint32_t size = rounded_up((count + chunks - 1) / chunks, kUnroll);
  return {size, (count + size - 1) / size};
}

/// Sources, padded with zero mass to fill the last chunk.
template <class Real>
struct TiledSources {
  const Vec4<Real>* source;
  std::uint32_t count, padded, chunk;
};

template <class Real>
__device__ __forceinline__ void add_four(Vec4<Real>& sum, const Vec4<Real>& other) {
  sum.x += other.x;
  sum.y += other.y;
  sum.z += other.z;
  sum.w += other.w;
}

/// Sets sums[c * count + i] to the contribution of the sources of chunk c to body i.
template <bool WithPotential, class Real>
__global__ void __launch_bounds__(kDirectThreads)
    tile_sums_kernel(TiledSources<Real> sources, Softening<Real> softening, Vec4<Real>* __restrict__ sums) {
  __shared__ Vec4<Real> tile[kTile];
  const std::uint32_t i = blockIdx.x * kDirectThreads + threadIdx.x;
  const Vec4<Real> target = sources.source[min(i, sources.count - 1)];
  Vec4<Real> total = {};
  const std::uint32_t begin = blockIdx.y * sources.chunk, end = min(begin + sources.chunk, sources.padded);
  for (std::uint32_t tile_begin = begin; tile_begin < end; tile_begin += kTile) {
    const std::uint32_t size = min(kTile, end - tile_begin);
    bool has_mass = false;
    if (threadIdx.x < size) {
      tile[threadIdx.x] = sources.source[tile_begin + threadIdx.x];
      has_mass = tile[threadIdx.x].w != 0;
    }
    if (!__syncthreads_or(has_mass)) continue;  // bodies without mass exert no force
    // Sums each tile separately, because adding small terms to a large sum loses precision.
    Vec4<Real> sum = {};
    for (std::uint32_t j = 0; j < size; j += kUnroll) {
#pragma unroll
      for (std::uint32_t k = 0; k < kUnroll; ++k) {
        const Vec4<Real> source = tile[j + k];  // one load of 16 bytes
        add_point<WithPotential>(source, target, softening, sum);
      }
    }
    __syncthreads();
    add_four(total, sum);
  }
  if (i < sources.count) sums[std::size_t(blockIdx.y) * sources.count + i] = total;
}

/// Adds the chunks of each body in a fixed order.
template <bool WithPotential, class Real>
__global__ void __launch_bounds__(kDirectThreads)
    add_chunks_kernel(TiledSources<Real> sources, Softening<Real> softening, const Vec4<Real>* __restrict__ sums,
                      DeviceBodies<Real> bodies) {
  const std::uint32_t i = blockIdx.x * kDirectThreads + threadIdx.x;
  if (i >= sources.count) return;
  Vec4<Real> total = {};
  const std::uint32_t chunks = (sources.count + sources.chunk - 1) / sources.chunk;
#pragma unroll 8
  for (std::uint32_t c = 0; c < chunks; ++c) add_four(total, sums[std::size_t(c) * sources.count + i]);
  if constexpr (WithPotential) total.w -= own_potential(sources.source[i].w, softening);
  bodies.acceleration[i] = total;
}

/// Tiles in shared memory, after L. Nyland, M. Harris, J. Prins 2007, "Fast N-body simulation with CUDA", GPU Gems 3,
/// chapter 31. With too few bodies to fill the device, several threads share the sources of each body.
template <class Real>
class DirectTiled final : public CudaSolver<Real> {
 public:
  DirectTiled(const Config& config, std::size_t count)
      : chunks_(chunks_for(config, count)), sources_(source_count(count)), sums_(chunks_.count * count) {}

  static std::size_t bytes(const Config& config, std::size_t count) {
    return (source_count(count) + chunks_for(config, count).count * count) * sizeof(Vec4<Real>);
  }

  void evaluate(const DeviceBodies<Real>& bodies, const Params& params, bool with_potential,
                StageEvents& events) override {
    pairs_ = std::uint64_t(bodies.count) * bodies.count;
    if (bodies.count == 0) return;
    const DeviceStageClock clock(events, Stage::direct);
    const cudaStream_t stream = events.stream();
    const auto padded = static_cast<std::uint32_t>(sources_.size());
    enqueue_direct_sources(bodies, params.gravity, sources_.data(), padded, stream);
    const TiledSources<Real> sources = {sources_.data(), bodies.count, padded, chunks_.size};
    const Softening<Real> softening = make_softening<Real>(params.softening);
    if (with_potential) {
      enqueue_sums<true>(sources, softening, bodies, stream);
    } else {
      enqueue_sums<false>(sources, softening, bodies, stream);
    }
    enqueue_direct_interactions(bodies, bodies.count, stream);
  }

  WorkCounts work() const override { return {.body_interactions = pairs_}; }

 private:
  static std::size_t source_count(std::size_t count) { return rounded_up(static_cast<std::uint32_t>(count), kUnroll); }

  template <bool WithPotential>
  void enqueue_sums(const TiledSources<Real>& sources, const Softening<Real>& softening,
                    const DeviceBodies<Real>& bodies, cudaStream_t stream) const {
    const dim3 grid(direct_blocks(bodies.count), chunks_.count);
    launch(tile_sums_kernel<WithPotential, Real>, {grid, kDirectThreads}, stream, sources, softening, sums_.data());
    launch(add_chunks_kernel<WithPotential, Real>, per_element(bodies.count, kDirectThreads), stream, sources,
           softening, sums_.data(), bodies);
  }

  Chunks chunks_;
  DeviceBuffer<Vec4<Real>> sources_, sums_;
  std::uint64_t pairs_ = 0;
};

}  // namespace

extern const CudaSolverFactory kCudaDirectTiled = cuda_solver_factory<DirectTiled>();

}  // namespace pericenter
