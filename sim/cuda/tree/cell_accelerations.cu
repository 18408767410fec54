#include "sim/cuda/fmm/cell_lists.cuh"
#include "sim/cuda/tree/bottom_up_traversal.cuh"

namespace pericenter {
namespace {

constexpr unsigned kThreads = 128;  ///< threads per block

/// Estimate for a leaf: the attraction of its siblings, and of the siblings of its ancestors.
template <class Real>
__device__ Real leaf_acceleration(const CellWalk<Real>& walk, std::uint32_t leaf) {
  const Real softening_squared = walk.rule_in_units().softening_squared, mass_unit = walk.mass_unit();
  Real pull[3] = {};
  for (std::uint32_t node = leaf, parent; (parent = walk.tree.links[node].parent) != kNoNode; node = parent) {
    const FarCell<Real> own = walk.cells.cell[node];
    const std::uint32_t family = walk.cells.cell[parent].children, first = run_first(family);
    for (std::uint32_t i = first; i < first + run_size(family); ++i) {
      const FarCell<Real> sibling = walk.cells.cell[i];
      const Real distance[3] = {sibling.x - own.x, sibling.y - own.y, sibling.z - own.z};
      add_rough_acceleration(distance, mass_unit * sibling.mass, softening_squared, pull);
    }
  }
  return std::sqrt(pull[0] * pull[0] + (pull[1] * pull[1] + pull[2] * pull[2]));
}

/// Estimate for an inner cell: the harmonic mean over its bodies, because the rule uses the mean of error over
/// acceleration.
template <class Real>
__device__ Real inner_acceleration(const CellWalk<Real>& walk, const FarCell<Real>& cell) {
  Real sum = 0;
  const std::uint32_t first = run_first(cell.children);
  for (std::uint32_t child = first; child < first + run_size(cell.children); ++child) {
    const FarCell<Real> part = walk.cells.cell[child];
    sum += static_cast<Real>(part.end - part.begin) / __ldcg(walk.acceleration + child);
  }
  return static_cast<Real>(cell.end - cell.begin) / sum;
}

/// Sets walk.acceleration like CellTree::estimate_accelerations(); the moments must have been computed.
template <class Real>
__global__ void __launch_bounds__(kThreads) accelerations_kernel(const CellWalk<Real> walk) {
  climb<1>(walk.tree, 2, [&](std::uint32_t node, const NodeLinks& links, unsigned) {
    walk.acceleration[node] =
        links.children == 0 ? leaf_acceleration(walk, node) : inner_acceleration(walk, walk.cells.cell[node]);
  });
}

}  // namespace

template <class Real>
void enqueue_accelerations(const CellWalk<Real>& walk, StageEvents& events) {
  launch(accelerations_kernel<Real>, {4 * multiprocessors(), kThreads}, events.stream(), walk);
}
template void enqueue_accelerations(const CellWalk<float>&, StageEvents&);
template void enqueue_accelerations(const CellWalk<double>&, StageEvents&);

}  // namespace pericenter
