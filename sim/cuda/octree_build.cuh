#pragma once

#include <cstddef>
#include <cstdint>

#include "sim/cuda/cuda_solver.cuh"
#include "sim/cuda/launch.cuh"
#include "sim/cuda/pair_force.cuh"
#include "sim/cuda/stage_events.cuh"
#include "sim/solvers/key_cube.h"
#include "sim/solvers/tree_view.h"

namespace pericenter {

// Siblings lie next to each other: a run of them is its first node, with the number of nodes less one in the top bits.
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
  std::uint32_t begin, end;  ///< its bodies
};
struct BodyRange {
  std::uint32_t begin, end;
};

/// Nodes of one generation have equally many ancestors; each step down is at least one level of the keys.
inline constexpr int kMostGenerations = 1 + (kKeyLevels<2> > kKeyLevels<3> ? kKeyLevels<2> : kKeyLevels<3>);

/// The numbers that a step counts on the device, and of which the host gets a copy.
struct TreeStatus {
  double cube_low[3] = {}, cube_side = 1;
  unsigned long long body_interactions = 0, cell_interactions = 0;
  std::uint32_t generation[kMostGenerations] = {};  ///< nodes of each; they follow each other in the node arrays
  std::uint32_t group_count = 0;
  std::uint32_t next_group = 0;  ///< that no warp has taken yet
  int levels = 0;
  int unused = 0;  ///< where padding would be copied without ever having been set
};

/// Nodes of the generations before `generation`; of all for kMostGenerations.
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

/// The tree of OctreeBuilder as arrays on the device, always in three dimensions. Node 0 is the root. The order of
/// nodes and groups may differ between runs; what they hold may not.
template <class Real>
struct DeviceTree {
  const std::uint64_t* key;    ///< of the bodies in tree order
  const std::uint32_t* order;  ///< places of these bodies as they were given
  Four<Real>* body;            ///< these bodies; w: mass times the gravitational constant
  // One element a node.
  Four<Real>* center;  ///< of mass; w: longest side of the tight bounds, 0 when all bodies coincide
  CellMoments<Real>* moments;
  Bounds<Real, 3>* bounds;
  NodeLinks* links;
  std::uint8_t* level;
  std::uint32_t* arrivals;  ///< children whose moments are there
  BodyRange* groups;
  TreeStatus* status;
};

/// How kernels that loop over everything are launched.
struct Grid {
  unsigned most_blocks;  ///< at most kMostBlocks
  static constexpr unsigned kThreads = 256;
  static constexpr unsigned kMostBlocks = 2048;

  unsigned blocks(std::size_t threads) const {
    const unsigned blocks = blocks_of(threads, kThreads);
    return blocks < most_blocks ? blocks : most_blocks;
  }
};

/// All device memory of the solver, enough for any `count` bodies, as pieces of one block. Without a block it only
/// tells how many bytes that takes.
template <class Real>
struct TreeMemory {
  TreeMemory(std::byte* block, std::size_t count);

  std::size_t bytes;
  std::uint64_t* key[2];
  std::uint32_t* index[2];
  std::byte* sort_scratch;
  std::size_t sort_scratch_bytes;
  Bounds<Real, 3>* block_bounds;  ///< one a block
  DeviceTree<Real> tree;
};

// The stages, each enqueued on events.stream() and marked there. There must be bodies.

/// Bounds and keys; resets memory.tree.status and plants the root.
template <class Real, int Dim>
void enqueue_keys(const TreeMemory<Real>& memory, const DeviceBodies<Real>& bodies, Grid grid, StageEvents& events);

/// Sorts the keys, gathers the bodies, and sets memory.tree.key and order to where the sorted ones are.
template <class Real, int Dim>
void enqueue_sort(TreeMemory<Real>& memory, const DeviceBodies<Real>& bodies, Real gravity, StageEvents& events);

/// Nodes and groups of `count` sorted bodies.
template <class Real, int Dim>
void enqueue_links(const DeviceTree<Real>& tree, std::uint32_t count, Grid grid, StageEvents& events);

template <class Real>
void enqueue_moments(const DeviceTree<Real>& tree, std::uint32_t count, Grid grid, StageEvents& events);

}  // namespace pericenter
