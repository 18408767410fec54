#pragma once

#include "sim/cuda/kernels/warp.cuh"
#include "sim/cuda/tree/device_tree.cuh"

namespace pericenter {

/// The lanes of this lane's team.
template <unsigned Team>
__device__ unsigned own_team() {
  return ((1u << Team) - 1) << (warp_lane() / Team * Team);
}

/// Calls set(node, its links, lanes of the team) for every node after it was called for all of the node's children: a
/// team of lanes begins at a leaf and goes towards the root, as long as it is the last to arrive. All threads of the
/// grid call it. `pass`: 1 the first time that a tree is climbed, 2 the next, as arrivals go on being counted.
template <unsigned Team, class Real, class Set>
__device__ __forceinline__ void climb(const DeviceTree<Real>& tree, unsigned pass, const Set& set) {
  if (tree.status->overflown != 0) return;
  const std::uint32_t nodes = nodes_before(*tree.status, kMaxGenerations);
  const std::uint32_t teams = gridDim.x * blockDim.x / Team;
  const unsigned team = own_team<Team>();
  for (std::uint32_t leaf = (blockIdx.x * blockDim.x + threadIdx.x) / Team; leaf < nodes; leaf += teams) {
    NodeLinks links = tree.links[leaf];
    if (links.children != 0) continue;
    for (std::uint32_t node = leaf;;) {
      set(node, links, team);
      node = links.parent;
      if (node == kNoNode) break;
      links = tree.links[node];
      // What this team wrote is seen by whom the counter tells of it, and the other way round.
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
