#include "sim/core/space_filling_curves.h"
#include "sim/cuda/kernels/warp.cuh"
#include "sim/cuda/tree/device_tree.cuh"

namespace pericenter {
namespace {

constexpr unsigned kCubeThreads = kCubeSample / 2;

template <class Real>
__device__ Bounds<Real, 3> bounds_of(const Vec4<Real>& position) {
  Bounds<Real, 3> bounds = no_bounds<Real>();
  for (int k = 0; k < 3; ++k) {
    const Real x = component(position, k);
    if (std::isfinite(x)) bounds.low[k] = bounds.high[k] = std::fmin(std::fmax(x, -kFarthest<Real>), kFarthest<Real>);
  }
  return bounds;
}

/// Joined bounds of all threads of a block, returned in thread 0.
template <unsigned Threads, class Real>
__device__ Bounds<Real, 3> block_bounds(const Bounds<Real, 3>& own) {
  __shared__ Bounds<Real, 3> warps[Threads / kWarp];
  const Bounds<Real, 3> joined = joined_lanes<kWarp>(own, kAllLanes);
  if (warp_lane() == 0) warps[threadIdx.x / kWarp] = joined;
  __syncthreads();
  Bounds<Real, 3> all = joined;
  if (threadIdx.x == 0) {
    for (const Bounds<Real, 3>& warp : warps) join(all, warp);
  }
  return all;
}

template <class Real>
__global__ void __launch_bounds__(Grid::kThreads)
    bounds_kernel(const DeviceBodies<Real> bodies, Bounds<Real, 3>* bounds_of_blocks) {
  Bounds<Real, 3> bounds = no_bounds<Real>();
  for (std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < bodies.count; i += gridDim.x * blockDim.x) {
    join(bounds, bounds_of(bodies.position[i]));
  }
  bounds = block_bounds<Grid::kThreads>(bounds);
  if (threadIdx.x == 0) bounds_of_blocks[blockIdx.x] = bounds;
}

/// Bitonic sort of each sample, all at the same time, with one block of kCubeThreads.
template <int Dim, class Real>
__device__ void sort_samples(Real (&samples)[Dim][kCubeSample]) {
  for (unsigned size = 2; size <= kCubeSample; size *= 2) {
    for (unsigned stride = size / 2; stride > 0; stride /= 2) {
      __syncthreads();
      const unsigned low = 2 * threadIdx.x - (threadIdx.x & (stride - 1)), high = low + stride;
      const bool ascending = (low & size) == 0;
      for (auto& sample : samples) {
        const Real a = sample[low], b = sample[high];
        if ((a > b) == ascending) {
          sample[low] = b;
          sample[high] = a;
        }
      }
    }
  }
  __syncthreads();
}

template <int Dim, class Real>
__device__ CoordinateRanges<Dim> sampled_bulk(const DeviceBodies<Real>& bodies) {
  __shared__ Real samples[Dim][kCubeSample];
  const std::size_t stride = cube_sample_stride(bodies.count);
  int finite[Dim] = {};
  for (unsigned i = threadIdx.x; i < kCubeSample; i += kCubeThreads) {
    const bool exists = i * stride < bodies.count;
    const Vec4<Real> position = exists ? bodies.position[i * stride] : Vec4<Real>{};
    for (int k = 0; k < Dim; ++k) {
      const Real x = component(position, k);
      const bool counts = exists && std::isfinite(x);
      // Non-finite values sort to the end and are not counted.
      samples[k][i] = counts ? x : std::numeric_limits<Real>::infinity();
      finite[k] += __syncthreads_count(counts);
    }
  }
  sort_samples(samples);
  CoordinateRanges<Dim> bulk;
  for (int k = 0; k < Dim; ++k) bulk[k] = bulk_range(samples[k], static_cast<std::size_t>(finite[k]));
  return bulk;
}

/// Launched with one block.
template <int Dim, class Real>
__global__ void __launch_bounds__(kCubeThreads)
    cube_kernel(const DeviceBodies<Real> bodies, const Bounds<Real, 3>* bounds_of_blocks, unsigned blocks,
                const DeviceTree<Real> tree) {
  Bounds<Real, 3> bounds = no_bounds<Real>();
  for (unsigned i = threadIdx.x; i < blocks; i += kCubeThreads) join(bounds, bounds_of_blocks[i]);
  bounds = block_bounds<kCubeThreads>(bounds);
  CoordinateRanges<Dim> all;
  for (int k = 0; k < Dim; ++k) all[k] = {static_cast<double>(bounds.low[k]), static_cast<double>(bounds.high[k])};
  const CoordinateRanges<Dim> bulk = sampled_bulk<Dim>(bodies);
  if (threadIdx.x != 0) return;
  const KeyCube<Dim> cube = cube_around<Dim>(all, bulk);
  TreeStatus status;
  for (int k = 0; k < Dim; ++k) status.cube_low[k] = cube.low[k];
  status.cube_side = cube.side;
  status.generation[0] = 1;
  status.levels = 1;
  *tree.status = status;
  tree.links[0] = {0, kNoNode, 0, bodies.count};
  tree.level[0] = 0;
  tree.arrivals[0] = 0;
}

template <int Dim, Curve Keys, class Real>
__global__ void __launch_bounds__(Grid::kThreads)
    keys_kernel(const DeviceBodies<Real> bodies, const TreeStatus* status, std::uint64_t* key, std::uint32_t* index) {
  const KeyGrid<Dim> grid(cube_of<Dim>(*status));
  for (std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < bodies.count; i += gridDim.x * blockDim.x) {
    std::uint32_t cell[Dim];
    find_cell(grid, bodies.position[i], cell);
    key[i] = Keys == Curve::hilbert ? hilbert_key<Dim>(cell) : morton_key<Dim>(cell);
    index[i] = i;
  }
}

}  // namespace

template <class Real, int Dim, Curve Keys>
void enqueue_keys(const TreeMemory<Real>& memory, const DeviceBodies<Real>& bodies, Grid grid, StageEvents& events) {
  const unsigned blocks = grid.blocks(bodies.count);
  {
    const DeviceStageClock clock(events, Stage::bounds);
    launch(bounds_kernel<Real>, {blocks, Grid::kThreads}, events.stream(), bodies, memory.block_bounds);
    launch(cube_kernel<Dim, Real>, {1, kCubeThreads}, events.stream(), bodies, memory.block_bounds, blocks,
           memory.tree);
  }
  const DeviceStageClock clock(events, Stage::keys);
  launch(keys_kernel<Dim, Keys, Real>, {blocks, Grid::kThreads}, events.stream(), bodies, memory.tree.status,
         memory.key[0], memory.index[0]);
}

#define PERICENTER_INSTANTIATE(Real, Dim)                                                                         \
  template void enqueue_keys<Real, Dim, Curve::morton>(const TreeMemory<Real>&, const DeviceBodies<Real>&, Grid,  \
                                                       StageEvents&);                                             \
  template void enqueue_keys<Real, Dim, Curve::hilbert>(const TreeMemory<Real>&, const DeviceBodies<Real>&, Grid, \
                                                        StageEvents&);
PERICENTER_INSTANTIATE(float, 2)
PERICENTER_INSTANTIATE(float, 3)
PERICENTER_INSTANTIATE(double, 2)
PERICENTER_INSTANTIATE(double, 3)
#undef PERICENTER_INSTANTIATE

}  // namespace pericenter
