#include <algorithm>

#include "sim/cuda/kernels/warp.cuh"
#include "sim/cuda/tree/device_tree.cuh"
#include "sim/cuda/tree/tree_solver.cuh"

namespace pericenter {
namespace {

/// Flag in Cells::table: the child is a leaf, and the other bits are its first position in the tree order.
constexpr std::uint32_t kLeaf = 0x80000000u;
/// In BodyAssignment::cell: a body whose position is final.
constexpr std::uint32_t kPlaced = 0xFFFFFFFFu;

/// The cells of a level with several bodies, and those of the next level. A chain of cells with one child is one node,
/// but one cell per level.
template <int Dim>
struct Cells {
  Cells(std::byte* block, std::size_t bodies) {
    ArenaLayout cutter(block);
    const std::size_t most = max_cells(bodies);
    for (auto& tables : table) tables = cutter.cut<std::uint32_t>(most << Dim);
    for (auto& nodes : node) nodes = cutter.cut<std::uint32_t>(most);
    count = cutter.cut<std::uint32_t>(kMaxGenerations);
    bytes = cutter.used_bytes();
  }
  static std::size_t max_cells(std::size_t bodies) { return bodies / 2 + 1; }

  // Indexed by level % 2.
  std::uint32_t* table[2];  ///< number of bodies of each child; then its cell, or kLeaf and its first body
  std::uint32_t* node[2];   ///< node of each cell
  std::uint32_t* count;     ///< cells per level
  std::size_t bytes;
};

/// The bodies, in input order.
struct BodyAssignment {
  const std::uint64_t* key;
  std::uint32_t* cell;   ///< cell of each body
  std::uint32_t* order;  ///< body at each position
  std::uint32_t count;
};

template <int Dim>
__global__ void __launch_bounds__(Grid::kThreads) start_kernel(const BodyAssignment bodies, const Cells<Dim> cells) {
  const std::uint32_t thread = blockIdx.x * blockDim.x + threadIdx.x;
  for (std::uint32_t i = thread; i < bodies.count; i += gridDim.x * blockDim.x) bodies.cell[i] = 0;
  if (thread < 1u << Dim) cells.table[0][thread] = 0;
  if (thread < kMaxGenerations) cells.count[thread] = thread == 0 ? 1 : 0;
  if (thread == 0) cells.node[0][0] = 0;
}

/// The cell of level `level` that contains body `i`, or kPlaced.
template <int Dim>
__device__ std::uint32_t moved_body(const BodyAssignment& bodies, const Cells<Dim>& cells, std::uint32_t i, int level) {
  std::uint32_t cell = bodies.cell[i];
  if (cell == kPlaced || level == 0) return cell;
  const std::uint32_t target =
      cells.table[(level - 1) % 2][(cell << Dim) + morton_digit<Dim>(bodies.key[i], level - 1)];
  const bool alone = (target & kLeaf) != 0;
  if (alone) bodies.order[target & ~kLeaf] = i;
  cell = alone ? kPlaced : target;
  bodies.cell[i] = cell;
  return cell;
}

/// Assigns the bodies to the cells of level `level`, and counts them by child.
template <int Dim>
__global__ void __launch_bounds__(Grid::kThreads)
    assign_kernel(const BodyAssignment bodies, const Cells<Dim> cells, int level) {
  constexpr std::uint32_t kFewCounters = 1024;
  __shared__ std::uint32_t sums[kFewCounters];
  if (level > 0 && cells.count[level - 1] == 0) return;
  // On the upper levels many bodies share few counters, so each block counts in shared memory first.
  const std::uint32_t counters = cells.count[level] << Dim;
  const bool few = counters <= kFewCounters;
  std::uint32_t* const table = cells.table[level % 2];
  for (std::uint32_t i = threadIdx.x; few && i < counters; i += blockDim.x) sums[i] = 0;
  __syncthreads();
  const std::uint32_t stride = gridDim.x * blockDim.x;
  for (std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i - warp_lane() < bodies.count; i += stride) {
    const std::uint32_t cell = i < bodies.count ? moved_body(bodies, cells, i, level) : kPlaced;
    const unsigned waiting = __ballot_sync(kAllLanes, cell != kPlaced);
    if (cell == kPlaced) continue;
    const std::uint32_t counter = (cell << Dim) + morton_digit<Dim>(bodies.key[i], level);
    if (few) {
      atomicAdd(&sums[counter], 1u);
    } else {
      count_up(table, counter, waiting);
    }
  }
  __syncthreads();
  for (std::uint32_t i = threadIdx.x; few && i < counters; i += blockDim.x) {
    if (sums[i] > 0) atomicAdd(&table[i], sums[i]);
  }
}

/// Creates the nodes of the children of the cells of level `level`, and the cells of the next level, from the body
/// counts. One lane per possible child.
template <int Dim, class Real>
__global__ void __launch_bounds__(Grid::kThreads)
    link_kernel(const DeviceTree<Real> tree, const Cells<Dim> cells, int level) {
  constexpr unsigned kTeam = 1u << Dim, kTeams = kWarp / kTeam;
  const std::uint32_t count = cells.count[level], warps = gridDim.x * blockDim.x / kWarp;
  if (count == 0) return;
  const std::uint32_t first = nodes_before(*tree.status, level + 1);
  const unsigned team = ((1u << kTeam) - 1) << (warp_lane() / kTeam * kTeam);
  std::uint32_t* const next_table = cells.table[(level + 1) % 2];
  for (std::uint32_t warp = (blockIdx.x * blockDim.x + threadIdx.x) / kWarp; warp * kTeams < count; warp += warps) {
    const std::uint32_t cell = warp * kTeams + warp_lane() / kTeam;
    std::uint32_t* const entry = &cells.table[level % 2][(cell << Dim) + warp_lane() % kTeam];
    std::uint32_t node = 0, bodies = 0, begin = 0;
    if (cell < count) {
      node = cells.node[level % 2][cell];
      bodies = *entry;
      begin = tree.links[node].begin;
    }
    begin += sum_up_to_lane<kTeam>(bodies) - bodies;
    const bool splits = __popc(__ballot_sync(kAllLanes, bodies > 0) & team) > 1;
    const std::uint32_t end = splits ? begin + bodies : begin;
    const std::uint32_t child = append_children<Dim>(tree, level + 1, first, {node, begin, end, 0, level + 1});
    // Bodies with equal keys on the last level share a leaf.
    const bool divides = bodies > 1 && level + 1 < kKeyLevels<Dim>;
    const unsigned dividing = __ballot_sync(kAllLanes, divides);
    std::uint32_t next = 0;
    if (warp_lane() == 0 && dividing != 0) {
      next = atomicAdd(&cells.count[level + 1], static_cast<unsigned>(__popc(dividing)));
    }
    next = __shfl_sync(kAllLanes, next, 0) + lanes_below(dividing);
    if (bodies > 0) *entry = divides ? next : kLeaf | begin;
    if (!divides) continue;
    cells.node[(level + 1) % 2][next] = splits ? child : node;
    for (unsigned k = 0; k < kTeam; ++k) next_table[(next << Dim) + k] = 0;
  }
}

/// Writes the bodies in cells of the last level to their leaves, in any order.
template <int Dim>
__global__ void __launch_bounds__(Grid::kThreads) place_kernel(const BodyAssignment bodies, const Cells<Dim> cells) {
  constexpr int kLast = kKeyLevels<Dim> - 1;
  if (cells.count[kLast] == 0) return;
  const std::uint32_t stride = gridDim.x * blockDim.x;
  for (std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i - warp_lane() < bodies.count; i += stride) {
    const std::uint32_t cell = i < bodies.count ? bodies.cell[i] : kPlaced;
    const unsigned waiting = __ballot_sync(kAllLanes, cell != kPlaced);
    if (cell == kPlaced) continue;
    const std::uint32_t leaf = (cell << Dim) + morton_digit<Dim>(bodies.key[i], kLast);
    bodies.order[count_up(cells.table[kLast % 2], leaf, waiting) & ~kLeaf] = i;
  }
}

template <class Real, int Dim>
void enqueue_links(const TreeMemory<Real>& memory, std::uint32_t count, Grid grid, StageEvents& events) {
  const DeviceStageClock clock(events, Stage::build);
  const Cells<Dim> cells(memory.build_scratch, count);
  const BodyAssignment assignment{memory.key[0], memory.index[0], memory.index[1], count};
  const unsigned blocks = grid.blocks(count);
  launch(start_kernel<Dim>, {blocks, Grid::kThreads}, events.stream(), assignment, cells);
  std::size_t max_cells = 1;
  for (int level = 0; level < kKeyLevels<Dim>; ++level) {
    launch(assign_kernel<Dim>, {blocks, Grid::kThreads}, events.stream(), assignment, cells, level);
    launch(link_kernel<Dim, Real>, grid.size(max_cells << Dim), events.stream(), memory.tree, cells, level);
    max_cells = std::min(max_cells << Dim, cells.max_cells(count));
  }
  launch(place_kernel<Dim>, {blocks, Grid::kThreads}, events.stream(), assignment, cells);
}

template <class Real, int Dim>
void enqueue_build(TreeMemory<Real>& memory, const DeviceBodies<Real>& bodies, Real gravity, Grid grid,
                   StageEvents& events) {
  enqueue_keys<Real, Dim>(memory, bodies, grid, events);
  enqueue_links<Real, Dim>(memory, bodies.count, grid, events);
  enqueue_leaf_order(memory, bodies, gravity, grid, events);
}

struct TopDownTree {
  template <class Real, int Dim>
  static DeviceBuild<Real, Dim> build() {
    return {[](std::size_t count) { return Cells<Dim>(nullptr, count).bytes; }, enqueue_build<Real, Dim>};
  }
};

}  // namespace

extern const CudaSolverFactory kCudaTopDownTree = cuda_tree_solver_factory<TopDownTree>();

}  // namespace pericenter
