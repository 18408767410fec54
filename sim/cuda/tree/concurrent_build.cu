#include <algorithm>

#include "sim/cuda/kernels/warp.cuh"
#include "sim/cuda/tree/builder_links.cuh"
#include "sim/cuda/tree/device_insertion.cuh"
#include "sim/cuda/tree/device_tree.cuh"
#include "sim/cuda/tree/tree_solver.cuh"

namespace pericenter {
namespace {

/// The tree during insertion.
template <int Dim>
struct Insertion {
  using Tree = InsertionTree<Dim>;

  Insertion(std::byte* block, std::size_t count, const std::uint64_t* key, std::uint32_t* leaf_of_body) {
    const std::size_t groups = insertion_groups(count);
    ArenaLayout cutter(block);
    slots = (groups << Dim) + 1;
    tree.slot = cutter.cut<std::uint32_t>(slots);
    tree.parent = cutter.cut<std::uint32_t>(groups);
    bodies = cutter.cut<std::uint32_t>(groups);
    const std::size_t before_counters = cutter.used_bytes();
    leaf = cutter.cut<std::uint32_t>(count);
    arrivals = cutter.cut<std::uint32_t>(groups);
    tree.groups_used = cutter.cut<std::uint32_t>(1);
    counter_bytes = cutter.used_bytes() - before_counters;
    tree.groups = static_cast<std::uint32_t>(groups);
    tree.key = key;
    tree.depth = kKeyLevels<Dim>;
    // The lists of the leaves are not traversed: bodies find their leaf by key.
    tree.next_in_leaf = head = leaf_of_body;
    bytes = cutter.used_bytes();
  }

  /// Number of bodies in the content of a slot.
  __device__ std::uint32_t bodies_in(std::uint32_t content) const {
    if (content == Tree::kEmpty) return 0;
    return Tree::is_group(content) ? bodies[content] : leaf[content & ~Tree::kBody];
  }

  Tree tree;
  std::size_t slots;
  std::size_t counter_bytes;  ///< leaf, arrivals and groups_used, which are contiguous and initially 0
  std::uint32_t* bodies;      ///< bodies of each group
  std::uint32_t* arrivals;    ///< child groups whose bodies are counted, for each group
  std::uint32_t* leaf;        ///< element of the head body of each leaf: its number of bodies, then the next position
  std::uint32_t* head;        ///< head body of the leaf of each body
  std::size_t bytes;
};

/// Finds and counts the leaf of each body.
template <int Dim>
__global__ void __launch_bounds__(Grid::kThreads) heads_kernel(const Insertion<Dim> insertion, std::uint32_t count) {
  const InsertionTree<Dim>& tree = insertion.tree;
  const std::uint32_t stride = gridDim.x * blockDim.x;
  for (std::uint32_t body = blockIdx.x * blockDim.x + threadIdx.x; body - warp_lane() < count; body += stride) {
    const unsigned all = __ballot_sync(kAllLanes, body < count);
    if (body >= count) continue;
    std::uint32_t content = tree.slot[0];
    for (int level = 0; tree.is_group(content); ++level) content = tree.slot[tree.slot_of(content, body, level)];
    const std::uint32_t head = content & ~tree.kBody;
    insertion.head[body] = head;
    count_up(insertion.leaf, head, all);
  }
}

/// Counts the bodies of all groups, from groups without child groups to the root, as long as this thread is the last to
/// arrive at a group.
template <int Dim>
__global__ void __launch_bounds__(Grid::kThreads) count_kernel(const Insertion<Dim> insertion) {
  const InsertionTree<Dim>& tree = insertion.tree;
  const std::uint32_t groups = min(*tree.groups_used, tree.groups), stride = gridDim.x * blockDim.x;
  for (std::uint32_t first = blockIdx.x * blockDim.x + threadIdx.x; first < groups; first += stride) {
    if (inner_children(tree, first) > 0) continue;
    for (std::uint32_t group = first;;) {
      std::uint32_t bodies = 0;
      for (unsigned child = 0; child < 1u << Dim; ++child) {
        bodies += insertion.bodies_in(tree.slot[tree.first_slot(group) + child]);
      }
      insertion.bodies[group] = bodies;
      if (tree.parent[group] == 0) break;
      group = (tree.parent[group] - 1) >> Dim;
      const std::uint32_t before =
          DeviceAtomic(insertion.arrivals[group]).fetch_add(1, cuda::std::memory_order_acq_rel);
      if (before + 1 < inner_children(tree, group)) break;
    }
  }
}

/// Creates the children of the nodes of one generation; one lane per possible child. Until then NodeLinks::children of
/// an inner node is its group; only the root has group 0.
template <int Dim, class Real>
__global__ void __launch_bounds__(Grid::kThreads)
    link_kernel(const DeviceTree<Real> tree, const Insertion<Dim> insertion, int generation) {
  using Tree = InsertionTree<Dim>;
  constexpr unsigned kTeam = 1u << Dim, kTeams = kWarp / kTeam;
  const std::uint32_t first = nodes_before(*tree.status, generation);
  const std::uint32_t last = first + tree.status->generation[generation];
  const unsigned lane = warp_lane() % kTeam, team = ((1u << kTeam) - 1) << (warp_lane() - lane);
  const std::uint32_t warps = gridDim.x * blockDim.x / kWarp;
  for (std::uint32_t warp = (blockIdx.x * blockDim.x + threadIdx.x) / kWarp; first + warp * kTeams < last;
       warp += warps) {
    const std::uint32_t node = first + warp * kTeams + warp_lane() / kTeam;
    NodeLinks links{};
    int level = 0;
    std::uint32_t content = Tree::kEmpty, child = Tree::kEmpty;
    if (node < last) {
      links = tree.links[node];
      level = tree.level[node];
      if (links.children != 0) content = links.children;
      if (node == 0) content = insertion.tree.slot[0];
    }
    unsigned children = 0;
    for (bool chain = true; __any_sync(kAllLanes, chain);) {
      child = Tree::is_group(content) ? insertion.tree.slot[Tree::first_slot(content) + lane] : Tree::kEmpty;
      children = __ballot_sync(kAllLanes, child != Tree::kEmpty) & team;
      const std::uint32_t only = __shfl_sync(kAllLanes, child, __ffs(children | 1u << 31) - 1);
      chain = __popc(children) == 1;
      if (!chain) continue;
      content = only;
      ++level;
    }
    const bool splits = __popc(children) > 1, leaf = !splits && content != Tree::kEmpty;
    // At the root, or after a chain cut off by the end of the pool.
    if (leaf && lane == 0) {
      tree.links[node].children = 0;
      insertion.leaf[content & ~Tree::kBody] = links.begin;
    }
    const std::uint32_t bodies = splits ? insertion.bodies_in(child) : 0;
    const std::uint32_t end = links.begin + sum_up_to_lane<kTeam>(bodies), begin = end - bodies;
    const bool has_leaf = bodies > 0 && !Tree::is_group(child);
    append_children<Dim>(tree, generation + 1, last, {node, begin, end, has_leaf ? 0 : child, level + 1});
    if (has_leaf) insertion.leaf[child & ~Tree::kBody] = begin;
  }
}

/// Writes the bodies into their leaves, in any order.
template <int Dim>
__global__ void __launch_bounds__(Grid::kThreads)
    place_kernel(const Insertion<Dim> insertion, std::uint32_t count, std::uint32_t* order) {
  const std::uint32_t stride = gridDim.x * blockDim.x;
  for (std::uint32_t body = blockIdx.x * blockDim.x + threadIdx.x; body - warp_lane() < count; body += stride) {
    const unsigned all = __ballot_sync(kAllLanes, body < count);
    if (body < count) order[count_up(insertion.leaf, insertion.head[body], all)] = body;
  }
}

template <int Dim, class Real>
void enqueue_links(const DeviceTree<Real>& tree, const Insertion<Dim>& insertion, std::uint32_t count, Grid grid,
                   cudaStream_t stream) {
  std::size_t max_nodes = 1;
  for (int generation = 0; generation < kKeyLevels<Dim>; ++generation) {
    launch(link_kernel<Dim, Real>, grid.size(max_nodes << Dim), stream, tree, insertion, generation);
    max_nodes = std::min<std::size_t>(max_nodes << Dim, count);
  }
}

template <class Real, int Dim>
void enqueue_insertion(const TreeMemory<Real>& memory, std::uint32_t count, Grid grid, StageEvents& events) {
  const DeviceStageClock clock(events, Stage::build);
  const Insertion<Dim> insertion(memory.build_scratch, count, memory.key[0], memory.index[0]);
  const cudaStream_t stream = events.stream();
  const unsigned blocks = grid.blocks(count);
  PERICENTER_CUDA_CHECK(cudaMemsetAsync(insertion.tree.slot, 0xFF, insertion.slots * sizeof(std::uint32_t), stream));
  PERICENTER_CUDA_CHECK(cudaMemsetAsync(insertion.leaf, 0, insertion.counter_bytes, stream));
  launch(insert_kernel<false, Dim>, {blocks, Grid::kThreads}, stream, insertion.tree, count, nullptr);
  launch(heads_kernel<Dim>, {blocks, Grid::kThreads}, stream, insertion, count);
  launch(count_kernel<Dim>, grid.size(insertion.tree.groups), stream, insertion);
  enqueue_links(memory.tree, insertion, count, grid, stream);
  launch(place_kernel<Dim>, {blocks, Grid::kThreads}, stream, insertion, count, memory.index[1]);
}

template <class Real, int Dim>
void enqueue_build(TreeMemory<Real>& memory, const DeviceBodies<Real>& bodies, Real gravity, Grid grid,
                   StageEvents& events) {
  enqueue_keys<Real, Dim>(memory, bodies, grid, events);
  enqueue_insertion<Real, Dim>(memory, bodies.count, grid, events);
  enqueue_leaf_order(memory, bodies, gravity, grid, events);
}

struct ConcurrentTree {
  template <class Real, int Dim>
  static DeviceBuild<Real, Dim> build() {
    return {[](std::size_t count) { return Insertion<Dim>(nullptr, count, nullptr, nullptr).bytes; },
            enqueue_build<Real, Dim>};
  }
  template <class Real, int Dim>
  static CudaSolverMaker<Real> builder_links() {
    return concurrent_builder_links<Real, Dim>();
  }
};

}  // namespace

extern const CudaSolverFactory kCudaConcurrentTree = cuda_links_factory<ConcurrentTree>();

}  // namespace pericenter
