#include "sim/cuda/runtime/device_buffer.cuh"
#include "sim/cuda/tree/device_tree.cuh"

namespace pericenter {
namespace {

/// Recomputes the key of the first body of each node; the keys of the bodies are not kept.
template <int Dim, class Real>
__global__ void first_keys_kernel(const DeviceTree<Real> tree, std::uint32_t nodes, std::uint64_t* first_key) {
  const std::uint32_t node = blockIdx.x * blockDim.x + threadIdx.x;
  if (node >= nodes) return;
  std::uint32_t cell[Dim];
  find_cell(KeyGrid<Dim>(cube_of<Dim>(*tree.status)), tree.body[tree.links[node].begin], cell);
  first_key[node] = morton_key<Dim>(cell);
}

/// The key cubes of the nodes.
template <class Real, int Dim>
std::vector<TreeBox> cell_boxes(const DeviceTree<Real>& tree, const TreeStatus& status,
                                const std::vector<std::uint8_t>& levels) {
  const auto nodes = static_cast<std::uint32_t>(levels.size());
  const DeviceBuffer<std::uint64_t> first_keys(nodes);
  launch(first_keys_kernel<Dim, Real>, per_element(nodes, Grid::kThreads), nullptr, tree, nodes, first_keys.data());
  const std::vector<std::uint64_t> keys = copied_from_device(first_keys.data(), nodes);
  std::vector<TreeBox> boxes(nodes);
  for (std::uint32_t node = 0; node < nodes; ++node) {
    boxes[node] = cell_box(cube_of<Dim>(status), keys[node], levels[node]);
  }
  return boxes;
}

/// Cubes around the bodies of each node.
template <class Real>
std::vector<TreeBox> tight_boxes(const DeviceTree<Real>& tree, const std::vector<std::uint8_t>& levels) {
  const std::vector<Bounds<Real, 3>> bounds = copied_from_device(tree.bounds, levels.size());
  std::vector<TreeBox> boxes(levels.size());
  for (std::size_t node = 0; node < boxes.size(); ++node) boxes[node] = bounds_box(bounds[node], levels[node]);
  return boxes;
}

}  // namespace

template <class Real, int Dim>
void append_boxes(const DeviceTree<Real>& tree, const TreeStatus& status, bool has_cells, const LevelRange& range,
                  std::vector<TreeBox>& out) {
  const std::uint32_t nodes = nodes_before(status, kMaxGenerations);
  if (nodes == 0) return;
  const std::vector<std::uint8_t> levels = copied_from_device(tree.level, nodes);
  const std::vector<TreeBox> boxes =
      has_cells ? cell_boxes<Real, Dim>(tree, status, levels) : tight_boxes(tree, levels);
  std::size_t left = range.limit;
  for (std::uint32_t node = 0; node < nodes && left > 0; ++node) {
    if (levels[node] < range.first || levels[node] > range.last) continue;
    out.push_back(boxes[node]);
    --left;
  }
}

#define PERICENTER_INSTANTIATE(Real, Dim)                                                                    \
  template void append_boxes<Real, Dim>(const DeviceTree<Real>&, const TreeStatus&, bool, const LevelRange&, \
                                        std::vector<TreeBox>&);
PERICENTER_INSTANTIATE(float, 2)
PERICENTER_INSTANTIATE(float, 3)
PERICENTER_INSTANTIATE(double, 2)
PERICENTER_INSTANTIATE(double, 3)
#undef PERICENTER_INSTANTIATE

}  // namespace pericenter
