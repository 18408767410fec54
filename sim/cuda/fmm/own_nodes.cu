#include <thrust/iterator/counting_iterator.h>

#include <cub/device/device_select.cuh>

#include "sim/cuda/fmm/cell_lists.cuh"

namespace pericenter {
namespace {

/// Whether a node of the tree is processed by the device of a part.
struct IsOwn {
  const NodeLinks* links;
  const TreeStatus* status;
  BodyRange part;
  bool whole_leaves;

  __device__ bool operator()(std::uint32_t node) const {
    const NodeLinks& of = links[node];
    return processes(part, whole_leaves, {of.begin, of.end}, of.children == 0) &&
           node < nodes_before(*status, kMaxGenerations);
  }
};

cudaError_t select_nodes(std::byte* scratch, std::size_t& bytes, std::uint32_t nodes, const IsOwn& is_own,
                         std::uint32_t* own_node, std::uint32_t* count, cudaStream_t stream) {
  return cub::DeviceSelect::If(scratch, bytes, thrust::counting_iterator<std::uint32_t>(0), own_node, count,
                               static_cast<int>(nodes), is_own, stream);
}

}  // namespace

std::size_t own_nodes_scratch(std::size_t nodes) {
  std::size_t bytes = 0;
  PERICENTER_CUDA_CHECK(select_nodes(nullptr, bytes, static_cast<std::uint32_t>(nodes), {}, nullptr, nullptr, nullptr));
  return bytes;
}

template <class Real>
void enqueue_own_nodes(const CellWalk<Real>& walk, const DevicePart<Real>& part, std::uint32_t* own_node,
                       std::byte* scratch, StageEvents& events) {
  const DeviceStageClock clock(events, Stage::build);
  std::size_t bytes = own_nodes_scratch(walk.tree.capacity);
  PERICENTER_CUDA_CHECK(select_nodes(scratch, bytes, walk.tree.capacity,
                                     {walk.tree.links, walk.tree.status, part.own, part.whole_leaves}, own_node,
                                     &walk.status->own_nodes, events.stream()));
}
template void enqueue_own_nodes(const CellWalk<float>&, const DevicePart<float>&, std::uint32_t*, std::byte*,
                                StageEvents&);
template void enqueue_own_nodes(const CellWalk<double>&, const DevicePart<double>&, std::uint32_t*, std::byte*,
                                StageEvents&);

}  // namespace pericenter
