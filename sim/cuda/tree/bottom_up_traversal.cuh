#pragma once

#include "sim/cuda/kernels/warp.cuh"
#include "sim/cuda/tree/device_tree.cuh"

namespace pericenter {

/// Mask of the lanes of the team of this lane.
template <unsigned Team>
__device__ unsigned own_team() {
  return ((1u << Team) - 1) << (warp_lane() / Team * Team);
}

/// Calls set(node, its links, lanes of the team) for every node, after it was called for all children of the node. A
/// team of lanes starts at a leaf and climbs to the root as long as it is the last to arrive. All threads of the grid
/// must call it. `pass` is 1 for the first climb of a tree and 2 for the second, because arrivals are not reset.
template <unsigned Team, class Real, class Set>
__device__ __forceinline__ void climb(const DeviceTree<Real>& tree, unsigned pass, const Set& set) {
  if (tree.status->overflown != 0) return;
  const std::uint32_t nodes = nodes_before(*tree.status, kMaxGenerations);
  // A team takes neighbours one after the other: most children of a cell to which it climbs are then its own.
  const std::uint32_t teams = gridDim.x * blockDim.x / Team, share = (nodes + teams - 1) / teams;
  const unsigned team = own_team<Team>();
  const std::uint32_t begin = (blockIdx.x * blockDim.x + threadIdx.x) / Team * share;
  for (std::uint32_t leaf = begin; leaf < min(begin + share, nodes); ++leaf) {
    NodeLinks links = tree.links[leaf];
    if (links.children != 0) continue;
    for (std::uint32_t node = leaf;;) {
      set(node, links, team);
      node = links.parent;
      if (node == kNoNode) break;
      links = tree.links[node];
      // Orders the writes of this team before the counter update, and the reads after it.
      __threadfence();
      std::uint32_t arrived = 0;
      if (warp_lane() % Team == 0) arrived = 1 + atomicAdd(&tree.arrivals[node], 1u);
      if constexpr (Team > 1) arrived = __shfl_sync(team, arrived, 0, Team);
      if (arrived < pass * run_size(links.children)) break;
      __threadfence();
    }
  }
}

}  // namespace pericenter
