#include "sim/cuda/octree_build.cuh"

#include <algorithm>
#include <cub/device/device_radix_sort.cuh>

#include "sim/cuda/warp.cuh"

namespace pericenter {
namespace {

template <int Dim>
constexpr int kKeyBits = Dim* kKeyLevels<Dim>;

template <class Real>
__global__ void __launch_bounds__(Grid::kThreads)
    gather_kernel(const DeviceTree<Real> tree, const Four<Real>* position, std::uint32_t count, Real gravity) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) tree.body[i] = gravity_source(position[tree.order[i]], gravity);
}

/// End of child `child` among the bodies of a node of level `level`.
template <int Dim>
__device__ std::uint32_t child_end(const std::uint64_t* key, const NodeLinks& node, int level, unsigned child) {
  std::uint32_t low = node.begin, high = node.end;
  while (low < high) {
    const std::uint32_t middle = low + (high - low) / 2;
    if (morton_digit<Dim>(key[middle], level) <= child) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

/// Gives the nodes of one generation their children; one lane for each child that a node might have.
template <int Dim, class Real>
__global__ void __launch_bounds__(Grid::kThreads) link_kernel(const DeviceTree<Real> tree, int generation) {
  constexpr unsigned kTeam = 1u << Dim, kTeams = kWarp / kTeam;
  const std::uint32_t first = nodes_before(*tree.status, generation);
  const std::uint32_t last = first + tree.status->generation[generation];
  const unsigned child = warp_lane() % kTeam, team = ((1u << kTeam) - 1) << (warp_lane() - child);
  const std::uint32_t warps = gridDim.x * blockDim.x / kWarp;
  int levels = 0;
  for (std::uint32_t warp = (blockIdx.x * blockDim.x + threadIdx.x) / kWarp; first + warp * kTeams < last;
       warp += warps) {
    const std::uint32_t node = first + warp * kTeams + warp_lane() / kTeam;
    NodeLinks links{};
    int level = 0;
    if (node < last) {
      links = tree.links[node];
      level = common_level<Dim>(tree.key[links.begin], tree.key[links.end - 1]);
    }
    const bool splits = links.end - links.begin > kLeafSize && level < kKeyLevels<Dim>;
    const std::uint32_t end = splits ? child_end<Dim>(tree.key, links, level, child) : links.begin;
    const std::uint32_t before = __shfl_up_sync(kAllLanes, end, 1, kTeam);
    const std::uint32_t begin = child == 0 ? links.begin : before;
    const unsigned born = __ballot_sync(kAllLanes, begin < end);
    if (born == 0) continue;
    std::uint32_t slot = 0;
    if (warp_lane() == 0) slot = atomicAdd(&tree.status->generation[generation + 1], __popc(born));
    slot = last + __shfl_sync(kAllLanes, slot, 0) + lanes_below(born);
    if (begin < end) {
      tree.links[slot] = {0, node, begin, end};
      tree.level[slot] = static_cast<std::uint8_t>(level + 1);
      tree.arrivals[slot] = 0;
    }
    if (!splits) continue;
    levels = max(levels, level + 2);
    // Lane 0 of the team has counted the children of the nodes before.
    if (child == 0) tree.links[node].children = sibling_run(slot, __popc(born & team));
  }
  for (unsigned offset = kWarp / 2; offset > 0; offset /= 2) {
    levels = max(levels, __shfl_xor_sync(kAllLanes, levels, offset));
  }
  if (warp_lane() == 0 && levels > 0) atomicMax(&tree.status->levels, levels);
}

/// Calls `add(begin, end)` for each group of the children of `parent`: whole nodes of at most kGroupSize bodies,
/// neighbours joined as long as they fit, unless the parent is too large. Larger leaves are cut; larger inner nodes
/// make groups of their own children.
template <class Add>
__device__ void for_each_group(const NodeLinks* nodes, const NodeLinks& parent, Add add) {
  const std::uint32_t run = parent.children;
  const bool may_join = parent.end - parent.begin <= kMostAround * kGroupSize;
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
  const std::uint32_t nodes = nodes_before(*tree.status, kMostGenerations);
  const std::uint32_t stride = gridDim.x * blockDim.x;
  // One thread more than nodes: it stands for a parent of the root.
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

/// Cuts arrays out of a block of memory, or only counts their bytes where there is none.
class MemoryCutter {
 public:
  explicit MemoryCutter(std::byte* block) : block_(block) {}

  template <class T>
  T* cut(std::size_t count) {
    constexpr std::size_t kAlignment = 256;
    T* const array = block_ == nullptr ? nullptr : reinterpret_cast<T*>(block_ + used_);
    used_ += (count * sizeof(T) + kAlignment - 1) / kAlignment * kAlignment;
    return array;
  }
  std::size_t used_bytes() const { return used_; }

 private:
  std::byte* block_;
  std::size_t used_ = 0;
};

}  // namespace

template <class Real>
TreeMemory<Real>::TreeMemory(std::byte* block, std::size_t count) {
  MemoryCutter cutter(block);
  // A chain of cells is one node, so that there are fewer inner nodes than leaves, and no more leaves than bodies.
  const std::size_t nodes = std::max<std::size_t>(1, 2 * count);
  for (auto& keys : key) keys = cutter.cut<std::uint64_t>(count);
  for (auto& indices : index) indices = cutter.cut<std::uint32_t>(count);
  cub::DoubleBuffer<std::uint64_t> keys(nullptr, nullptr);
  cub::DoubleBuffer<std::uint32_t> indices(nullptr, nullptr);
  sort_scratch_bytes = 0;
  PERICENTER_CUDA_CHECK(cub::DeviceRadixSort::SortPairs(nullptr, sort_scratch_bytes, keys, indices,
                                                        static_cast<int>(std::max<std::size_t>(1, count)), 0,
                                                        std::max(kKeyBits<2>, kKeyBits<3>)));
  sort_scratch = cutter.cut<std::byte>(sort_scratch_bytes);
  block_bounds = cutter.cut<Bounds<Real, 3>>(Grid::kMostBlocks);
  tree.key = key[0];
  tree.order = index[0];
  tree.body = cutter.cut<Four<Real>>(count);
  tree.center = cutter.cut<Four<Real>>(nodes);
  tree.moments = cutter.cut<CellMoments<Real>>(nodes);
  tree.bounds = cutter.cut<Bounds<Real, 3>>(nodes);
  tree.links = cutter.cut<NodeLinks>(nodes);
  tree.level = cutter.cut<std::uint8_t>(nodes);
  tree.arrivals = cutter.cut<std::uint32_t>(nodes);
  tree.groups = cutter.cut<BodyRange>(std::max<std::size_t>(1, count));
  tree.status = cutter.cut<TreeStatus>(1);
  bytes = cutter.used_bytes();
}

template <class Real, int Dim>
void enqueue_sort(TreeMemory<Real>& memory, const DeviceBodies<Real>& bodies, Real gravity, StageEvents& events) {
  cub::DoubleBuffer<std::uint64_t> keys(memory.key[0], memory.key[1]);
  cub::DoubleBuffer<std::uint32_t> indices(memory.index[0], memory.index[1]);
  PERICENTER_CUDA_CHECK(cub::DeviceRadixSort::SortPairs(memory.sort_scratch, memory.sort_scratch_bytes, keys, indices,
                                                        static_cast<int>(bodies.count), 0, kKeyBits<Dim>,
                                                        events.stream()));
  memory.tree.key = keys.Current();
  memory.tree.order = indices.Current();
  const unsigned blocks = blocks_of(bodies.count, Grid::kThreads);
  gather_kernel<<<blocks, Grid::kThreads, 0, events.stream()>>>(memory.tree, bodies.position, bodies.count, gravity);
  PERICENTER_CUDA_LAUNCHED();
  events.mark(Stage::sort);
}

template <class Real, int Dim>
void enqueue_links(const DeviceTree<Real>& tree, std::uint32_t count, Grid grid, StageEvents& events) {
  std::size_t most_nodes = 1;
  for (int generation = 0; generation < kKeyLevels<Dim>; ++generation) {
    link_kernel<Dim><<<grid.blocks(most_nodes << Dim), Grid::kThreads, 0, events.stream()>>>(tree, generation);
    PERICENTER_CUDA_LAUNCHED();
    most_nodes = std::min<std::size_t>(most_nodes << Dim, count);
  }
  groups_kernel<<<grid.blocks(std::size_t(count) + 1), Grid::kThreads, 0, events.stream()>>>(tree);
  PERICENTER_CUDA_LAUNCHED();
  events.mark(Stage::build);
}

#define PERICENTER_INSTANTIATE(Real, Dim)                                                                  \
  template void enqueue_sort<Real, Dim>(TreeMemory<Real>&, const DeviceBodies<Real>&, Real, StageEvents&); \
  template void enqueue_links<Real, Dim>(const DeviceTree<Real>&, std::uint32_t, Grid, StageEvents&);
PERICENTER_INSTANTIATE(float, 2)
PERICENTER_INSTANTIATE(float, 3)
PERICENTER_INSTANTIATE(double, 2)
PERICENTER_INSTANTIATE(double, 3)
#undef PERICENTER_INSTANTIATE
template struct TreeMemory<float>;
template struct TreeMemory<double>;

}  // namespace pericenter
