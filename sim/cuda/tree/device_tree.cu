#include "sim/cuda/tree/device_tree.cuh"

#include <algorithm>
#include <cub/device/device_radix_sort.cuh>

#include "sim/cuda/kernels/warp.cuh"

namespace pericenter {
namespace {

template <int Dim>
constexpr int kKeyBits = Dim* kKeyLevels<Dim>;

template <class Real>
__global__ void __launch_bounds__(Grid::kThreads) gather_kernel(const Vec4<Real>* position, const std::uint32_t* order,
                                                                std::uint32_t count, Real gravity, Vec4<Real>* body) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) body[i] = gravity_source(position[order[i]], gravity);
}

constexpr std::uint32_t kLongestRun = 64;

/// Bodies in the order of their keys.
template <class Real>
struct SortedBodies {
  std::uint64_t* key;
  std::uint32_t* order;
  const Vec4<Real>* position;
  Real gravity;
  Vec4<Real>* body;  ///< null: not yet gathered
};

/// Completes a sort by the bits from `bit` on: each key moves to its place among those with the same higher bits.
template <class Real>
__global__ void __launch_bounds__(Grid::kThreads)
    sort_runs_kernel(const std::uint64_t* key, const std::uint32_t* order, std::uint32_t count, int bit,
                     const SortedBodies<Real> sorted, TreeStatus* status) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const std::uint64_t own = key[i];
  const auto same_run = [&](std::uint32_t other) { return ((key[other] ^ own) >> bit) == 0; };
  std::uint32_t begin = i, end = i + 1, before = 0;
  while (begin > 0 && i - begin < kLongestRun && same_run(begin - 1)) before += key[--begin] <= own ? 1 : 0;
  while (end < count && end - begin <= kLongestRun && same_run(end)) before += key[end++] < own ? 1 : 0;
  if (end - begin > kLongestRun) status->unsorted = status->overflown = 1;
  const std::uint32_t place = begin + before, index = order[i];
  sorted.key[place] = own;
  sorted.order[place] = index;
  if (sorted.body != nullptr) sorted.body[place] = gravity_source(sorted.position[index], sorted.gravity);
}

/// Sorts with one thread; for a few numbers.
__device__ void sort_few(std::uint32_t* number, std::uint32_t count) {
  for (std::uint32_t i = 1; i < count; ++i) {
    const std::uint32_t moved = number[i];
    std::uint32_t at = i;
    for (; at > 0 && number[at - 1] > moved; --at) number[at] = number[at - 1];
    number[at] = moved;
  }
}

/// Bitonic sort with a whole block; elements beyond the end count as larger than all others and stay there.
__device__ void sort_many(std::uint32_t* number, std::uint32_t count) {
  for (std::uint32_t size = 2; size / 2 < count; size *= 2) {
    for (std::uint32_t stride = size / 2; stride > 0; stride /= 2) {
      // The first merge step compares mirrored elements; all later pairs then have the same order.
      const std::uint32_t flip = stride == size / 2 ? size - 1 : stride;
      __syncthreads();
      for (std::uint32_t pair = threadIdx.x;; pair += blockDim.x) {
        const std::uint32_t low = 2 * pair - (pair & (stride - 1)), high = low ^ flip;
        if (low >= count) break;
        if (high >= count || number[low] <= number[high]) continue;
        const std::uint32_t larger = number[low];
        number[low] = number[high];
        number[high] = larger;
      }
    }
  }
  __syncthreads();
}

constexpr unsigned kLeafThreads = 1024;

/// Sorts the bodies of each leaf by input index, and computes the number of levels.
__global__ void __launch_bounds__(kLeafThreads)
    leaf_order_kernel(const NodeLinks* links, const std::uint8_t* level, TreeStatus* status, std::uint32_t* order) {
  constexpr std::uint32_t kFew = 32;
  __shared__ BodyRange crowds[kLeafThreads];
  __shared__ unsigned crowd_count;
  const std::uint32_t nodes = nodes_before(*status, kMaxGenerations);
  unsigned levels = 0;
  for (std::uint32_t first = blockIdx.x * kLeafThreads; first < nodes; first += gridDim.x * kLeafThreads) {
    if (threadIdx.x == 0) crowd_count = 0;
    __syncthreads();
    if (first + threadIdx.x < nodes) {
      const NodeLinks node = links[first + threadIdx.x];
      const std::uint32_t size = node.children == 0 ? node.end - node.begin : 0;
      if (size > kFew) {
        crowds[atomicAdd(&crowd_count, 1u)] = {node.begin, node.end};
      } else {
        sort_few(order + node.begin, size);
      }
      levels |= 1u << level[first + threadIdx.x];
    }
    __syncthreads();
    for (unsigned i = 0; i < crowd_count; ++i) sort_many(order + crowds[i].begin, crowds[i].end - crowds[i].begin);
    __syncthreads();
  }
  levels = warp_or(levels);
  if (warp_lane() == 0 && levels != 0)
    atomicMax(&status->levels, static_cast<int>(kWarp) - __clz(static_cast<int>(levels)));
}

__global__ void __launch_bounds__(Grid::kThreads)
    gather_keys_kernel(const std::uint64_t* given, const std::uint32_t* order, std::uint32_t count,
                       std::uint64_t* key) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) key[i] = given[order[i]];
}

/// Calls `add(begin, end)` for each group of the children of `parent`. Nodes of at most kGroupSize bodies stay whole,
/// and neighbours are joined while they fit, unless the parent is too large. Larger leaves are split; larger inner
/// nodes form groups of their own children.
template <class Add>
__device__ void for_each_group(const NodeLinks* nodes, const NodeLinks& parent, Add add) {
  const std::uint32_t run = parent.children;
  const bool may_join = parent.end - parent.begin <= kMaxParentRatio * kGroupSize;
  BodyRange open{0, 0};
  for (std::uint32_t i = 0; i < run_size(run); ++i) {
    const NodeLinks node = nodes[run_first(run) + i];
    const std::uint32_t size = node.end - node.begin;
    const bool joins = may_join && open.begin < open.end && open.end - open.begin + size <= kGroupSize;
    if (joins) {
      open.end = node.end;
      continue;
    }
    if (open.begin < open.end) add(open.begin, open.end);
    open = {node.begin, node.end};
    if (size > kGroupSize && node.children != 0) open = {0, 0};
    for (; open.end - open.begin > kGroupSize; open.begin += kGroupSize) add(open.begin, open.begin + kGroupSize);
  }
  if (open.begin < open.end) add(open.begin, open.end);
}

template <class Real>
__global__ void __launch_bounds__(Grid::kThreads) groups_kernel(const DeviceTree<Real> tree) {
  if (tree.status->overflown != 0) return;
  const std::uint32_t nodes = nodes_before(*tree.status, kMaxGenerations);
  const std::uint32_t stride = gridDim.x * blockDim.x;
  // One extra thread represents a parent of the root.
  for (std::uint32_t node = blockIdx.x * blockDim.x + threadIdx.x; node - warp_lane() <= nodes; node += stride) {
    NodeLinks links{};
    if (node < nodes) links = tree.links[node];
    const bool divides = node == nodes || (links.children != 0 && links.end - links.begin > kGroupSize);
    std::uint32_t count = 0;
    if (divides) for_each_group(tree.links, links, [&](std::uint32_t, std::uint32_t) { ++count; });
    const std::uint32_t sum = sum_up_to_lane(count);
    std::uint32_t slot = 0;
    if (warp_lane() == kWarp - 1 && sum > 0) slot = atomicAdd(&tree.status->group_count, sum);
    slot = __shfl_sync(kAllLanes, slot, kWarp - 1) + sum - count;
    if (count == 0) continue;
    for_each_group(tree.links, links, [&](std::uint32_t begin, std::uint32_t end) {
      tree.groups[slot++] = {begin, end};
    });
  }
}

}  // namespace

template <class Real>
TreeMemory<Real>::TreeMemory(std::byte* block, std::size_t count, std::size_t build_scratch_bytes) {
  const std::size_t nodes = max_nodes(count);
  ArenaLayout cutter(block);
  cut(cutter, count, nodes);
  index[1] = cutter.cut<std::uint32_t>(count);
  for (auto& keys : key) keys = cutter.cut<std::uint64_t>(count);
  tree.key = key[0];
  tree.center = cutter.cut<Vec4<Real>>(nodes);
  tree.moments = cutter.cut<CellMoments<Real>>(nodes);
  tree.groups = cutter.cut<BodyRange>(std::max<std::size_t>(1, count));
  build_scratch = cutter.cut<std::byte>(build_scratch_bytes);
  bytes = cutter.used_bytes();
}

template <class Real>
TreeMemory<Real>::TreeMemory(std::byte* block, std::size_t count, const Reduced& reduced) {
  ArenaLayout cutter(block);
  cut(cutter, count, reduced.nodes);
  // The bodies can be gathered after the sort, which then uses their memory.
  index[1] = count < kLargeTree ? cutter.cut<std::uint32_t>(count) : reinterpret_cast<std::uint32_t*>(tree.body);
  bytes = cutter.used_bytes();
}

template <class Real>
void TreeMemory<Real>::cut(ArenaLayout& cutter, std::size_t count, std::size_t nodes) {
  index[0] = cutter.cut<std::uint32_t>(count);
  cub::DoubleBuffer<std::uint64_t> keys(nullptr, nullptr);
  cub::DoubleBuffer<std::uint32_t> indices(nullptr, nullptr);
  PERICENTER_CUDA_CHECK(cub::DeviceRadixSort::SortPairs(nullptr, sort_scratch_bytes, keys, indices,
                                                        static_cast<int>(std::max<std::size_t>(1, count)), 0,
                                                        std::max(kKeyBits<2>, kKeyBits<3>)));
  sort_scratch_bytes = std::max(sort_scratch_bytes, sorted_build_scratch(count));
  sort_scratch = cutter.cut<std::byte>(sort_scratch_bytes);
  block_bounds = cutter.cut<Bounds<Real, 3>>(Grid::kMaxBlocks);
  tree.order = index[0];
  tree.body = cutter.cut<Vec4<Real>>(count);
  tree.bounds = cutter.cut<Bounds<Real, 3>>(nodes);
  tree.links = cutter.cut<NodeLinks>(nodes);
  tree.level = cutter.cut<std::uint8_t>(nodes);
  tree.arrivals = cutter.cut<std::uint32_t>(nodes);
  tree.status = cutter.cut<TreeStatus>(1);
  tree.capacity = static_cast<std::uint32_t>(nodes);
}

template <class Real, int Dim>
void enqueue_sort(TreeMemory<Real>& memory, const DeviceBodies<Real>& bodies, Real gravity, StageEvents& events) {
  const DeviceStageClock clock(events, Stage::sort);
  cub::DoubleBuffer<std::uint64_t> keys(memory.key[0], memory.key[1]);
  cub::DoubleBuffer<std::uint32_t> indices(memory.index[0], memory.index[1]);
  const int first_bit = std::max(0, kKeyBits<Dim> - memory.sorted_bits);
  PERICENTER_CUDA_CHECK(cub::DeviceRadixSort::SortPairs(memory.sort_scratch, memory.sort_scratch_bytes, keys, indices,
                                                        static_cast<int>(bodies.count), first_bit, kKeyBits<Dim>,
                                                        events.stream()));
  const bool shared = memory.index[1] == reinterpret_cast<const std::uint32_t*>(memory.tree.body);
  if (first_bit > 0) {
    const SortedBodies<Real> sorted{keys.Alternate(), indices.Alternate(), bodies.position, gravity,
                                    shared ? nullptr : memory.tree.body};
    launch(sort_runs_kernel<Real>, per_element(bodies.count, Grid::kThreads), events.stream(), keys.Current(),
           indices.Current(), bodies.count, first_bit, sorted, memory.tree.status);
    keys.selector ^= 1;
    indices.selector ^= 1;
  }
  memory.tree.key = keys.Current();
  memory.tree.order = indices.Current();
  if (first_bit > 0 && !shared) return;
  if (shared && memory.tree.order == memory.index[1]) {
    memory.tree.order = memory.index[0];
    PERICENTER_CUDA_CHECK(cudaMemcpyAsync(memory.index[0], memory.index[1], bodies.count * sizeof(std::uint32_t),
                                          cudaMemcpyDeviceToDevice, events.stream()));
  }
  enqueue_gather(bodies, memory.tree.order, gravity, memory.tree.body, events.stream());
}

template <class Real>
void enqueue_gather(const DeviceBodies<Real>& bodies, const std::uint32_t* order, Real gravity, Vec4<Real>* body,
                    cudaStream_t stream) {
  launch(gather_kernel<Real>, per_element(bodies.count, Grid::kThreads), stream, bodies.position, order, bodies.count,
         gravity, body);
}

template <class Real>
void enqueue_leaf_order(TreeMemory<Real>& memory, const DeviceBodies<Real>& bodies, Real gravity, Grid grid,
                        StageEvents& events) {
  const DeviceStageClock clock(events, Stage::sort);
  DeviceTree<Real>& tree = memory.tree;
  tree.order = memory.index[1];
  tree.key = memory.key[1];
  const unsigned blocks = std::min(blocks_of(max_nodes(bodies.count), kLeafThreads), grid.max_blocks);
  launch(leaf_order_kernel, {blocks, kLeafThreads}, events.stream(), tree.links, tree.level, tree.status,
         memory.index[1]);
  launch(gather_keys_kernel, per_element(bodies.count, Grid::kThreads), events.stream(), memory.key[0], tree.order,
         bodies.count, memory.key[1]);
  enqueue_gather(bodies, tree.order, gravity, tree.body, events.stream());
}

template <class Real>
void enqueue_groups(const DeviceTree<Real>& tree, std::uint32_t count, Grid grid, StageEvents& events) {
  const DeviceStageClock clock(events, Stage::build);
  launch(groups_kernel<Real>, grid.size(max_nodes(count)), events.stream(), tree);
}

#define PERICENTER_INSTANTIATE(Real)                                                                              \
  template struct TreeMemory<Real>;                                                                               \
  template void enqueue_sort<Real, 2>(TreeMemory<Real>&, const DeviceBodies<Real>&, Real, StageEvents&);          \
  template void enqueue_sort<Real, 3>(TreeMemory<Real>&, const DeviceBodies<Real>&, Real, StageEvents&);          \
  template void enqueue_gather(const DeviceBodies<Real>&, const std::uint32_t*, Real, Vec4<Real>*, cudaStream_t); \
  template void enqueue_leaf_order(TreeMemory<Real>&, const DeviceBodies<Real>&, Real, Grid, StageEvents&);       \
  template void enqueue_groups(const DeviceTree<Real>&, std::uint32_t, Grid, StageEvents&);
PERICENTER_INSTANTIATE(float)
PERICENTER_INSTANTIATE(double)
#undef PERICENTER_INSTANTIATE

}  // namespace pericenter
