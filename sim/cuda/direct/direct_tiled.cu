#include <algorithm>
#include <bit>

#include "sim/cuda/direct/direct_sources.cuh"
#include "sim/cuda/kernels/warp.cuh"
#include "sim/cuda/runtime/device_buffer.cuh"
#include "sim/solvers/registry.h"

namespace pericenter {
namespace {

constexpr std::uint32_t kMaxBlock = 1024;

/// How a block of threads divides its work. Numbers of threads and sources are powers of two.
struct Tiling {
  std::uint32_t threads;  ///< threads of a block
  std::uint32_t shift;    ///< logarithm of per_body()
  std::uint32_t tile;     ///< sources in shared memory at a time

  /// Threads of a block that share the sources of one body.
  constexpr std::uint32_t per_body() const { return 1U << shift; }
  constexpr std::uint32_t bodies() const { return threads >> shift; }  ///< bodies of a block
  /// Distance of the sources of one thread of a body to those of the next: odd, so that they are in different banks.
  constexpr std::uint32_t stride() const { return (tile >> shift) + 1; }
};

/// As many threads per body as fill the current device, but at least 8, and the largest block with which every
/// multiprocessor gets one, with at least 8 bodies: what was fastest on an H200 from 1,024 to 65,536 bodies.
Tiling tiling_for(const Config& config, std::size_t bodies) {
  constexpr std::uint32_t kThreadsEach = 1024, kLeastPerBody = 8, kMinBlock = 64, kLeastBodies = 8, kUsualShare = 32;
  const auto count = std::max(static_cast<std::uint32_t>(bodies), 1U);
  std::uint32_t threads = value_number(config, SolverOption::block), tile = value_number(config, SolverOption::tile);
  std::uint32_t per_body = value_number(config, SolverOption::threads_per_body);
  if (per_body == 0) {
    const std::uint32_t most = tile > 0 ? std::min(tile / kTileShare, kWarp) : kWarp;
    per_body = std::clamp(std::bit_floor(kThreadsEach * multiprocessors() / count), kLeastPerBody, most);
  }
  if (threads == 0) {
    const std::uint64_t each = std::uint64_t(count) * per_body / multiprocessors();
    const std::uint32_t least = std::max(kMinBlock, kLeastBodies * per_body);
    threads = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(std::bit_floor(each), least, kMaxBlock));
  }
  if (tile == 0) tile = std::max(threads, kUsualShare * per_body);
  return {threads, static_cast<std::uint32_t>(std::countr_zero(per_body)), tile};
}

template <class Real>
struct TiledSum {
  const Vec4<Real>* source;
  std::uint32_t count;
  Softening<Real> softening;
  Tiling tiling;
};

template <class Real>
__device__ __forceinline__ void add_four(Vec4<Real>& sum, const Vec4<Real>& other) {
  sum.x += other.x;
  sum.y += other.y;
  sum.z += other.z;
  sum.w += other.w;
}

/// Copies sources from `begin` on into the tile: those of each thread of a body are adjacent, filled up with zero mass
/// to `share`. Returns whether any has mass.
template <class Real>
__device__ __forceinline__ bool load_tile(const TiledSum<Real>& task, std::uint32_t begin, std::uint32_t share,
                                          Vec4<Real>* tile) {
  const Tiling& tiling = task.tiling;
  bool has_mass = false;
  for (std::uint32_t s = threadIdx.x; s < share << tiling.shift; s += blockDim.x) {
    const Vec4<Real> source = begin + s < task.count ? task.source[begin + s] : Vec4<Real>{};
    tile[(s & (tiling.per_body() - 1)) * tiling.stride() + (s >> tiling.shift)] = source;
    has_mass |= source.w != 0;
  }
  return has_mass;
}

/// Adds the sums of the threads of each body, in a fixed order; the first of them has the result.
template <class Real>
__device__ __forceinline__ void add_threads_of_body(const Tiling& tiling, Vec4<Real>* sums, Vec4<Real>& total) {
  sums[threadIdx.x] = total;
  for (std::uint32_t apart = tiling.threads / 2; apart >= tiling.bodies(); apart /= 2) {
    __syncthreads();
    if (threadIdx.x >= apart) continue;
    add_four(total, sums[threadIdx.x + apart]);
    sums[threadIdx.x] = total;
  }
}

/// Thread t of a block sums a share of every tile for its body t mod tiling.bodies(): neighbours in a warp read the
/// same source.
template <bool WithPotential, class Real>
__global__ void __launch_bounds__(kMaxBlock) tiled_sum_kernel(TiledSum<Real> task, Vec4<Real>* acceleration) {
  extern __shared__ __align__(32) unsigned char tile_memory[];
  Vec4<Real>* const tile = reinterpret_cast<Vec4<Real>*>(tile_memory);
  const Tiling& tiling = task.tiling;
  const std::uint32_t body = threadIdx.x & (tiling.bodies() - 1), i = blockIdx.x * tiling.bodies() + body;
  const Vec4<Real>* const own = tile + (threadIdx.x - body) / tiling.bodies() * tiling.stride();
  const Vec4<Real> target = task.source[min(i, task.count - 1)];
  Vec4<Real> total = {};
  for (std::uint32_t begin = 0; begin < task.count; begin += tiling.tile) {
    const std::uint32_t size = min(tiling.tile, task.count - begin);
    const std::uint32_t share = ((size - 1 >> tiling.shift) / kTileShare + 1) * kTileShare;
    // Bodies without mass exert no force.
    if (__syncthreads_or(load_tile(task, begin, share, tile))) {
      // Sums each tile separately, because adding small terms to a large sum loses precision.
      Vec4<Real> sum = {};
#pragma unroll 2
      for (std::uint32_t j = 0; j < share; j += kTileShare) {
#pragma unroll
        for (std::uint32_t k = 0; k < kTileShare; ++k) {
          const Vec4<Real> source = own[j + k];  // one load of 16 bytes
          add_point<WithPotential>(source, target, task.softening, sum);
        }
      }
      add_four(total, sum);
    }
    __syncthreads();
  }
  if (tiling.shift > 0) add_threads_of_body(tiling, tile, total);
  if (threadIdx.x >= tiling.bodies() || i >= task.count) return;
  if constexpr (WithPotential) total.w -= own_potential(target.w, task.softening);
  acceleration[i] = total;
}

/// Tiles in shared memory, after L. Nyland, M. Harris, J. Prins 2007, "Fast N-body simulation with CUDA", GPU Gems 3,
/// chapter 31. With too few bodies to fill the device, several threads of a block share the sources of each body.
template <class Real>
class DirectTiled final : public CudaSolver<Real> {
 public:
  DirectTiled(const Config& config, std::size_t count) : tiling_(tiling_for(config, count)), sources_(count) {}

  static std::size_t bytes(const Config&, std::size_t count) { return count * sizeof(Vec4<Real>); }

  void evaluate(const DeviceBodies<Real>& bodies, const Params& params, bool with_potential,
                StageEvents& events) override {
    pairs_ = std::uint64_t(bodies.count) * bodies.count;
    if (bodies.count == 0) return;
    const DeviceStageClock clock(events, Stage::direct);
    const cudaStream_t stream = events.stream();
    enqueue_direct_sources(bodies, params.gravity, sources_.data(), bodies.count, stream);
    const TiledSum<Real> task = {sources_.data(), bodies.count, make_softening<Real>(params.softening), tiling_};
    const std::size_t places = std::max(tiling_.stride() << tiling_.shift, tiling_.threads);
    const auto kernel = with_potential ? tiled_sum_kernel<true, Real> : tiled_sum_kernel<false, Real>;
    launch(kernel, {blocks_of(bodies.count, tiling_.bodies()), tiling_.threads, places * sizeof(Vec4<Real>)}, stream,
           task, bodies.acceleration);
    enqueue_direct_interactions(bodies, bodies.count, stream);
  }

  WorkCounts work() const override { return {.body_interactions = pairs_}; }

 private:
  Tiling tiling_;
  DeviceBuffer<Vec4<Real>> sources_;
  std::uint64_t pairs_ = 0;
};

}  // namespace

extern const CudaSolverFactory kCudaDirectTiled = cuda_solver_factory<DirectTiled>();

}  // namespace pericenter
