#pragma once

#include <cstddef>
#include <cstdint>

#include "sim/core/work_counts.h"
#include "sim/cuda/kernels/pair_force.cuh"
#include "sim/cuda/kernels/warp.cuh"
#include "sim/cuda/runtime/launch.cuh"
#include "sim/cuda/runtime/stage_events.cuh"
#include "sim/cuda/simulation/cuda_solver.cuh"
#include "sim/solvers/tree/key_cube.h"
#include "sim/solvers/tree/tree_view.h"

namespace pericenter {

// Siblings are contiguous: a run is its first node, with the number of nodes minus one in the top bits.
inline constexpr int kRunShift = 29;
constexpr std::uint32_t sibling_run(std::uint32_t first, std::uint32_t count) {
  return first | (count - 1) << kRunShift;
}
constexpr std::uint32_t run_first(std::uint32_t run) {
  return run & ((1u << kRunShift) - 1);
}
constexpr std::uint32_t run_size(std::uint32_t run) {
  return (run >> kRunShift) + 1;
}

struct alignas(16) NodeLinks {
  std::uint32_t children;    ///< a run of siblings; 0 in a leaf
  std::uint32_t parent;      ///< kNoNode at the root
  std::uint32_t begin, end;  ///< range of its bodies
};

/// Nodes of one generation have the same number of ancestors; each step down is at least one level of the keys.
inline constexpr int kMaxGenerations = 1 + (kKeyLevels<2> > kKeyLevels<3> ? kKeyLevels<2> : kKeyLevels<3>);

/// Requested levels, root = 0, and the maximum number of boxes.
struct LevelRange {
  int first, last;
  std::size_t limit;
};

/// In single precision, inverse cubes of distances up to this are normal numbers.
inline constexpr float kWidest = 1e12f;

/// Counters of a step on the device; the host downloads a copy.
struct TreeStatus {
  double cube_low[3] = {}, cube_side = 1;
  WorkCounts work;
  std::uint32_t generation[kMaxGenerations] = {};  ///< nodes of each, contiguous in the node arrays
  std::uint32_t group_count = 0;
  std::uint32_t next_group = 0;  ///< next group to process
  int levels = 0;
  std::uint32_t overflown = 0;     ///< nonzero: a buffer overflowed, and there is no result
  std::uint32_t unsorted = 0;      ///< nonzero, as is `overflown`: TreeMemory::sorted_bits is too small
  std::uint32_t equal_masses = 0;  ///< nonzero: all bodies have the same mass, and none is kWidest from another
};

/// Number of nodes in the generations before `generation`; kMaxGenerations gives all.
constexpr std::uint32_t nodes_before(const TreeStatus& status, int generation) {
  std::uint32_t nodes = 0;
  for (int i = 0; i < generation; ++i) nodes += status.generation[i];
  return nodes;
}

template <int Dim>
constexpr KeyCube<Dim> cube_of(const TreeStatus& status) {
  KeyCube<Dim> cube;
  for (int k = 0; k < Dim; ++k) cube.low[k] = status.cube_low[k];
  cube.side = status.cube_side;
  return cube;
}

template <class Real>
__device__ __forceinline__ Real component(const Vec4<Real>& x, int k) {
  return k == 0 ? x.x : k == 1 ? x.y : x.z;
}
/// KeyGrid::find_cell() for a body.
template <int Dim, class Real>
__device__ __forceinline__ void find_cell(const KeyGrid<Dim>& grid, const Vec4<Real>& body,
                                          std::uint32_t (&cell)[Dim]) {
  Real position[Dim];
  for (int k = 0; k < Dim; ++k) position[k] = component(body, k);
  grid.find_cell(position, cell);
}

/// The tree of TreeBuilder as arrays on the device, always in three dimensions. Node 0 is the root. The order of nodes
/// and groups may differ between runs; their contents do not.
template <class Real>
struct DeviceTree {
  const std::uint64_t* key;    ///< keys in tree order; valid only during the build if the memory is shared
  const std::uint32_t* order;  ///< input indices of these bodies
  Vec4<Real>* body;            ///< these bodies; w: mass times the gravitational constant
  // One element per node.
  Vec4<Real>* center;  ///< centre of mass; w: opening_size(), 0 when all bodies coincide
  CellMoments<Real>* moments;
  Bounds<Real, 3>* bounds;
  NodeLinks* links;
  std::uint8_t* level;
  std::uint32_t* arrivals;  ///< children with completed moments
  BodyRange* groups;
  TreeStatus* status;
  std::uint32_t capacity;  ///< capacity of the node arrays; a builder that needs more stops and sets status.overflown
  CellSize cell_size;
};

/// A possible child of a node; empty when begin == end.
struct NewChild {
  std::uint32_t parent, begin, end;
  std::uint32_t content;  ///< preliminary NodeLinks::children
  int level;
};

/// Creates the nodes of generation `generation`, whose first node is `first`, and links them to their parents. All
/// lanes of a warp must call it, one lane per possible child; the lanes of a parent are contiguous. Returns the index
/// of the child.
template <int Dim, class Real>
__device__ std::uint32_t append_children(const DeviceTree<Real>& tree, int generation, std::uint32_t first,
                                         const NewChild& child) {
  constexpr unsigned kTeam = 1u << Dim;
  const bool exists = child.begin < child.end;
  const unsigned born = __ballot_sync(kAllLanes, exists);
  if (born == 0) return 0;
  std::uint32_t slot = 0;
  if (warp_lane() == 0) slot = atomicAdd(&tree.status->generation[generation], static_cast<unsigned>(__popc(born)));
  slot = first + __shfl_sync(kAllLanes, slot, 0) + lanes_below(born);
  if (exists) {
    tree.links[slot] = {child.content, child.parent, child.begin, child.end};
    tree.level[slot] = static_cast<std::uint8_t>(child.level);
    tree.arrivals[slot] = 0;
  }
  const unsigned team = ((1u << kTeam) - 1) << (warp_lane() / kTeam * kTeam);
  // The first lane of a team has the number of children of the earlier nodes.
  if (warp_lane() % kTeam == 0 && (born & team) != 0) {
    tree.links[child.parent].children = sibling_run(slot, static_cast<unsigned>(__popc(born & team)));
  }
  return slot;
}

/// Launch configuration of kernels with grid-stride loops.
struct Grid {
  unsigned max_blocks;  ///< kMaxBlocks at most
  static constexpr unsigned kThreads = 256;
  static constexpr unsigned kMaxBlocks = 2048;

  unsigned blocks(std::size_t threads) const {
    const unsigned blocks = blocks_of(threads, kThreads);
    return blocks < max_blocks ? blocks : max_blocks;
  }
  LaunchSize size(std::size_t threads, std::source_location where = std::source_location::current()) const {
    return {blocks(threads), kThreads, 0, where};
  }
};

/// Splits a block of memory into arrays; without a block it only counts their bytes.
class ArenaLayout {
 public:
  explicit ArenaLayout(std::byte* block) : block_(block) {}

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

/// Maximum nodes of a tree of `count` bodies, plus a small margin. A chain of cells is one node, so there are fewer
/// inner nodes than leaves, and no more leaves than bodies.
constexpr std::size_t max_nodes(std::size_t count) {
  return 2 * count + kMaxGenerations;
}

/// A level of the tree of bvh_build(). Part k has up to 2^height bodies, starting at k 2^height. Every part is a node
/// except an only child, which can only be the last part of a level.
struct BvhLevel {
  std::uint32_t count;  ///< number of all bodies
  int height;           ///< 0: one body per part
  std::uint32_t first;  ///< first node; levels are contiguous

  constexpr std::uint32_t parts() const { return (count + (1u << height) - 1) >> height; }
  constexpr std::uint32_t nodes() const { return parts() == 1 ? 1 : parts() & ~1u; }
  constexpr BvhLevel below() const { return {count, height - 1, first + nodes()}; }
  constexpr BvhLevel above() const {
    const BvhLevel level{count, height + 1, 0};
    return {count, level.height, first - level.nodes()};
  }
};
/// The tree has 2 count - 1 nodes in total.
constexpr BvhLevel lowest_bvh_level(std::uint32_t count) {
  return {count, 0, 2 * count - 1 - BvhLevel{count, 0, 0}.nodes()};
}

/// All device memory of a tree, enough for any `count` bodies, as parts of one block. Without a block it only computes
/// the size in bytes.
template <class Real>
struct TreeMemory {
  TreeMemory(std::byte* block, std::size_t count, std::size_t build_scratch_bytes);
  /// Fewer nodes, supported by sorted_build() only; keys, centres, moments and groups use memory of the caller.
  struct Reduced {
    std::size_t nodes;
  };
  TreeMemory(std::byte* block, std::size_t count, const Reduced& reduced);

  std::size_t bytes = 0;
  std::uint64_t* key[2] = {};
  std::uint32_t* index[2];
  std::byte* sort_scratch;
  std::size_t sort_scratch_bytes = 0;
  Bounds<Real, 3>* block_bounds;       ///< one per block
  std::byte* build_scratch = nullptr;  ///< used by the builder
  LeafSize leaf_size = {};             ///< leaf size of sorted_build()
  int sorted_bits = 64;                ///< leading bits of the keys that enqueue_sort() sorts by radix
  DeviceTree<Real> tree = {};

 private:
  void cut(ArenaLayout& cutter, std::size_t count, std::size_t nodes);
};

// The stages, each enqueued on events.stream() and timed. The number of bodies must not be 0.

enum class Curve { morton, hilbert };

/// Computes bounds and keys along a curve: memory.key[0] and index[0], in input order. Resets memory.tree.status and
/// writes the root.
template <class Real, int Dim, Curve Keys = Curve::morton>
void enqueue_keys(const TreeMemory<Real>& memory, const DeviceBodies<Real>& bodies, Grid grid, StageEvents& events);

/// Sorts memory.key[0] and index[0], points memory.tree.key and order to the sorted arrays, and sets memory.tree.body.
/// Keys with the same leading memory.sorted_bits are sorted by comparison, which saves passes of the radix sort: the
/// result is the same. If more than 64 keys have the same leading bits, it sets status.unsorted.
template <class Real, int Dim>
void enqueue_sort(TreeMemory<Real>& memory, const DeviceBodies<Real>& bodies, Real gravity, StageEvents& events);

/// Writes the bodies of the list `order` to `body`, w: mass times `gravity`. Part of a stage.
template <class Real>
void enqueue_gather(const DeviceBodies<Real>& bodies, const std::uint32_t* order, Real gravity, Vec4<Real>* body,
                    cudaStream_t stream);

/// For builders that do not sort and write the bodies to memory.index[1] leaf by leaf: sorts the bodies of each leaf by
/// input index, and sets status.levels and memory.tree.order, key and body. Times Stage::sort.
template <class Real>
void enqueue_leaf_order(TreeMemory<Real>& memory, const DeviceBodies<Real>& bodies, Real gravity, Grid grid,
                        StageEvents& events);

/// Computes bounds, centres and moments of all nodes, from the leaves to the root, with a counter per node.
template <class Real>
void enqueue_moments(const DeviceTree<Real>& tree, std::uint32_t count, Grid grid, StageEvents& events);
/// Like enqueue_moments(), level by level, for the tree of bvh_build().
template <class Real>
void enqueue_bvh_moments(const DeviceTree<Real>& tree, std::uint32_t count, Grid grid, StageEvents& events);

/// A tree builder. `enqueue` sets memory.tree.key, order, body, links and level, and status.generation and levels, from
/// the bodies; arrivals are 0. It may use `scratch_bytes` of memory.build_scratch.
template <class Real, int Dim>
struct DeviceBuild {
  std::size_t (*scratch_bytes)(std::size_t count);
  void (*enqueue)(TreeMemory<Real>& memory, const DeviceBodies<Real>& bodies, Real gravity, Grid grid,
                  StageEvents& events);
  void (*moments)(const DeviceTree<Real>& tree, std::uint32_t count, Grid grid,
                  StageEvents& events) = enqueue_moments<Real>;
  bool has_cells = true;  ///< nodes are cells of Morton keys
};
/// The octree builder, also used by the fmm solver. Works in the memory of the sort.
template <class Real, int Dim>
DeviceBuild<Real, Dim> sorted_build();
/// Bytes of TreeMemory::sort_scratch that it needs.
std::size_t sorted_build_scratch(std::size_t count);

/// Appends boxes of levels first..last of the last tree, at most `limit`: the key cubes, or cubes around the bodies of
/// each node. `status` is that of the tree.
template <class Real, int Dim>
void append_boxes(const DeviceTree<Real>& tree, const TreeStatus& status, bool has_cells, const LevelRange& range,
                  std::vector<TreeBox>& out);

/// Sets tree.groups and status.group_count, for GroupWalk. Times Stage::build.
template <class Real>
void enqueue_groups(const DeviceTree<Real>& tree, std::uint32_t count, Grid grid, StageEvents& events);

}  // namespace pericenter
