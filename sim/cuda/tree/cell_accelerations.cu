#include "sim/cuda/fmm/cell_lists.cuh"

namespace pericenter {
namespace {

constexpr unsigned kThreads = 128;  ///< threads per block

/// Sets walk.acceleration like CellTree::estimate_accelerations(); the moments must have been computed. The attraction
/// of a cell by its siblings, and by the siblings of its ancestors at their centres.
template <class Real>
__global__ void __launch_bounds__(kThreads) accelerations_kernel(const CellWalk<Real> walk) {
  if (walk.tree.status->overflown != 0) return;
  const Real softening_squared = walk.rule_in_units().softening_squared, mass_unit = walk.mass_unit();
  const std::uint32_t nodes = nodes_before(*walk.tree.status, kMaxGenerations);
  for (std::uint32_t cell = blockIdx.x * kThreads + threadIdx.x; cell < nodes; cell += gridDim.x * kThreads) {
    Real pull[3] = {};
    for (std::uint32_t node = cell, parent; (parent = walk.tree.links[node].parent) != kNoNode; node = parent) {
      const FarCell<Real> own = walk.cells.cell[node];
      const std::uint32_t family = walk.cells.cell[parent].children, first = run_first(family);
      for (std::uint32_t i = first; i < first + run_size(family); ++i) {
        const FarCell<Real> sibling = walk.cells.cell[i];
        const Real distance[3] = {sibling.x - own.x, sibling.y - own.y, sibling.z - own.z};
        add_rough_acceleration(distance, mass_unit * sibling.mass, softening_squared, pull);
      }
    }
    walk.acceleration[cell] = std::sqrt(pull[0] * pull[0] + (pull[1] * pull[1] + pull[2] * pull[2]));
  }
}

}  // namespace

template <class Real>
void enqueue_accelerations(const CellWalk<Real>& walk, cudaStream_t stream) {
  launch(accelerations_kernel<Real>, {8 * multiprocessors(), kThreads}, stream, walk);
}
template void enqueue_accelerations(const CellWalk<float>&, cudaStream_t);
template void enqueue_accelerations(const CellWalk<double>&, cudaStream_t);

}  // namespace pericenter
