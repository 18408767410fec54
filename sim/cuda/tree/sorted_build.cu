#include <cub/warp/warp_scan.cuh>

#include "sim/cuda/kernels/warp.cuh"
#include "sim/cuda/tree/device_tree.cuh"
#include "sim/cuda/tree/tree_solver.cuh"
#include "sim/solvers/tree/cell_boundaries.h"

// Every body finds out by itself whether a cell is divided before it. The sorted bodies are processed in tiles, and
// prefix sums over the tiles give the cells around each leaf and the index of each node: no kernel waits for one
// generation of nodes after the other.
namespace pericenter {
namespace {

/// Bodies of a tile, which a warp processes.
constexpr std::uint32_t tile_size(std::size_t bodies) {
  return bodies < 300'000 ? 128 : bodies < 4'000'000 ? 256 : 512;
}
constexpr unsigned kTilesPerBlock = 8;

/// Where a leaf begins: at body 0, or at a boundary between two children.
struct LeafBegin {
  std::uint32_t levels;  ///< the cells open to the right of it, up to the end of the tile; the highest is its own level
  std::uint32_t body;
};

/// What follows after a tile.
struct AfterTile {
  std::uint32_t levels;     ///< the cells that end there, one bit per level
  std::uint32_t next_leaf;  ///< its first body, or kNoNode
};
/// The cells of two ranges of bodies that end after the bodies before both of them.
__device__ std::uint32_t joined_levels(std::uint32_t near, std::uint32_t far) {
  return near == 0 ? far : near | (far & ((near & (0u - near)) - 1));
}
__device__ AfterTile joined(const AfterTile& near, const AfterTile& far) {
  return {joined_levels(near.levels, far.levels), near.next_leaf != kNoNode ? near.next_leaf : far.next_leaf};
}

/// The arrays of tiles have one element per tile, of what is before or after it in its block; those of blocks one per
/// block.
template <int Dim>
struct Tiles {
  std::uint32_t size;  ///< bodies of each
  std::uint32_t count, blocks;
  OpenCells<Dim>*before, *before_block;  ///< cells open after all earlier tiles
  AfterTile *after, *after_block;        ///< what all later tiles leave
  std::uint32_t* leaves;                 ///< leaves that begin in the tile
  std::uint16_t* nodes;                  ///< nodes that begin in earlier tiles, per generation
  std::uint32_t* nodes_before_block;
  LeafBegin* begins;  ///< leaves of a tile are at the indices of its first bodies
  std::size_t bytes;

  Tiles(std::byte* block, std::size_t bodies)
      : size(tile_size(bodies)),
        count(blocks_of(bodies, size)),
        blocks(blocks_of(count, kTilesPerBlock)),
        begins(nullptr) {
    ArenaLayout cutter(block);
    before = cutter.cut<OpenCells<Dim>>(count);
    before_block = cutter.cut<OpenCells<Dim>>(blocks);
    after = cutter.cut<AfterTile>(count);
    after_block = cutter.cut<AfterTile>(blocks);
    leaves = cutter.cut<std::uint32_t>(count);
    nodes = cutter.cut<std::uint16_t>(std::size_t(count) * kMaxGenerations);
    nodes_before_block = cutter.cut<std::uint32_t>(std::size_t(blocks) * kMaxGenerations);
    bytes = cutter.used_bytes();
  }
};

/// The elements of a list that are chosen, by a warp. `chosen(i)` is called for i below `count`, `put(i, place)` for
/// those for which it is true, in their order. Returns their number.
template <class Chosen, class Put>
__device__ std::uint32_t select(std::uint32_t count, const Chosen& chosen, const Put& put) {
  std::uint32_t selected = 0;
  for (std::uint32_t first = 0; first < count; first += kWarp) {
    const std::uint32_t i = first + warp_lane();
    const bool mine = i < count && chosen(i);
    const unsigned all = __ballot_sync(kAllLanes, mine);
    __syncwarp();  // put() may write what chosen() has read
    if (mine) put(i, selected + lanes_below(all));
    selected += static_cast<std::uint32_t>(__popc(all));
    __syncwarp();
  }
  return selected;
}

/// What a lane knows of the boundaries of a range of bodies.
template <int Dim>
struct Boundaries {
  OpenCells<Dim> cells;  ///< joined from the first to the last
  std::uint32_t levels;  ///< joined from the last to the first
};
/// That of this and all higher lanes.
template <int Dim>
__device__ Boundaries<Dim> joined_from_lane(Boundaries<Dim> own) {
  for (unsigned offset = 1; offset < kWarp; offset *= 2) {
    const OpenCells<Dim> cells{__shfl_down_sync(kAllLanes, own.cells.passed, offset)};
    const std::uint32_t levels = __shfl_down_sync(kAllLanes, own.levels, offset);
    if (warp_lane() + offset < kWarp) own = {own.cells.then(cells), joined_levels(own.levels, levels)};
  }
  return own;
}

/// Bytes of shared memory of boundaries_kernel: the keys that divides_cell() needs, and a list of bodies per tile.
constexpr std::size_t boundaries_bytes(std::uint32_t tile, std::uint32_t most) {
  return kTilesPerBlock * tile * (sizeof(std::uint64_t) + sizeof(std::uint16_t)) +
         (2 * most + 1) * sizeof(std::uint64_t);
}

/// The sums of the tiles of a block.
template <int Dim>
struct TileSums {
  OpenCells<Dim> cells[kTilesPerBlock];
  AfterTile rest[kTilesPerBlock];

  /// By the first threads, each for a tile.
  __device__ void join_others(const Tiles<Dim>& tiles) const {
    OpenCells<Dim> before{};
    AfterTile after{0, kNoNode};
    for (unsigned i = 0; i < threadIdx.x; ++i) before = before.then(cells[i]);
    for (unsigned i = kTilesPerBlock - 1; i > threadIdx.x; --i) after = joined(rest[i], after);
    const std::uint32_t tile = blockIdx.x * kTilesPerBlock + threadIdx.x;
    if (tile < tiles.count) {
      tiles.before[tile] = before;
      tiles.after[tile] = after;
    }
    if (threadIdx.x == kTilesPerBlock - 1) tiles.before_block[blockIdx.x] = before.then(cells[threadIdx.x]);
    if (threadIdx.x == 0) tiles.after_block[blockIdx.x] = joined(rest[0], after);
  }
};

/// The leaves that begin in a tile, by a warp; `places` has their first bodies, relative to that of the tile.
template <int Dim, class Key>
__device__ void set_leaves(const Tiles<Dim>& tiles, std::uint32_t tile, std::uint32_t leaves,
                           const std::uint16_t* places, const Key& key, TileSums<Dim>& sums, int& levels_of_block) {
  const std::uint32_t begin = tile * tiles.size;
  Boundaries<Dim> rest{{}, 0};
  int deepest = -1;
  for (std::uint32_t end = (leaves + kWarp - 1) / kWarp * kWarp; end > 0; end -= kWarp) {
    const std::uint32_t i = end - kWarp + warp_lane();
    const std::uint32_t body = begin + (i < leaves ? places[i] : 0);
    const int level = i < leaves && body > 0 ? common_level<Dim>(key(body - 1), key(body)) : -1;
    const Boundaries<Dim> all =
        joined_from_lane(level < 0 ? Boundaries<Dim>{{}, 0} : Boundaries<Dim>{OpenCells<Dim>::at(level), 1u << level});
    if (i < leaves) tiles.begins[begin + i] = {joined_levels(all.levels, rest.levels), body};
    const OpenCells<Dim> cells{__shfl_sync(kAllLanes, all.cells.passed, 0)};
    rest = {cells.then(rest.cells), joined_levels(__shfl_sync(kAllLanes, all.levels, 0), rest.levels)};
    deepest = max(deepest, level);
  }
  const int levels = static_cast<int>(warp_max(static_cast<std::uint32_t>(deepest + 2)));
  if (warp_lane() != 0) return;
  if (tile < tiles.count) tiles.leaves[tile] = leaves;
  sums.cells[threadIdx.x / kWarp] = rest.cells;
  sums.rest[threadIdx.x / kWarp] = {rest.levels, leaves == 0 ? kNoNode : begin + places[0]};
  atomicMax(&levels_of_block, levels);
}

/// A warp per tile.
template <int Dim>
__global__ void __launch_bounds__(kTilesPerBlock* kWarp)
    boundaries_kernel(const std::uint64_t* all_keys, std::uint32_t bodies, LeafSize leaf_size, const Tiles<Dim> tiles,
                      TreeStatus* status) {
  extern __shared__ std::uint64_t keys[];
  __shared__ TileSums<Dim> sums;
  __shared__ int levels;
  if (status->unsorted != 0) return;
  const std::uint32_t block_size = kTilesPerBlock * tiles.size, most = leaf_size.most();
  const std::uint32_t block_begin = blockIdx.x * block_size, block_end = min(block_begin + block_size, bodies);
  const std::uint32_t first_key = block_begin > most ? block_begin - most - 1 : 0;
  const std::uint32_t last_key = min(block_end + most, bodies);
  for (std::uint32_t j = first_key + threadIdx.x; j < last_key; j += kTilesPerBlock * kWarp)
    keys[j - first_key] = all_keys[j];
  if (threadIdx.x == 0) levels = 1;
  __syncthreads();
  const std::uint32_t warp = threadIdx.x / kWarp, tile = blockIdx.x * kTilesPerBlock + warp;
  const std::uint32_t begin = tile * tiles.size, count = tile < tiles.count ? min(tiles.size, bodies - begin) : 0;
  auto* const places = reinterpret_cast<std::uint16_t*>(keys + block_size + 2 * most + 1) + warp * tiles.size;
  const auto key = [&](std::uint32_t j) { return keys[j - first_key]; };
  const std::uint32_t possible = select(
      count, [&](std::uint32_t i) { return begin + i == 0 || may_divide_cell<Dim>(key, begin + i, bodies, leaf_size); },
      [&](std::uint32_t i, std::uint32_t place) { places[place] = static_cast<std::uint16_t>(i); });
  std::uint16_t chosen = 0;  // moves to an earlier element, which was read before
  const std::uint32_t leaves = select(
      possible,
      [&](std::uint32_t i) {
        chosen = places[i];
        return begin + chosen == 0 || divides_cell<Dim>(key, begin + chosen, bodies, leaf_size);
      },
      [&](std::uint32_t, std::uint32_t place) { places[place] = chosen; });
  set_leaves(tiles, tile, leaves, places, key, sums, levels);
  __syncthreads();
  if (threadIdx.x < kTilesPerBlock) sums.join_others(tiles);
  if (threadIdx.x == 0 && levels > 1) atomicMax(&status->levels, levels);
}

constexpr unsigned kScanThreads = 1024;

/// Replaces each element by the join of all before it, in the order of their numbers, and returns the join of all. One
/// block, in which each warp has neighbouring elements.
template <class T, class Element, class Join>
__device__ T scan_before(std::uint32_t count, const T& none, const Element& element, const Join& join) {
  constexpr unsigned kWarps = kScanThreads / kWarp;
  static_assert(kWarps == kWarp);
  using Scan = cub::WarpScan<T>;
  __shared__ typename Scan::TempStorage storage[kWarps];
  __shared__ T sums[kWarps];
  const unsigned warp = threadIdx.x / kWarp, lane = warp_lane();
  const std::uint32_t share = (count + kScanThreads - 1) / kScanThreads * kWarp;
  const std::uint32_t begin = min(warp * share, count), end = min(begin + share, count);
  T sum = none, before = none, all = none;
  for (std::uint32_t first = begin; first < end; first += kWarp) {
    Scan(storage[warp]).ExclusiveScan(first + lane < end ? element(first + lane) : none, before, none, join, all);
    sum = join(sum, all);
  }
  if (lane == 0) sums[warp] = sum;
  __syncthreads();
  Scan(storage[warp]).ExclusiveScan(sums[lane], before, none, join, all);
  const T total = all;
  __syncthreads();
  if (lane == warp) sums[warp] = before;
  __syncwarp();
  sum = sums[warp];
  for (std::uint32_t first = begin; first < end; first += kWarp) {
    const T own = first + lane < end ? element(first + lane) : none;
    Scan(storage[warp]).ExclusiveScan(own, before, none, join, all);
    if (first + lane < end) element(first + lane) = join(sum, before);
    sum = join(sum, all);
  }
  return total;
}

/// Two blocks: tiles.before_block and tiles.after_block.
template <int Dim>
__global__ void __launch_bounds__(kScanThreads) open_cells_kernel(const Tiles<Dim> tiles, const TreeStatus* status) {
  if (status->unsorted != 0) return;
  if (blockIdx.x == 0) {
    scan_before(
        tiles.blocks, OpenCells<Dim>{}, [&](std::uint32_t i) -> OpenCells<Dim>& { return tiles.before_block[i]; },
        [](const OpenCells<Dim>& a, const OpenCells<Dim>& b) { return a.then(b); });
  } else {
    scan_before(
        tiles.blocks, AfterTile{0, kNoNode},
        [&](std::uint32_t i) -> AfterTile& { return tiles.after_block[tiles.blocks - 1 - i]; },
        [](const AfterTile& far, const AfterTile& near) { return joined(near, far); });
  }
}

/// A block per generation: tiles.nodes_before_block and status.generation.
template <int Dim>
__global__ void __launch_bounds__(kScanThreads) generations_kernel(const Tiles<Dim> tiles, TreeStatus* status) {
  if (status->unsorted != 0) return;
  std::uint32_t all = 0;
  if (static_cast<int>(blockIdx.x) < status->levels) {
    std::uint32_t* const nodes = tiles.nodes_before_block + std::size_t(blockIdx.x) * tiles.blocks;
    all = scan_before(
        tiles.blocks, 0u, [&](std::uint32_t i) -> std::uint32_t& { return nodes[i]; },
        [](std::uint32_t a, std::uint32_t b) { return a + b; });
  }
  if (threadIdx.x == 0) status->generation[blockIdx.x] = all;
}

template <int Dim>
struct Leaf {
  std::uint32_t begin, end;
  OpenCells<Dim> before;
  LeafPlace<Dim> place;
};

/// Calls visit(leaf, whether it exists) for the leaves that begin in a tile, one per lane.
template <int Dim, class Visit>
__device__ __forceinline__ void for_each_leaf(const Tiles<Dim>& tiles, std::uint32_t tile, std::uint32_t bodies,
                                              const Visit& visit) {
  const LeafBegin* const begins = tiles.begins + std::size_t(tile) * tiles.size;
  const std::uint32_t leaves = tiles.leaves[tile];
  const AfterTile after = joined(tiles.after[tile], tiles.after_block[tile / kTilesPerBlock]);
  const std::uint32_t next_leaf = after.next_leaf != kNoNode ? after.next_leaf : bodies;
  OpenCells<Dim> before = tiles.before_block[tile / kTilesPerBlock].then(tiles.before[tile]);
  for (std::uint32_t first = 0; first < leaves; first += kWarp) {
    const std::uint32_t i = first + warp_lane();
    const LeafBegin own = i < leaves ? begins[i] : LeafBegin{0, 0};
    const LeafBegin next = i + 1 < leaves ? begins[i + 1] : LeafBegin{0, next_leaf};
    OpenCells<Dim> cells = own.body > 0 ? OpenCells<Dim>::at(highest_bit(own.levels)) : OpenCells<Dim>{};
    for (unsigned offset = 1; offset < kWarp; offset *= 2) {
      const OpenCells<Dim> earlier{__shfl_up_sync(kAllLanes, cells.passed, offset)};
      if (warp_lane() >= offset) cells = earlier.then(cells);
    }
    cells = before.then(cells);
    before = {__shfl_sync(kAllLanes, cells.passed, kWarp - 1)};
    const OpenCells<Dim> following{spread_bits<Dim>(joined_levels(next.levels, after.levels))};
    visit(Leaf<Dim>{own.body, next.body, cells, {cells, following}}, i < leaves);
  }
}

/// Whether a node of this generation begins with the leaf, as one bit per lane.
template <int Dim>
__device__ unsigned beginning(const Leaf<Dim>& leaf, bool exists, int generation) {
  return __ballot_sync(kAllLanes, exists && leaf.place.first <= generation && generation <= leaf.place.generation);
}

/// A warp per tile; each lane counts the nodes of a generation.
template <int Dim>
__global__ void __launch_bounds__(kTilesPerBlock* kWarp)
    count_nodes_kernel(const Tiles<Dim> tiles, std::uint32_t bodies, const TreeStatus* status) {
  static_assert(kMaxGenerations == kWarp);
  __shared__ std::uint32_t nodes[kTilesPerBlock][kMaxGenerations];
  if (status->unsorted != 0) return;
  const std::uint32_t warp = threadIdx.x / kWarp, lane = warp_lane(), tile = blockIdx.x * kTilesPerBlock + warp;
  const int levels = status->levels;
  std::uint32_t own = 0;
  const auto count = [&](const Leaf<Dim>& leaf, bool exists) {
    for (int generation = 0; generation < levels; ++generation) {
      const unsigned begin = beginning(leaf, exists, generation);
      if (static_cast<int>(lane) == generation) own += static_cast<std::uint32_t>(__popc(begin));
    }
  };
  if (tile < tiles.count) for_each_leaf(tiles, tile, bodies, count);
  nodes[warp][lane] = own;
  __syncthreads();
  if (static_cast<int>(lane) >= levels) return;
  std::uint32_t before = 0;
  for (std::uint32_t i = 0; i < warp; ++i) before += nodes[i][lane];
  if (tile < tiles.count) tiles.nodes[std::size_t(lane) * tiles.count + tile] = static_cast<std::uint16_t>(before);
  if (warp == kTilesPerBlock - 1) tiles.nodes_before_block[lane * tiles.blocks + blockIdx.x] = before + own;
}

/// The nodes of each generation that begin with the leaves of a warp.
struct LeafRanks {
  std::uint32_t next;  ///< index of the first of them
  unsigned begins;     ///< leaves with which one begins, one bit per lane

  /// Index of the node around the leaf of this lane.
  __device__ std::uint32_t node() const { return next + lanes_up_to(begins) - 1; }
};

/// Writes a leaf and all cells that end with it, except their begin, and the begin of all cells that begin with it.
template <int Dim, class Real>
__device__ void write_nodes(const Leaf<Dim>& leaf, const LeafRanks* ranks, const DeviceTree<Real>& tree) {
  std::uint64_t levels = leaf.place.levels;  // of the cells that are not yet left
  const auto write = [&](std::uint32_t node) {
    tree.level[node] = static_cast<std::uint8_t>(levels == 0 ? 0 : highest_bit(levels) / Dim + 1);
    tree.arrivals[node] = 0;
  };
  int generation = leaf.place.generation;
  std::uint32_t node = ranks[generation].node(), parent = generation > 0 ? ranks[generation - 1].node() : kNoNode;
  tree.links[node] = {0, parent, leaf.begin, leaf.end};
  write(node);
  for (const int lowest = min(leaf.place.first, leaf.place.last); --generation >= lowest;) {
    const std::uint32_t last_child = node;
    const int divided_level = highest_bit(levels) / Dim;
    levels ^= std::uint64_t(1) << divided_level * Dim;
    node = parent;
    parent = generation > 0 ? ranks[generation - 1].node() : kNoNode;
    if (generation >= leaf.place.first) tree.links[node].begin = leaf.begin;
    if (generation < leaf.place.last) continue;
    const std::uint32_t boundaries = leaf.before.boundaries(divided_level);
    tree.links[node].children = sibling_run(last_child - boundaries, boundaries + 1);
    tree.links[node].parent = parent;
    tree.links[node].end = leaf.end;
    write(node);
  }
}

/// A warp per tile, a lane per leaf.
template <int Dim, class Real>
__global__ void __launch_bounds__(kTilesPerBlock* kWarp)
    write_nodes_kernel(const Tiles<Dim> tiles, std::uint32_t bodies, const DeviceTree<Real> tree) {
  __shared__ LeafRanks ranks_of_warps[kTilesPerBlock][kMaxGenerations];
  const std::uint32_t tile = (blockIdx.x * blockDim.x + threadIdx.x) / kWarp;
  if (tile >= tiles.count || tree.status->unsorted != 0) return;
  const int levels = tree.status->levels, lane = static_cast<int>(warp_lane());
  static_assert(kMaxGenerations == kWarp);
  const std::uint32_t nodes = tree.status->generation[lane], nodes_up_to = sum_up_to_lane(nodes);
  if (__shfl_sync(kAllLanes, nodes_up_to, kWarp - 1) > tree.capacity) {
    if (tile == 0) tree.status->overflown = 1;
    return;
  }
  LeafRanks* const ranks = ranks_of_warps[threadIdx.x / kWarp];
  LeafRanks own{nodes_up_to - nodes, 0};
  if (lane < levels) {
    own.next += tiles.nodes[std::size_t(warp_lane()) * tiles.count + tile] +
                tiles.nodes_before_block[warp_lane() * tiles.blocks + tile / kTilesPerBlock];
  }
  for_each_leaf(tiles, tile, bodies, [&](const Leaf<Dim>& leaf, bool exists) {
    own.begins = 0;
    for (int generation = 0; generation < levels; ++generation) {
      const unsigned begins = beginning(leaf, exists, generation);
      if (lane == generation) own.begins = begins;
    }
    ranks[lane] = own;
    __syncwarp();
    if (exists) write_nodes(leaf, ranks, tree);
    __syncwarp();
    own.next += static_cast<std::uint32_t>(__popc(own.begins));
  });
}

template <class Real, int Dim>
void enqueue_links(const TreeMemory<Real>& memory, std::uint32_t count, StageEvents& events) {
  const DeviceStageClock clock(events, Stage::build);
  const DeviceTree<Real>& tree = memory.tree;
  Tiles<Dim> tiles(memory.sort_scratch, count);
  // The sort does not need the other keys any more.
  tiles.begins = reinterpret_cast<LeafBegin*>(memory.key[tree.key == memory.key[0] ? 1 : 0]);
  static_assert(sizeof(LeafBegin) <= sizeof(*tree.key));
  LaunchSize size{tiles.blocks, kTilesPerBlock * kWarp, boundaries_bytes(tiles.size, memory.leaf_size.most())};
  launch(boundaries_kernel<Dim>, size, events.stream(), tree.key, count, memory.leaf_size, tiles, tree.status);
  launch(open_cells_kernel<Dim>, {2, kScanThreads}, events.stream(), tiles, tree.status);
  size.shared_bytes = 0;
  launch(count_nodes_kernel<Dim>, size, events.stream(), tiles, count, tree.status);
  launch(generations_kernel<Dim>, {kMaxGenerations, kScanThreads}, events.stream(), tiles, tree.status);
  launch(write_nodes_kernel<Dim, Real>, size, events.stream(), tiles, count, tree);
}

template <class Real, int Dim>
void enqueue_build(TreeMemory<Real>& memory, const DeviceBodies<Real>& bodies, Real gravity, Grid grid,
                   StageEvents& events) {
  enqueue_keys<Real, Dim>(memory, bodies, grid, events);
  enqueue_sort<Real, Dim>(memory, bodies, gravity, events);
  enqueue_links<Real, Dim>(memory, bodies.count, events);
}

}  // namespace

std::size_t sorted_build_scratch(std::size_t count) {
  return Tiles<3>(nullptr, count).bytes;
}

template <class Real, int Dim>
DeviceBuild<Real, Dim> sorted_build() {
  return {[](std::size_t) { return std::size_t(0); }, enqueue_build<Real, Dim>};
}
template DeviceBuild<float, 2> sorted_build();
template DeviceBuild<float, 3> sorted_build();
template DeviceBuild<double, 2> sorted_build();
template DeviceBuild<double, 3> sorted_build();

namespace {
struct SortedTree {
  template <class Real, int Dim>
  static DeviceBuild<Real, Dim> build() {
    return sorted_build<Real, Dim>();
  }
};
}  // namespace

extern const CudaSolverFactory kCudaSortedTree = cuda_tree_solver_factory<SortedTree>();

}  // namespace pericenter
