#pragma once

#include <cuda/atomic>

#include "sim/cuda/fmm/far_cells.cuh"
#include "sim/solvers/tree/opening_criterion.h"

namespace pericenter {

/// A list of cells as a chain of chunks; the last chunk may be partly filled. There are two pools of chunks. Lists left
/// to the children of a cell last until all children have their lists; all other lists are read in the batch that wrote
/// them.
struct ListHead {
  std::uint32_t first_chunk, count;
};
inline constexpr unsigned kChunk = kWarp;  ///< entries; a warp reads one chunk at once
/// Flag in the entries of far lists: CellCriterion::is_harmonic().
inline constexpr std::uint32_t kNearlyHarmonic = 0x80000000u;
inline constexpr std::uint32_t kNoChunk = 0xFFFFFFFFu;

/// Sources that act on a cell, in addition to those that act on its ancestors.
struct alignas(32) CellLists {
  ListHead far;           ///< cells that act as a whole, perhaps with kNearlyHarmonic
  ListHead near;          ///< leaf: cells that act body by body; inner cell: cells left to the children
  ListHead cell_to_body;  ///< leaf: cells that act as a whole on each of its bodies
  std::uint32_t acting;   ///< bodies and cells that act on the cell and its ancestors
  std::uint32_t field;    ///< inner cell: index of its field
};

/// A part of a crowded leaf, processed by a separate warp.
struct LeafPart {
  std::uint32_t node, first;  ///< first body, relative to the first of the leaf
};
/// Maximum bodies of a leaf per warp.
inline constexpr std::uint32_t kMaxTargets = 128;

/// Counters of the cell walk on the device. Entries beyond the capacity are counted but not written.
struct CellWalkStatus {
  struct Batch {
    std::uint32_t next_cell, next_near, next_far;  ///< the next to process
    std::uint32_t leaf_parts, large_leaves;
    std::uint32_t passing_chunks;  ///< required
  } batch;
  std::uint32_t max_passing_chunks;  ///< maximum over all batches
  std::uint32_t lasting_chunks;      ///< required
  std::uint32_t fields;              ///< required, one per inner cell with lists
  std::uint32_t own_nodes;           ///< number of CellWalk::own_node
};

/// A tree and its lists. Inner cells of the first generations have no lists: they are too few to fill the device, and
/// the field about a large cell has the largest errors, most of all where it holds few bodies. Cells of generation
/// first_targets(), and earlier leaves, start from the root; all others start from the list of their parent.
template <class Real>
struct CellWalk {
  static constexpr int kMinTargets = 3;                    ///< least first_targets()
  static constexpr bool kMayBeAtOnce = sizeof(Real) == 4;  ///< whether at_once may be set; see add_to()
  // Flags in the arrivals of a cell.
  static constexpr std::uint32_t kHasLists = 0x80000000u, kHasField = 0x40000000u;

  DeviceTree<Real> tree;
  FarCells<Real> cells;
  CellLists* lists;        ///< one per node
  std::uint32_t* entries;  ///< kChunk per chunk; the passing chunks come first
  std::uint32_t* next;     ///< next chunk of each chunk
  std::uint32_t passing_capacity, lasting_capacity, field_capacity;
  LeafPart* leaf_parts;
  std::uint32_t* large_leaves;  ///< leaves that NearKernel processes first, in any order
  CellWalkStatus* status;
  const std::uint32_t* own_node;  ///< the nodes to process, in ascending order; null: all
  CellCriterion<Real> rule;       ///< softening not yet scaled to cell_unit()
  Real* acceleration;             ///< one per node; estimates for a root of mass 1, if the rule needs them
  Softening<Real> softening;
  bool weighs_cells;          ///< see weighs_cells()
  std::uint32_t large_leaf;   ///< least bodies of a large leaf
  std::uint32_t upper_share;  ///< the inner cells with lists follow at most 1 / upper_share of the nodes
  /// Near and far field are computed at the same time, each adding to accelerations that are 0 before.
  bool at_once;
  std::uint32_t batch, batches;  ///< the nodes are processed in batches, so only the lists of one batch are in memory

  /// The first of a batch, to be passed to node().
  __device__ std::uint32_t first_place(std::uint32_t of_batch) const {
    const std::uint64_t nodes = own_node != nullptr ? status->own_nodes : nodes_before(*tree.status, kMaxGenerations);
    return static_cast<std::uint32_t>(nodes * of_batch / batches);
  }
  __device__ std::uint32_t node(std::uint32_t place) const { return own_node != nullptr ? own_node[place] : place; }
  /// The first generation whose inner cells have lists.
  __device__ int first_targets() const {
    const std::uint32_t few = nodes_before(*tree.status, kMaxGenerations) / upper_share;
    int generation = kMinTargets;
    for (std::uint32_t nodes = nodes_before(*tree.status, kMinTargets + 1); nodes <= few; ++generation) {
      nodes += tree.status->generation[generation + 1];
    }
    return generation;
  }
  __device__ std::uint32_t first_target() const { return nodes_before(*tree.status, first_targets()); }
  __device__ std::uint32_t first_inheriting_node() const { return nodes_before(*tree.status, first_targets() + 1); }
  /// Clears the counters before the first batch; one thread calls it.
  __device__ void begin() const { *status = {.own_nodes = own_node != nullptr ? status->own_nodes : 0}; }
  __device__ Real unit() const { return cell_unit(*tree.status, softening); }
  __device__ bool has_chunk(std::uint32_t chunk) const { return chunk < passing_capacity + lasting_capacity; }
  __device__ bool is_large(std::uint32_t bodies) const { return bodies >= large_leaf; }
  __device__ bool overflown() const {
    // Without branches, the three are read at the same time.
    return (status->batch.passing_chunks > passing_capacity) | (status->lasting_chunks > lasting_capacity) |
           (status->fields > field_capacity);
  }
  /// `rule` in the units of the kernels.
  __device__ CellCriterion<Real> rule_in_units() const {
    CellCriterion<Real> scaled = rule;
    scaled.softening_squared *= unit() * unit();
    return scaled;
  }
  /// Factor of masses in the rule.
  __device__ Real mass_unit() const { return 1 / std::fabs(cells.cell[0].mass); }
};

/// Waits until the warp that processes an earlier cell has set `flag` in `arrivals`; all lanes must call it.
__device__ __forceinline__ void wait_for(std::uint32_t* arrivals, std::uint32_t flag) {
  if (warp_lane() == 0) {
    const cuda::atomic_ref<std::uint32_t, cuda::thread_scope_device> all(*arrivals);
    while ((all.load(cuda::memory_order_acquire) & flag) == 0) {
      // Each load above empties the L1 cache of the multiprocessor, which its other warps use.
      do __nanosleep(20);
      while ((all.load(cuda::memory_order_relaxed) & flag) == 0);
    }
  }
  __syncwarp();
}
/// Sets `flag` after all earlier writes of this warp are visible.
__device__ __forceinline__ void announce(std::uint32_t* arrivals, std::uint32_t flag) {
  __syncwarp();
  if (warp_lane() == 0) {
    cuda::atomic_ref<std::uint32_t, cuda::thread_scope_device>(*arrivals).fetch_or(flag, cuda::memory_order_release);
  }
}

/// As next_ticket(), but only lane 0 has the ticket, and the warp does not wait for it before it is used: the compiler
/// would join an atomicAdd() with those of other lanes, and wait.
__device__ __forceinline__ std::uint32_t request_ticket(std::uint32_t* counter) {
  std::uint32_t ticket = 0;
  if (warp_lane() == 0) ticket = atomicInc(counter, 0xFFFFFFFEu);
  return ticket;
}

/// Adds to a vector in global memory; needs compute capability 9.0. The order of two additions to 0 does not matter.
__device__ __forceinline__ void add_to(Vec4<float>& to, const Vec4<float>& x) {
#if __CUDA_ARCH__ >= 900
  atomicAdd(reinterpret_cast<float4*>(&to), float4{x.x, x.y, x.z, x.w});
#endif
}

/// Sets tree.bounds, in cell_unit(), and walk.cells for expansions of order P, from the leaves to the root; begins the
/// walk. Times Stage::moments.
template <class Real, int P>
void enqueue_far_cells(const CellWalk<Real>& walk, std::uint32_t count, Grid grid, StageEvents& events);

/// Sets own_node[] and status.own_nodes to the leaves of the part, and all cells that contain them. `scratch` has
/// own_nodes_scratch() bytes. Part of Stage::build.
template <class Real>
void enqueue_own_nodes(const CellWalk<Real>& walk, const DevicePart<Real>& part, std::uint32_t* own_node,
                       std::byte* scratch, StageEvents& events);
/// For a tree with this capacity.
std::size_t own_nodes_scratch(std::size_t nodes);

// The kernels of the walk. Constructors query the device for the launch sizes.

/// Sets walk.acceleration.
template <class Real>
void enqueue_accelerations(const CellWalk<Real>& walk, cudaStream_t stream);

/// Sets walk.lists, and walk.acceleration if the rule uses error bounds. Adds to the interactions in tree.status.
template <class Real>
class ListKernel {
 public:
  ListKernel();
  void enqueue(const CellWalk<Real>& walk, cudaStream_t stream) const;

 private:
  unsigned blocks_, blocks_by_error_;
};

/// Sets accelerations (w: potentials) to the contribution of the near lists, or adds it if walk.at_once.
template <class Real>
class NearKernel {
 public:
  NearKernel();
  void enqueue(const CellWalk<Real>& walk, bool with_potential, Vec4<Real>* acceleration, cudaStream_t stream) const;
  /// Whether walk.at_once may be set on this device.
  bool may_be_at_once() const { return may_be_at_once_; }

 private:
  unsigned blocks_, blocks_with_potential_;
  bool may_be_at_once_;
};

template <class Real>
struct FarTask {
  CellWalk<Real> walk;
  Real* fields;               ///< kFieldStride per field
  DeviceBodies<Real> bodies;  ///< bodies with the accelerations of NearKernel
  Vec4<Real>* result;         ///< sums of both fields
};
/// Values of the field of a cell, padded to whole words of 16 bytes.
template <class Real, int P>
inline constexpr int kFieldStride = (kLocals<3, P> + 3) / 4 * 4;

/// Sets task.result to the accelerations (w: potentials) of task.bodies plus the contribution of the far lists, or adds
/// that to it if walk.at_once, and sets the interactions.
template <class Real, int P>
class FarKernel {
 public:
  FarKernel();
  void enqueue(const FarTask<Real>& task, bool with_potential, cudaStream_t stream) const;

 private:
  unsigned blocks_, blocks_with_potential_;
};

}  // namespace pericenter
