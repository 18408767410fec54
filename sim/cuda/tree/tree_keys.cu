#include "sim/core/space_filling_curves.h"
#include "sim/cuda/kernels/warp.cuh"
#include "sim/cuda/tree/device_tree.cuh"

namespace pericenter {
namespace {

constexpr unsigned kCubeThreads = kCubeSample;

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
  if (threadIdx.x >= kWarp) return joined;
  return joined_lanes<kWarp>(threadIdx.x < Threads / kWarp ? warps[threadIdx.x] : no_bounds<Real>(), kAllLanes);
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

/// The lower or the higher of the values of this lane and the one at a distance of `stride`.
template <class Real>
__device__ Real exchanged(Real x, unsigned stride, bool lower) {
  const Real other = __shfl_xor_sync(kAllLanes, x, stride);
  return lower ? std::fmin(x, other) : std::fmax(x, other);
}
/// Completes a bitonic sort of one value per lane, none of them NaN, whose parts of `size` are sorted.
template <class Real>
__device__ Real sorted_lanes(Real x, unsigned size) {
  for (; size <= kWarp; size *= 2) {
    for (unsigned stride = size / 2; stride > 0; stride /= 2)
      x = exchanged(x, stride, ((warp_lane() & stride) == 0) == ((warp_lane() & size) == 0));
  }
  return x;
}

/// The bulk of a sample, in the first warp. Each warp sorts its bodies; then pairs of warps keep their lowest and
/// highest, which are enough to find those at the ends of the bulk.
template <int Dim, class Real>
__device__ CoordinateRanges<Dim> sampled_bulk(const DeviceBodies<Real>& bodies) {
  static_assert(kCubeThreads == kCubeSample && kCubeSample <= kWarp * kWarp && outside_bulk(kCubeSample) < kWarp);
  constexpr Real kInfinity = std::numeric_limits<Real>::infinity();
  __shared__ Real given[kCubeThreads / 2][2 * Dim];
  const std::size_t i = threadIdx.x * cube_sample_stride(bodies.count);
  const bool exists = i < bodies.count;
  const Vec4<Real> position = exists ? bodies.position[i] : Vec4<Real>{};
  std::size_t finite[Dim];
  // Lowest coordinates, and highest with the opposite sign, in ascending order of the lanes; infinite after the last.
  Real ends[2 * Dim];
  for (int k = 0; k < Dim; ++k) {
    const Real x = component(position, k);
    const bool counts = exists && std::isfinite(x);
    finite[k] = static_cast<std::size_t>(__syncthreads_count(counts));
    ends[2 * k] = sorted_lanes(counts ? x : kInfinity, 2);
    const int mirrored = __popc(__ballot_sync(kAllLanes, counts)) - 1 - static_cast<int>(warp_lane());
    const Real high = __shfl_sync(kAllLanes, ends[2 * k], max(mirrored, 0));
    ends[2 * k + 1] = mirrored >= 0 ? -high : kInfinity;
  }
  for (unsigned half = kCubeThreads / 2; half >= kWarp; half /= 2) {
    const bool gives = threadIdx.x >= half && threadIdx.x < 2 * half;
    for (int end = 0; gives && end < 2 * Dim; ++end) given[threadIdx.x - half][end] = ends[end];
    __syncthreads();
    for (int end = 0; threadIdx.x < half && end < 2 * Dim; ++end)
      ends[end] = sorted_lanes(std::fmin(ends[end], given[threadIdx.x ^ (kWarp - 1)][end]), kWarp);
    __syncthreads();
  }
  CoordinateRanges<Dim> bulk;
  for (int k = 0; threadIdx.x < kWarp && k < Dim; ++k) {
    const auto lane = static_cast<int>(outside_bulk(finite[k]));
    const Real low = __shfl_sync(kAllLanes, ends[2 * k], lane), high = -__shfl_sync(kAllLanes, ends[2 * k + 1], lane);
    if (finite[k] > 0) bulk[k] = {static_cast<double>(low), static_cast<double>(high)};
  }
  return bulk;
}

template <class Real>
__device__ bool is_narrow(const Bounds<Real, 3>& bounds) {
  Real squared = 0;
  for (int k = 0; k < 3; ++k) squared += (bounds.high[k] - bounds.low[k]) * (bounds.high[k] - bounds.low[k]);
  return squared < kWidest * kWidest;
}

/// Launched with one block.
template <int Dim, class Real>
__global__ void __launch_bounds__(kCubeThreads)
    cube_kernel(const DeviceBodies<Real> bodies, const Bounds<Real, 3>* bounds_of_blocks, unsigned blocks,
                const DeviceTree<Real> tree) {
  Bounds<Real, 3> bounds = no_bounds<Real>();
  for (unsigned i = threadIdx.x; i < blocks; i += kCubeThreads) join(bounds, bounds_of_blocks[i]);
  const CoordinateRanges<Dim> bulk = sampled_bulk<Dim>(bodies);
  bounds = block_bounds<kCubeThreads>(bounds);
  CoordinateRanges<Dim> all;
  for (int k = 0; k < Dim; ++k) all[k] = {static_cast<double>(bounds.low[k]), static_cast<double>(bounds.high[k])};
  if (threadIdx.x != 0) return;
  const KeyCube<Dim> cube = cube_around<Dim>(all, bulk);
  TreeStatus status;
  for (int k = 0; k < Dim; ++k) status.cube_low[k] = cube.low[k];
  status.cube_side = cube.side;
  status.generation[0] = 1;
  status.levels = 1;
  status.equal_masses = is_narrow(bounds) ? 1 : 0;  // keys_kernel compares the masses
  *tree.status = status;
  tree.links[0] = {0, kNoNode, 0, bodies.count};
  tree.level[0] = 0;
  tree.arrivals[0] = 0;
}

template <int Dim, Curve Keys, class Real>
__global__ void __launch_bounds__(Grid::kThreads)
    keys_kernel(const DeviceBodies<Real> bodies, TreeStatus* status, std::uint64_t* key, std::uint32_t* index) {
  const KeyGrid<Dim> grid(cube_of<Dim>(*status));
  const Real mass = bodies.position[0].w;
  bool equal = true;
  for (std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < bodies.count; i += gridDim.x * blockDim.x) {
    std::uint32_t cell[Dim];
    const Vec4<Real> body = bodies.position[i];
    equal = equal && body.w == mass && is_finite(body);
    find_cell(grid, body, cell);
    key[i] = Keys == Curve::hilbert ? hilbert_key<Dim>(cell) : morton_key<Dim>(cell);
    index[i] = i;
  }
  if (__syncthreads_or(!equal) != 0 && threadIdx.x == 0) status->equal_masses = 0;
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
