#include <algorithm>
#include <bit>
#include <cmath>
#include <cub/device/device_radix_sort.cuh>
#include <vector>

#include "sim/core/radix_sort.h"
#include "sim/core/random.h"
#include "sim/cuda/tree/body_walk.cuh"

namespace pericenter {
namespace {

/// Row-major keys of the cells of a regular grid, and the bodies in them.
struct RowKeys {
  std::uint32_t cells_per_side;
  std::uint32_t* key;
  std::uint32_t* index;
};

/// Keys along x, then y, then z; bodies in input order.
template <int Dim, class Real>
__global__ void __launch_bounds__(Grid::kThreads)
    row_keys_kernel(const DeviceBodies<Real> bodies, const TreeStatus* status, const RowKeys out) {
  const KeyGrid<Dim> grid(cube_of<Dim>(*status));
  for (std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < bodies.count; i += gridDim.x * blockDim.x) {
    const Vec4<Real> body = bodies.position[i];
    Real position[Dim];
    position[0] = body.x;
    position[1] = body.y;
    if constexpr (Dim == 3) position[2] = body.z;
    std::uint32_t cell[Dim];
    grid.find_cell(position, cell);
    std::uint32_t key = 0;
    for (int k = Dim - 1; k >= 0; --k) {
      const std::uint64_t fine = cell[k];
      key = key * out.cells_per_side + static_cast<std::uint32_t>(fine * out.cells_per_side >> kKeyLevels<Dim>);
    }
    out.key[i] = key;
    out.index[i] = i;
  }
}

/// About one cell per body; the total number of cells fits into 32 bits.
template <int Dim>
std::uint32_t cells_per_side(std::size_t count) {
  return static_cast<std::uint32_t>(std::ceil(std::pow(static_cast<double>(count), 1.0 / Dim)));
}

template <int Dim>
int key_bits(std::uint32_t side) {
  std::uint64_t cells = 1;
  for (int k = 0; k < Dim; ++k) cells *= side;
  return std::max(1, static_cast<int>(std::bit_width(cells - 1)));
}

std::size_t sort_scratch_bytes(std::size_t count) {
  constexpr int kMaxBits = 32;
  cub::DoubleBuffer<std::uint32_t> keys(nullptr, nullptr), indices(nullptr, nullptr);
  std::size_t bytes = 0;
  PERICENTER_CUDA_CHECK(cub::DeviceRadixSort::SortPairs(
      nullptr, bytes, keys, indices, static_cast<int>(std::max<std::size_t>(1, count)), 0, kMaxBits));
  return bytes;
}

std::size_t list_size(Order order, std::size_t count) {
  return order == Order::shuffled || order == Order::regular ? count : 0;
}
std::size_t scratch_size(Order order, std::size_t count) {
  return order == Order::regular ? sort_scratch_bytes(count) : 0;
}

/// The permutation of walk_order(), also used on the CPU.
std::vector<std::uint32_t> shuffled(std::size_t count) {
  std::vector<KeyIndex> items(count), scratch;
  for (std::uint32_t i = 0; i < count; ++i) items[i] = {Random(0, i).next() >> 32, i};
  radix_sort(items, scratch);
  std::vector<std::uint32_t> list(count);
  for (std::size_t i = 0; i < count; ++i) list[i] = items[i].index;
  return list;
}

}  // namespace

template <class Real, int Dim>
std::size_t WalkOrder<Real, Dim>::bytes(Order order, std::size_t count) {
  return list_size(order, count) * sizeof(std::uint32_t) + scratch_size(order, count);
}

template <class Real, int Dim>
WalkOrder<Real, Dim>::WalkOrder(Order order, std::size_t count)
    : order_(order), list_(list_size(order, count)), sort_scratch_(scratch_size(order, count)) {
  if (order != Order::shuffled || count == 0) return;
  const std::vector<std::uint32_t> list = shuffled(count);
  copy_to_device(list_.data(), list.data(), list.size());
}

template <class Real, int Dim>
const std::uint32_t* WalkOrder<Real, Dim>::enqueue(const TreeMemory<Real>& memory, const DeviceBodies<Real>& bodies,
                                                   Grid grid, StageEvents& events) const {
  if (order_ == Order::none) return nullptr;
  if (order_ == Order::shuffled) return list_.data();
  if (order_ != Order::regular) return memory.tree.order;
  const DeviceStageClock clock(events, Stage::sort);
  // One array of 64-bit keys holds two of these.
  auto* const free_keys = reinterpret_cast<std::uint32_t*>(memory.key[memory.tree.key == memory.key[0] ? 1 : 0]);
  std::uint32_t* const free_indices = memory.index[memory.tree.order == memory.index[0] ? 1 : 0];
  cub::DoubleBuffer<std::uint32_t> keys(free_keys, free_keys + bodies.count), indices(free_indices, list_.data());
  const std::uint32_t side = cells_per_side<Dim>(bodies.count);
  launch(row_keys_kernel<Dim, Real>, grid.size(bodies.count), events.stream(), bodies, memory.tree.status,
         RowKeys{side, keys.Current(), indices.Current()});
  std::size_t scratch_bytes = sort_scratch_.size();
  PERICENTER_CUDA_CHECK(cub::DeviceRadixSort::SortPairs(sort_scratch_.data(), scratch_bytes, keys, indices,
                                                        static_cast<int>(bodies.count), 0, key_bits<Dim>(side),
                                                        events.stream()));
  return indices.Current();
}

template class WalkOrder<float, 2>;
template class WalkOrder<float, 3>;
template class WalkOrder<double, 2>;
template class WalkOrder<double, 3>;

}  // namespace pericenter
