#pragma once

#include <cstddef>
#include <cuda/atomic>

#include "sim/cuda/kernels/warp.cuh"
#include "sim/cuda/tree/device_tree.cuh"
#include "sim/solvers/tree/insertion_tree.h"

// Concurrent insertion into an InsertionTree on the device.
namespace pericenter {

using DeviceAtomic = cuda::atomic_ref<std::uint32_t, cuda::thread_scope_device>;

/// Atomic operations for try_insert().
struct DeviceAtomics {
  static __host__ __device__ std::uint32_t load(std::uint32_t& x) {
    return DeviceAtomic(x).load(cuda::std::memory_order_acquire);
  }
  static __host__ __device__ bool compare_exchange(std::uint32_t& x, std::uint32_t expected, std::uint32_t desired) {
    return DeviceAtomic(x).compare_exchange_strong(expected, desired, cuda::std::memory_order_acquire,
                                                   cuda::std::memory_order_relaxed);
  }
  static __host__ __device__ void store(std::uint32_t& x, std::uint32_t value) {
    DeviceAtomic(x).store(value, cuda::std::memory_order_release);
  }
  static __host__ __device__ std::uint32_t add(std::uint32_t& x, std::uint32_t value) {
    return DeviceAtomic(x).fetch_add(value, cuda::std::memory_order_relaxed);
  }
};

/// Size of the pool for `count` bodies. N random bodies create N / ln(2^Dim) inner cells (Knuth, The Art of Computer
/// Programming, section 6.3): 0.72 N in 2D, 0.48 N in 3D. Pairs much closer than their neighbours create more. If the
/// pool is exhausted, bodies share leaves, and which ones do depends on the order of insertion.
constexpr std::size_t insertion_groups(std::size_t count) {
  return count + 1024;
}

/// Descends through existing cells. Returns the first body of the leaf whose key is that of `body`, so that no lock is
/// required, or InsertionTree::kNoBody if the descent ends elsewhere.
template <int Dim>
__device__ std::uint32_t body_with_its_key(const InsertionTree<Dim>& tree, std::uint32_t body, InsertionCursor& at) {
  using Tree = InsertionTree<Dim>;
  for (;;) {
    const std::uint32_t content = DeviceAtomics::load(tree.slot[at.slot]);
    if (content == Tree::kEmpty || content == Tree::kLocked) return Tree::kNoBody;
    if (!Tree::is_group(content)) {
      const std::uint32_t first = content & ~Tree::kBody;
      return tree.key[first] == tree.key[body] ? first : Tree::kNoBody;
    }
    at = {tree.slot_of(content, body, at.level), at.level + 1};
  }
}

/// Each iteration ends for all lanes of a warp without waiting, so a lane that holds a lock can release it. With
/// `Lists` the bodies of each leaf are linked and status.levels is set; without, the caller finds bodies with equal
/// keys by key.
template <bool Lists, int Dim>
__global__ void __launch_bounds__(Grid::kThreads)
    insert_kernel(const InsertionTree<Dim> tree, std::uint32_t count, TreeStatus* status) {
  using Tree = InsertionTree<Dim>;
  std::uint32_t body = blockIdx.x * blockDim.x + threadIdx.x, deepest = 0;
  for (InsertionCursor at; body < count;) {
    const std::uint32_t first = body_with_its_key(tree, body, at);
    if (first == Tree::kNoBody && !try_insert<DeviceAtomics>(tree, body, at)) continue;
    if constexpr (Lists) {
      if (first != Tree::kNoBody) tree.next_in_leaf[body] = atomicExch(&tree.next_in_leaf[first], body);
      deepest = max(deepest, static_cast<std::uint32_t>(at.level));
    }
    body += gridDim.x * blockDim.x;
    at = {};
  }
  if constexpr (Lists) {
    deepest = warp_max(deepest);
    if (warp_lane() == 0) atomicMax(&status->levels, static_cast<int>(deepest) + 1);
  }
}

/// Number of child groups of a group.
template <int Dim>
__device__ std::uint32_t inner_children(const InsertionTree<Dim>& tree, std::uint32_t group) {
  std::uint32_t inner = 0;
  for (unsigned child = 0; child < 1u << Dim; ++child) {
    if (tree.is_group(tree.slot[tree.first_slot(group) + child])) ++inner;
  }
  return inner;
}

}  // namespace pericenter
