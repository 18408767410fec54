#include "sim/cuda/tree/bottom_up_traversal.cuh"
#include "sim/solvers/tree/moment_sums.h"

namespace pericenter {
namespace {

/// Lanes per node: one for each possible child.
constexpr unsigned kTeam = 8;
constexpr unsigned kBvhTeam = 2;

template <unsigned Team>
__device__ double team_sum(double x, unsigned team) {
  for (unsigned offset = Team / 2; offset > 0; offset /= 2) x += __shfl_xor_sync(team, x, offset);
  return x;
}

/// Sources of the moments of a leaf.
template <class Real>
struct LeafParts {
  const Vec4<Real>* body;
  std::uint32_t begin, end;

  __device__ Vec4<Real> point(std::uint32_t i) const { return body[i]; }
  __device__ Bounds<Real, 3> bounds(std::uint32_t i) const {
    const Vec4<Real> x = body[i];
    return {{x.x, x.y, x.z}, {x.x, x.y, x.z}};
  }
  __device__ void add_own_second(std::uint32_t, MomentSums<3>&) const {}
};

/// Sources of the moments of an inner node.
template <class Real>
struct InnerParts {
  const DeviceTree<Real>& tree;
  std::uint32_t begin, end;

  __device__ Vec4<Real> point(std::uint32_t i) const {
    const Vec4<Real> center = tree.center[i];
    return {center.x, center.y, center.z, tree.moments[i].mass};
  }
  __device__ Bounds<Real, 3> bounds(std::uint32_t i) const { return tree.bounds[i]; }
  __device__ void add_own_second(std::uint32_t i, MomentSums<3>& sums) const {
    const CellMoments<Real> moments = tree.moments[i];
    const Real second[6] = {moments.xx, moments.xy, moments.xz, moments.yy, moments.yz, moments.zz};
    for (int k = 0; k < 6; ++k) sums.second[k] += static_cast<double>(second[k]);
  }
};

/// The size of a node with these bounds. The smallest cell of a chain counts: it is one level above the children.
template <class Real>
__device__ Real size_of(const DeviceTree<Real>& tree, std::uint32_t node, const Bounds<Real, 3>& bounds) {
  if (tree.cell_size == CellSize::box) return opening_size(bounds, 0);
  const std::uint32_t run = tree.links[node].children;
  const int level = run == 0 ? tree.level[node] : tree.level[run_first(run)] - 1;
  return opening_size(bounds, cell_side(tree.status->cube_side, level));
}

/// Sets bounds, centre and moments of a node; `team` is the mask of the lanes that call this together.
template <unsigned Team, class Real, class Parts>
__device__ void set_moments(const DeviceTree<Real>& tree, std::uint32_t node, unsigned team, const Parts& parts) {
  const std::uint32_t begin = parts.begin + warp_lane() % Team;
  Bounds<Real, 3> bounds = no_bounds<Real>();
  MomentSums<3> sums;
  for (std::uint32_t i = begin; i < parts.end; i += Team) {
    join(bounds, parts.bounds(i));
    const Vec4<Real> part = parts.point(i);
    sums.add_mass(static_cast<double>(part.w),
                  {static_cast<double>(part.x), static_cast<double>(part.y), static_cast<double>(part.z)});
  }
  bounds = joined_lanes<Team>(bounds, team);
  sums.mass = team_sum<Team>(sums.mass, team);
  for (double& first : sums.first) first = team_sum<Team>(first, team);
  Real center[3];
  set_center(sums, bounds, center);
  for (std::uint32_t i = begin; i < parts.end; i += Team) {
    const Vec4<Real> part = parts.point(i);
    sums.add_second(static_cast<double>(part.w),
                    {static_cast<double>(part.x - center[0]), static_cast<double>(part.y - center[1]),
                     static_cast<double>(part.z - center[2])});
    parts.add_own_second(i, sums);
  }
  Real second[6];
  for (int k = 0; k < 6; ++k) second[k] = static_cast<Real>(team_sum<Team>(sums.second[k], team));
  if (warp_lane() % Team != 0) return;
  const Real half_trace = Real(0.5) * (second[0] + second[3] + second[5]);
  tree.bounds[node] = bounds;
  tree.center[node] = {center[0], center[1], center[2], size_of(tree, node, bounds)};
  tree.moments[node] = {second[0], second[1], second[2],  second[3],
                        second[4], second[5], half_trace, static_cast<Real>(sums.mass)};
}

/// Selects the sources of the moments by the kind of node.
template <unsigned Team, class Real>
__device__ void set_moments(const DeviceTree<Real>& tree, std::uint32_t node, const NodeLinks& links, unsigned team) {
  if (links.children == 0) {
    set_moments<Team>(tree, node, team, LeafParts<Real>{tree.body, links.begin, links.end});
  } else {
    const std::uint32_t first = run_first(links.children);
    set_moments<Team>(tree, node, team, InnerParts<Real>{tree, first, first + run_size(links.children)});
  }
}

template <class Real>
__global__ void __launch_bounds__(Grid::kThreads) moments_kernel(const DeviceTree<Real> tree) {
  climb<kTeam>(tree, 1, [&](std::uint32_t node, const NodeLinks& links, unsigned team) {
    set_moments<kTeam>(tree, node, links, team);
  });
}

/// Sets `count` nodes from `first` on; the moments of their children must be complete.
template <class Real>
__global__ void __launch_bounds__(Grid::kThreads)
    level_moments_kernel(const DeviceTree<Real> tree, std::uint32_t first, std::uint32_t count) {
  const std::uint32_t teams = gridDim.x * blockDim.x / kBvhTeam;
  const unsigned team = own_team<kBvhTeam>();
  for (std::uint32_t i = (blockIdx.x * blockDim.x + threadIdx.x) / kBvhTeam; i < count; i += teams)
    set_moments<kBvhTeam>(tree, first + i, tree.links[first + i], team);
}

}  // namespace

template <class Real>
void enqueue_moments(const DeviceTree<Real>& tree, std::uint32_t count, Grid grid, StageEvents& events) {
  const DeviceStageClock clock(events, Stage::moments);
  launch(moments_kernel<Real>, grid.size(std::size_t(count) * kTeam), events.stream(), tree);
}
template void enqueue_moments(const DeviceTree<float>&, std::uint32_t, Grid, StageEvents&);
template void enqueue_moments(const DeviceTree<double>&, std::uint32_t, Grid, StageEvents&);

template <class Real>
void enqueue_bvh_moments(const DeviceTree<Real>& tree, std::uint32_t count, Grid grid, StageEvents& events) {
  const DeviceStageClock clock(events, Stage::moments);
  for (BvhLevel level = lowest_bvh_level(count);; level = level.above()) {
    const unsigned blocks = grid.blocks(std::size_t(level.nodes()) * kBvhTeam);
    launch(level_moments_kernel<Real>, {blocks, Grid::kThreads}, events.stream(), tree, level.first, level.nodes());
    if (level.first == 0) break;
  }
}
template void enqueue_bvh_moments(const DeviceTree<float>&, std::uint32_t, Grid, StageEvents&);
template void enqueue_bvh_moments(const DeviceTree<double>&, std::uint32_t, Grid, StageEvents&);

}  // namespace pericenter
