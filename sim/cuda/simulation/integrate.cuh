#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include "sim/core/bodies.h"
#include "sim/core/vertex_target.h"
#include "sim/cuda/simulation/cuda_solver.cuh"

namespace pericenter {

/// Positions and velocities, one element per body.
template <class Real>
struct MotionArrays {
  Vec4<Real>* position;  ///< w: mass
  Vec4<Real>* velocity;  ///< w: stored_tag()
  const Vec4<Real>* acceleration;
  std::uint32_t count;

  /// The bodies first .. first + size - 1.
  MotionArrays part(std::size_t first, std::size_t size) const {
    return {position + first, velocity + first, acceleration + first, static_cast<std::uint32_t>(size)};
  }
};

// Explicit fma(), so that every kernel rounds the same way.
template <class Real>
__device__ void add_fused(Vec4<Real>& sum, const Vec4<Real>& vector, Real factor) {
  sum.x = fma(vector.x, factor, sum.x);
  sum.y = fma(vector.y, factor, sum.y);
  sum.z = fma(vector.z, factor, sum.z);
}

/// Where a kernel writes vertices: one body in `every` has one.
struct WrittenVertices {
  Vertex* to = nullptr;  ///< null: none
  std::uint32_t every = 1;
};

/// Enqueues v += a * kick, x += v * drift. Times Stage::kick_drift.
template <class Real>
void kick_and_drift(const MotionArrays<Real>& bodies, Real kick, Real drift, StageEvents& events);

/// Enqueues v += a * kick and, in the same kernel, writes vertices with the speed if they are not null. Does nothing if
/// `overflow` points to a nonzero value.
template <class Real>
void kick_and_write_vertices(const MotionArrays<Real>& bodies, Real kick, const std::uint32_t* overflow,
                             const WrittenVertices& vertices, cudaStream_t stream);

}  // namespace pericenter
