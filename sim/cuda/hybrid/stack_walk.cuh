#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "sim/cuda/hybrid/packed_cells.h"
#include "sim/cuda/kernels/lane_walker.cuh"

// The walk kernel of hybrid-shared: one body after the other per thread, with a stack in local memory.
namespace pericenter {

constexpr unsigned kMaxBlock = 1024;
constexpr int kMaxLevels = 10;  // levels below the root

/// A walk of the tree for each body.
template <class Real>
struct StackWalk {
  const Field<Real>* fields;
  std::uint32_t cells;
  const Vec4<Real>* body;         ///< bodies in tree order
  const std::uint32_t* original;  ///< input indices of these bodies
  const std::uint32_t* walks;     ///< places in tree order of the bodies in walk order; null: tree order
  DeviceBodies<Real> targets;
  Softening<Real> softening;
  std::uint32_t threads;  ///< threads that share the bodies
  bool leaf_points;       ///< LeafForce::point
  WorkCounts* work;       ///< output

  template <class F>
  __device__ __forceinline__ void for_each_body(std::uint32_t first, std::uint32_t count, const F& f) const {
    for (std::uint32_t i = first; i < first + count; ++i) f(Vec4<Real>(body[i]));
  }
};

/// The cells of a tree in global memory or, with InShared, in shared memory.
template <bool InShared, bool FieldByField, int Dim, class Real>
class Cells {
 public:
  using Fields = CellFields<Dim>;

  __device__ Cells(const Field<Real>* fields, std::uint32_t count) : fields_(fields), count_(count) {}

  __device__ Vec4<Real> mass_point(std::uint32_t cell) const {
    Vec4<Real> point{number(cell, Fields::kCenterOfMass), number(cell, Fields::kCenterOfMass + 1), 0,
                     number(cell, Fields::kMass)};
    if constexpr (Dim == 3) point.z = number(cell, Fields::kCenterOfMass + 2);
    return point;
  }
  __device__ Real number(std::uint32_t cell, unsigned field) const {
    if constexpr (sizeof(Real) == 4) {
      return __uint_as_float(bits(cell, field));
    } else {
      return __longlong_as_double(static_cast<long long>(bits(cell, field)));
    }
  }
  __device__ std::uint32_t index(std::uint32_t cell, unsigned field) const {
    return static_cast<std::uint32_t>(bits(cell, field));
  }

 private:
  using Index = std::conditional_t<InShared, std::uint32_t, std::size_t>;

  __device__ Field<Real> bits(std::uint32_t cell, unsigned field) const {
    return fields_[place_of<Dim, FieldByField, Index>(cell, field, count_)];
  }

  const Field<Real>* fields_;
  std::uint32_t count_;
};

/// Copies all cells into shared memory: consecutive threads copy consecutive fields, or each thread copies whole cells.
template <bool FieldByField, int Dim, class W>
__device__ void copy_cells(const W* from, std::uint32_t cells, W* to, std::uint32_t threads) {
  constexpr unsigned kFields = CellFields<Dim>::kCount;
  if (threadIdx.x < threads) {
    if constexpr (FieldByField) {
      for (std::uint32_t i = threadIdx.x; i < cells * kFields; i += threads) to[i] = from[i];
    } else {
      for (std::uint32_t cell = threadIdx.x; cell < cells; cell += threads) {
        for (unsigned field = 0; field < kFields; ++field) to[cell * kFields + field] = from[cell * kFields + field];
      }
    }
  }
  __syncthreads();
}

/// Potential of a target in its own field if it is part of a leaf that acts as one point: that of its mass there.
template <class Real>
__device__ __forceinline__ Real potential_in_leaf(const Vec4<Real>& target, const Vec4<Real>& point,
                                                  const Softening<Real>& softening) {
  const Real x = point.x - target.x, y = point.y - target.y, z = point.z - target.z;
  const Real r2 = x * x + (y * y + (z * z + softening.squared));
  return r2 > softening.excluded ? -target.w * inverse_root(r2) : Real(0);
}

/// Walks with an explicit stack, in the same cell order as the skip links. `place`: of the target in tree order.
/// Returns the potential of the target in its own field.
template <int Dim, class CellArray, class Walker, class Real>
__device__ __forceinline__ Real walk_cells(const CellArray& cells, const StackWalk<Real>& task, std::uint32_t place,
                                           Walker& walker) {
  using Fields = CellFields<Dim>;
  constexpr unsigned kChildren = 1u << Dim;
  // Each level pops one cell and pushes up to 2^Dim.
  std::uint32_t stack[(kChildren - 1) * kMaxLevels + 1];
  stack[0] = 0;
  Real own = own_potential(walker.target().w, task.softening);
  for (unsigned height = 1; height > 0;) {
    const std::uint32_t cell = stack[--height];
    const Vec4<Real> point = cells.mass_point(cell);
    walker.count_visit();
    if (walker.try_accept(point, cells.number(cell, Fields::kWidth), task, cell)) {
      if constexpr (Walker::kWithPotential) {
        const bool inside = place - cells.index(cell, Fields::kFirstBody) < cells.index(cell, Fields::kBodies);
        if (task.leaf_points && inside) own = potential_in_leaf(walker.target(), point, task.softening);
      }
      continue;
    }
    const std::uint32_t bodies = cells.index(cell, Fields::kBodies);
    if (bodies > 0) {
      walker.add_bodies(task, cells.index(cell, Fields::kFirstBody), bodies);
      continue;
    }
    for (unsigned k = kChildren; k-- > 0;) {
      const std::uint32_t child = cells.index(cell, Fields::kChildren + k);
      if (child != kNoNode) stack[height++] = child;
    }
  }
  return own;
}

/// Thread t processes walks t, t + threads, t + 2 threads, ...
template <bool InShared, bool FieldByField, bool WithPotential, int Dim, class Real>
__global__ void __launch_bounds__(kMaxBlock) stack_walk_kernel(const StackWalk<Real> task) {
  const Field<Real>* fields = task.fields;
  if constexpr (InShared) {
    extern __shared__ __align__(16) unsigned char tree_memory[];
    Field<Real>* const copy = reinterpret_cast<Field<Real>*>(tree_memory);
    copy_cells<FieldByField, Dim>(task.fields, task.cells, copy,
                                  min(blockDim.x, task.threads - blockIdx.x * blockDim.x));
    fields = copy;
  }
  const Cells<InShared, FieldByField, Dim, Real> cells(fields, task.cells);
  const std::uint32_t thread = blockIdx.x * blockDim.x + threadIdx.x;
  WorkCounts work;
  for (std::uint32_t first = thread - warp_lane(); first < task.targets.count; first += task.threads) {
    const std::uint32_t i = first + warp_lane();
    std::uint32_t visits = 0;
    if (thread < task.threads && i < task.targets.count) {
      const std::uint32_t place = task.walks != nullptr ? task.walks[i] : i;
      LaneWalker<WithPotential, false, Real> walker(task.body[place], task.original[place], task.softening);
      walker.store(task.targets, walk_cells<Dim>(cells, task, place, walker));
      work += walker.work(0);
      visits = walker.visits();
    }
    work.lane_slots += static_cast<std::uint64_t>(kWarp) * warp_max(visits);
  }
  add_work_of_lanes(work, *task.work);
}

template <class Real>
using StackWalkKernel = void (*)(StackWalk<Real>);
/// The kernel for a tree in shared memory, field by field or cell by cell, or in global memory.
template <bool WithPotential, int Dim, class Real>
StackWalkKernel<Real> kernel_for(bool in_shared, bool field_by_field) {
  if (!in_shared) return stack_walk_kernel<false, false, WithPotential, Dim, Real>;
  return field_by_field ? stack_walk_kernel<true, true, WithPotential, Dim, Real>
                        : stack_walk_kernel<true, false, WithPotential, Dim, Real>;
}

}  // namespace pericenter
