#pragma once

#include "sim/cuda/fmm/far_cells.cuh"
#include "sim/solvers/tree/opening.h"

namespace pericenter {

/// A list of cells, in a chain of chunks; the last one may be part empty. Chunks come from two pools: what is left to
/// the children of a cell lasts until the last of them has its lists, all else is read in the batch that wrote it.
struct ListHead {
  std::uint32_t first_chunk, count;
};
inline constexpr unsigned kChunk = kWarp;  ///< entries, so that a warp reads a chunk at once
inline constexpr std::uint32_t kNoChunk = 0xFFFFFFFFu;

/// What acts on a cell besides what acts on its ancestors.
struct alignas(32) CellLists {
  ListHead far;          ///< cells that act on it as a whole
  ListHead near;         ///< of a leaf: cells that act body by body; else cells left to the children
  ListHead middle;       ///< of a leaf: cells that act as a whole on each of its bodies
  std::uint32_t acting;  ///< bodies and cells that act on it and on its ancestors
  std::uint32_t field;   ///< of an inner cell: which field is its own
};

/// A part of a crowded leaf, which takes a warp of its own.
struct LeafPart {
  std::uint32_t node, first;  ///< first body, counted from the leaf's first
};
/// Bodies of a leaf that a warp takes at most.
inline constexpr std::uint32_t kMaxTargets = 128;

/// The numbers that the walk of cells counts on the device. What is wanted beyond the room for it has not been written.
struct CellWalkStatus {
  struct Batch {
    std::uint32_t next_cell, next_near, next_far;  ///< that no warp has taken yet
    std::uint32_t leaf_parts;
    std::uint32_t passing_chunks;  ///< wanted
  } batch;
  std::uint32_t max_passing_chunks;  ///< wanted by any batch
  std::uint32_t lasting_chunks;      ///< wanted
  std::uint32_t fields;              ///< wanted, one for each inner cell that has lists
};

/// A tree and its lists. Inner cells of the generations before kFirstTargets have none, as they are too few to fill the
/// device; those of that generation, and leaves before, start from the root, all others from their parent's list.
template <class Real>
struct CellWalk {
  static constexpr int kFirstTargets = 3;
  // Added to the arrivals of a cell.
  static constexpr std::uint32_t kHasLists = 0x80000000u, kHasField = 0x40000000u;

  DeviceTree<Real> tree;
  FarCells<Real> cells;
  CellLists* lists;        ///< one a node
  std::uint32_t* entries;  ///< kChunk a chunk; the passing ones come first
  std::uint32_t* next;     ///< chunk after each
  std::uint32_t passing_capacity, lasting_capacity, field_capacity;
  LeafPart* leaf_parts;
  CellWalkStatus* status;
  CellRule<Real> rule;  ///< whose softening is not in cell_unit() yet
  Real* acceleration;   ///< one a node; estimates, for a root of mass 1, where the rule needs them
  Softening<Real> softening;
  std::uint32_t batch, batches;  ///< parts of the nodes, one after the other, so that the lists of one need room only

  __device__ std::uint32_t first_node(std::uint32_t of_batch) const {
    const std::uint64_t nodes = nodes_before(*tree.status, kMaxGenerations);
    return static_cast<std::uint32_t>(nodes * of_batch / batches);
  }
  __device__ std::uint32_t first_target() const { return nodes_before(*tree.status, kFirstTargets); }
  __device__ std::uint32_t first_heir() const { return nodes_before(*tree.status, kFirstTargets + 1); }
  __device__ Real unit() const { return cell_unit(*tree.status, softening); }
  __device__ bool has_chunk(std::uint32_t chunk) const { return chunk < passing_capacity + lasting_capacity; }
  __device__ bool overflown() const {
    return status->batch.passing_chunks > passing_capacity || status->lasting_chunks > lasting_capacity ||
           status->fields > field_capacity;
  }
  /// What `rule` is in the kernels.
  __device__ CellRule<Real> rule_in_units() const {
    CellRule<Real> scaled = rule;
    scaled.softening_squared *= unit() * unit();
    return scaled;
  }
  /// What masses are multiplied with for the rule.
  __device__ Real mass_unit() const { return 1 / std::fabs(cells.cell[0].mass); }
};

/// Waits until a warp that took an earlier cell has set `flag` in `arrivals`; all lanes call it.
__device__ __forceinline__ void wait_for(const std::uint32_t* arrivals, std::uint32_t flag) {
  if (warp_lane() == 0) {
    while ((*static_cast<const volatile std::uint32_t*>(arrivals) & flag) == 0) __nanosleep(20);
    __threadfence();
  }
  __syncwarp();
}
/// Tells others that what this warp has written is there.
__device__ __forceinline__ void announce(std::uint32_t* arrivals, std::uint32_t flag) {
  __threadfence();
  __syncwarp();
  if (warp_lane() == 0) atomicOr(arrivals, flag);
}
/// The next number of a counter, the same in all lanes.
__device__ __forceinline__ std::uint32_t take_ticket(std::uint32_t* counter) {
  std::uint32_t ticket = 0;
  if (warp_lane() == 0) ticket = atomicAdd(counter, 1u);
  return __shfl_sync(kAllLanes, ticket, 0);
}

/// Blocks of `threads` that run at a time on the current device.
template <class Kernel>
unsigned resident_blocks(Kernel* kernel, unsigned threads) {
  int blocks = 0;
  PERICENTER_CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, static_cast<int>(threads), 0));
  return static_cast<unsigned>(blocks) * multiprocessors();
}

// The stages of the walk, each enqueued on events.stream(). Their sizes are asked from the device when they are made.

/// Sets walk.acceleration.
template <class Real>
void enqueue_accelerations(const CellWalk<Real>& walk, StageEvents& events);

/// Sets walk.lists, and walk.acceleration where the rule goes by errors; adds to the interactions in tree.status. Marks
/// Stage::walk.
template <class Real>
class ListKernel {
 public:
  ListKernel();
  void enqueue(const CellWalk<Real>& walk, StageEvents& events) const;

 private:
  unsigned blocks_;
};

/// Sets accelerations (w: potentials) to what the near lists give. Marks Stage::near.
template <class Real>
class NearKernel {
 public:
  NearKernel();
  void enqueue(const CellWalk<Real>& walk, bool with_potential, Vec4<Real>* acceleration, StageEvents& events) const;

 private:
  unsigned blocks_, blocks_with_potential_;
};

template <class Real>
struct FarTask {
  CellWalk<Real> walk;
  Real* fields;               ///< kFieldStride a field
  DeviceBodies<Real> bodies;  ///< with the accelerations of NearKernel
};
/// Numbers of a cell's field, padded to whole words of 16 bytes.
template <class Real, int P>
inline constexpr int kFieldStride = (kLocals<3, P> + 3) / 4 * 4;

/// Adds what the far lists give to the accelerations (w: potentials) of task.bodies, and sets their interactions. Marks
/// Stage::far.
template <class Real, int P>
class FarKernel {
 public:
  FarKernel();
  void enqueue(const FarTask<Real>& task, bool with_potential, StageEvents& events) const;

 private:
  unsigned blocks_, blocks_with_potential_;
};

}  // namespace pericenter
