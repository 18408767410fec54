#pragma once

#include <cuda_runtime.h>

#include "sim/core/bodies.h"
#include "sim/core/vertex_target.h"
#include "sim/cuda/simulation/integrate.cuh"
#include "sim/cuda/simulation/shown_scalar.cuh"

namespace pericenter {

/// Enqueues writing one vertex per body, or of one in WrittenVertices::every: the position after `motion`, tag and the
/// shown scalar, or the bend of the way.
template <class Real>
void write_body_vertices(const MotionArrays<Real>& bodies, const ScalarArrays& shown, const KickDrift<Real>& motion,
                         bool bends, const WrittenVertices& vertices, cudaStream_t stream);

/// Explicit fma(), so that every kernel rounds the same way.
template <class Real>
__device__ Real length_of(const Vec4<Real>& v) {
  return sqrt(fma(v.x, v.x, fma(v.y, v.y, v.z * v.z)));
}

template <class Real>
__device__ Vertex vertex_of(const Vec4<Real>& position, const Vec4<Real>& velocity, float scalar) {
  return {float(position.x), float(position.y), float(position.z), make_attribute(tag_of(velocity.w), scalar)};
}

/// Writes a vertex in one store.
__device__ inline void store_vertex(Vertex* to, const Vertex& vertex) {
  *reinterpret_cast<float4*>(to) = make_float4(vertex.x, vertex.y, vertex.z, __uint_as_float(vertex.attribute));
}

}  // namespace pericenter
