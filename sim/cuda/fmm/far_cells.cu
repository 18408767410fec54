#include "sim/cuda/fmm/cell_lists.cuh"
#include "sim/cuda/tree/bottom_up_traversal.cuh"
#include "sim/solvers/tree/moment_sums.h"

namespace pericenter {
namespace {

/// Lanes per cell: one for each possible child.
constexpr unsigned kTeam = 8;

template <class T>
__device__ T team_sum(T x, unsigned team) {
  for (unsigned offset = kTeam / 2; offset > 0; offset /= 2) x += __shfl_xor_sync(team, x, offset);
  return x;
}
template <class Real>
__device__ Real team_max(Real x, unsigned team) {
  for (unsigned offset = kTeam / 2; offset > 0; offset /= 2) x = std::fmax(x, __shfl_xor_sync(team, x, offset));
  return x;
}

/// Sources of the expansion of a leaf.
template <class Real, int P>
struct LeafParts {
  const Vec4<Real>* body;
  Real unit;
  std::uint32_t begin, end;

  __device__ Vec4<Real> point(std::uint32_t i) const {
    const Vec4<Real> x = body[i];
    return {unit * x.x, unit * x.y, unit * x.z, x.w};
  }
  __device__ Real radius(std::uint32_t) const { return 0; }
  __device__ Bounds<Real, 3> bounds(std::uint32_t i) const {
    const Vec4<Real> x = point(i);
    return {{x.x, x.y, x.z}, {x.x, x.y, x.z}};
  }
  __device__ void add(std::uint32_t i, const Real (&shift)[3], Real (&multipoles)[kMultipoles<3, P>]) const {
    add_mass_point<3, P>(shift, body[i].w, multipoles);
  }
};

/// Sources of the expansion of an inner cell.
template <class Real, int P>
struct InnerParts {
  const DeviceTree<Real>& tree;
  const FarCells<Real>& cells;
  std::uint32_t begin, end;

  __device__ Vec4<Real> point(std::uint32_t i) const {
    const FarCell<Real> cell = cells.cell[i];
    return {cell.x, cell.y, cell.z, cell.mass};
  }
  __device__ Real radius(std::uint32_t i) const { return cells.cell[i].radius; }
  __device__ Bounds<Real, 3> bounds(std::uint32_t i) const { return tree.bounds[i]; }
  __device__ void add(std::uint32_t i, const Real (&shift)[3], Real (&multipoles)[kMultipoles<3, P>]) const {
    Real child[kMultipoles<3, P>];
    read_multipoles<P, kMultipoles<3, P>>(cells.source + std::size_t(i) * kSourceStride<Real, P>, child);
    child[0] = cells.cell[i].mass;
    unfold_multipoles<P>(child);
    add_child_multipoles<3, P>(shift, child, multipoles);
  }
};

/// Sets bounds and expansion of a cell; `team` is the mask of the lanes that call this together.
template <int P, class Real, class Parts>
__device__ void set_far_cell(const DeviceTree<Real>& tree, const FarCells<Real>& cells, std::uint32_t node,
                             unsigned team, const Parts& parts) {
  const std::uint32_t begin = parts.begin + warp_lane() % kTeam;
  Bounds<Real, 3> bounds = no_bounds<Real>();
  MomentSums<3> sums;
  for (std::uint32_t i = begin; i < parts.end; i += kTeam) {
    join(bounds, parts.bounds(i));
    const Vec4<Real> part = parts.point(i);
    sums.add_mass(double(part.w), {double(part.x), double(part.y), double(part.z)});
  }
  bounds = joined_lanes<kTeam>(bounds, team);
  sums.mass = team_sum(sums.mass, team);
  for (double& first : sums.first) first = team_sum(first, team);
  Real center[3];
  set_center(sums, bounds, center);
  Real radius = 0;
  Real multipoles[kMultipoles<3, P>] = {};
  for (std::uint32_t i = begin; i < parts.end; i += kTeam) {
    const Vec4<Real> part = parts.point(i);
    const Real shift[3] = {part.x - center[0], part.y - center[1], part.z - center[2]};
    const Real distance = std::sqrt(shift[0] * shift[0] + (shift[1] * shift[1] + shift[2] * shift[2]));
    radius = std::fmax(radius, distance + parts.radius(i));
    parts.add(i, shift, multipoles);
  }
  radius = team_max(radius, team);
  for (int k = 1; k < kMultipoles<3, P>; ++k) multipoles[k] = team_sum(multipoles[k], team);
  Real corner_squared = 0;
  for (int k = 0; k < 3; ++k) {
    const Real reach = std::fmax(center[k] - bounds.low[k], bounds.high[k] - center[k]);
    corner_squared += reach * reach;
  }
  if (warp_lane() % kTeam != 0) return;
  // Slightly enlarged, because sums of distances are rounded.
  radius = Real(1.00001) * std::fmin(radius, std::sqrt(corner_squared));
  const NodeLinks links = tree.links[node];
  tree.bounds[node] = bounds;
  cells.cell[node] = {center[0], center[1], center[2], radius, Real(sums.mass), links.children, links.begin, links.end};
  Real* const source = cells.source + std::size_t(node) * kSourceStride<Real, P>;
  for (int k = 0; k < 3; ++k) source[k] = center[k];
  multipoles[0] = Real(sums.mass);
  fold_multipoles<P>(multipoles);
  write_multipoles<P>(multipoles, source);
}

/// Minimum resident blocks per multiprocessor: the kernel waits for memory, so occupancy is worth a few spilled
/// registers.
template <class Real>
constexpr unsigned kBlocks = sizeof(Real) == 8 ? 1 : 4;

template <int P, class Real>
__global__ void __launch_bounds__(Grid::kThreads, kBlocks<Real>) far_cells_kernel(const CellWalk<Real> walk) {
  const DeviceTree<Real>& tree = walk.tree;
  const FarCells<Real>& cells = walk.cells;
  if (blockIdx.x == 0 && threadIdx.x == 0) walk.begin();
  const Real unit = walk.unit();
  climb<kTeam>(tree, 1, [&](std::uint32_t node, const NodeLinks& links, unsigned team) {
    if (links.children == 0) {
      set_far_cell<P>(tree, cells, node, team, LeafParts<Real, P>{tree.body, unit, links.begin, links.end});
    } else {
      const std::uint32_t first = run_first(links.children);
      set_far_cell<P>(tree, cells, node, team,
                      InnerParts<Real, P>{tree, cells, first, first + run_size(links.children)});
    }
  });
}

}  // namespace

template <class Real, int P>
void enqueue_far_cells(const CellWalk<Real>& walk, std::uint32_t count, Grid grid, StageEvents& events) {
  const DeviceStageClock clock(events, Stage::moments);
  launch(far_cells_kernel<P, Real>, grid.size(std::size_t(count) * kTeam), events.stream(), walk);
}

#define PERICENTER_INSTANTIATE(Real, P) \
  template void enqueue_far_cells<Real, P>(const CellWalk<Real>&, std::uint32_t, Grid, StageEvents&);
PERICENTER_INSTANTIATE(float, 3)
PERICENTER_INSTANTIATE(float, 4)
PERICENTER_INSTANTIATE(float, 5)
PERICENTER_INSTANTIATE(double, 3)
PERICENTER_INSTANTIATE(double, 4)
PERICENTER_INSTANTIATE(double, 5)
#undef PERICENTER_INSTANTIATE

}  // namespace pericenter
