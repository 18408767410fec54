#include "sim/cuda/simulation/density.cuh"

#include <algorithm>

#include "sim/solvers/density.h"

namespace pericenter {
namespace {

template <class Real>
struct BodiesAlongCurve {
  const Vec4<Real>* body;

  constexpr Source<Real, 3> operator()(std::uint32_t i) const {
    const Vec4<Real> at = body[i];  // one load
    return {{at.x, at.y, at.z}, at.w};
  }
};

/// Computes the boxes of the leaves, one thread per leaf.
template <class Real>
__global__ void __launch_bounds__(Grid::kThreads)
    leaf_boxes_kernel(const BodiesAlongCurve<Real> body, const NeighborTree<Real, 3> tree, Bounds<Real, 3>* box) {
  const std::uint32_t leaf = blockIdx.x * Grid::kThreads + threadIdx.x;
  if (leaf < tree.leaves) box[tree.leaves + leaf] = neighbor_leaf_bounds<Real, 3>(leaf, tree.bodies, body);
}

/// Computes the boxes of one level: `nodes` nodes starting at node `nodes`.
template <class Real>
__global__ void __launch_bounds__(Grid::kThreads) inner_boxes_kernel(std::uint32_t nodes, Bounds<Real, 3>* box) {
  const std::uint32_t node = nodes + blockIdx.x * Grid::kThreads + threadIdx.x;
  if (node < 2 * nodes) box[node] = bounds_of_both(box[2 * node], box[2 * node + 1]);
}

/// One thread per body; the bodies of a warp are neighbours on the curve.
template <class Real>
__global__ void __launch_bounds__(Grid::kThreads)
    density_kernel(const NeighborTree<Real, 3> tree, const BodiesAlongCurve<Real> body,
                   const std::uint32_t* __restrict__ original, int dimension, float* result) {
  const std::uint32_t i = blockIdx.x * Grid::kThreads + threadIdx.x;
  if (i >= tree.bodies) return;
  result[original[i]] = neighbors_of(i, tree, body).log_density(dimension);
}

template <class Real, int Dim>
void enqueue_curve(TreeMemory<Real>& memory, const DeviceBodies<Real>& bodies, StageEvents& events) {
  const Grid grid{std::min(8 * multiprocessors(), Grid::kMaxBlocks)};
  enqueue_keys<Real, Dim, Curve::hilbert>(memory, bodies, grid, events);
  enqueue_sort<Real, Dim>(memory, bodies, Real(1), events);
}

}  // namespace

template <class Real>
CudaDensity<Real>::Memory::Memory(std::byte* block, std::size_t count)
    : sort(block, count, typename TreeMemory<Real>::Reduced{.nodes = 1}) {  // the root, which enqueue_keys() writes
  ArenaLayout cutter(block == nullptr ? nullptr : block + sort.bytes);
  for (auto& keys : sort.key) keys = cutter.cut<std::uint64_t>(count);
  box = cutter.cut<Bounds<Real, 3>>(std::size_t(2) * neighbor_leaves(count));
  result = cutter.cut<float>(count);
  bytes = sort.bytes + cutter.used_bytes();
}

template <class Real>
CudaDensity<Real>::CudaDensity(int dimension, std::size_t count, cudaStream_t stream)
    : dimension_(dimension), block_(Memory(nullptr, count).bytes), memory_(block_.data(), count), events_(stream) {}

template <class Real>
const float* CudaDensity<Real>::enqueue(const DeviceBodies<Real>& bodies) {
  events_.begin();
  dimension_ == 2 ? enqueue_curve<Real, 2>(memory_.sort, bodies, events_)
                  : enqueue_curve<Real, 3>(memory_.sort, bodies, events_);
  const DeviceTree<Real>& sorted = memory_.sort.tree;
  const NeighborTree<Real, 3> tree{memory_.box, neighbor_leaves(bodies.count), bodies.count};
  const BodiesAlongCurve<Real> body{sorted.body};
  const cudaStream_t stream = events_.stream();
  launch(leaf_boxes_kernel<Real>, per_element(tree.leaves, Grid::kThreads), stream, body, tree, memory_.box);
  for (std::uint32_t nodes = tree.leaves / 2; nodes > 0; nodes /= 2) {
    launch(inner_boxes_kernel<Real>, per_element(nodes, Grid::kThreads), stream, nodes, memory_.box);
  }
  launch(density_kernel<Real>, per_element(bodies.count, Grid::kThreads), stream, tree, body, sorted.order, dimension_,
         memory_.result);
  return memory_.result;
}

template class CudaDensity<float>;
template class CudaDensity<double>;

}  // namespace pericenter
