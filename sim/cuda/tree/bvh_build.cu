#include "sim/cuda/tree/builder_links.cuh"
#include "sim/cuda/tree/device_tree.cuh"
#include "sim/cuda/tree/tree_solver.cuh"

namespace pericenter {
namespace {

/// Computes all nodes by arithmetic alone.
template <class Real>
__global__ void __launch_bounds__(Grid::kThreads)
    link_kernel(const DeviceTree<Real> tree, std::uint32_t count, int deepest) {
  const std::uint32_t nodes = 2 * count - 1;
  for (std::uint32_t node = blockIdx.x * blockDim.x + threadIdx.x; node < nodes; node += gridDim.x * blockDim.x) {
    // Most nodes are on the last levels, so the search for the level of a node starts there.
    BvhLevel level = lowest_bvh_level(count);
    while (node < level.first) level = level.above();
    const std::uint32_t part = node - level.first;
    NodeLinks links{0, kNoNode, part << level.height, min(count, (part + 1) << level.height)};
    // Parts that are not nodes are skipped, for children and parents alike.
    std::uint32_t at = part;
    for (BvhLevel below = level; below.height > 0 && links.children == 0;) {
      below = below.below();
      at *= 2;
      if (at + 1 < below.parts()) links.children = sibling_run(below.first + at, 2);
    }
    at = part;
    for (BvhLevel above = level; above.height < deepest && links.parent == kNoNode;) {
      above = above.above();
      at /= 2;
      if (at < above.nodes()) links.parent = above.first + at;
    }
    const int depth = deepest - level.height;
    tree.links[node] = links;
    tree.level[node] = static_cast<std::uint8_t>(depth);
    tree.arrivals[node] = 0;
    if (part == 0) tree.status->generation[depth] = level.nodes();
    if (node == 0) tree.status->levels = deepest + 1;
  }
}

template <class Real, int Dim>
void enqueue_build(TreeMemory<Real>& memory, const DeviceBodies<Real>& bodies, Real gravity, Grid grid,
                   StageEvents& events) {
  enqueue_keys<Real, Dim, Curve::hilbert>(memory, bodies, grid, events);
  enqueue_sort<Real, Dim>(memory, bodies, gravity, events);
  const DeviceStageClock clock(events, Stage::build);
  int deepest = 0;
  while ((std::uint64_t(1) << deepest) < bodies.count) ++deepest;
  const unsigned blocks = grid.blocks(2 * std::size_t(bodies.count));
  launch(link_kernel<Real>, {blocks, Grid::kThreads}, events.stream(), memory.tree, bodies.count, deepest);
}

struct BvhTree {
  template <class Real, int Dim>
  static DeviceBuild<Real, Dim> build() {
    return {[](std::size_t) { return std::size_t(0); }, enqueue_build<Real, Dim>, enqueue_bvh_moments<Real>, false};
  }
  template <class Real, int Dim>
  static CudaSolverMaker<Real> builder_links() {
    return bvh_builder_links<Real, Dim>();
  }
};

}  // namespace

extern const CudaSolverFactory kCudaBvhTree = cuda_links_factory<BvhTree>();

}  // namespace pericenter
