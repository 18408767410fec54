#include "sim/cuda/simulation/integrate.cuh"

#include "sim/core/vertex_target.h"
#include "sim/cuda/runtime/launch.cuh"
#include "sim/cuda/simulation/write_vertices.cuh"

namespace pericenter {
namespace {

constexpr unsigned kThreads = 256;

template <class Real>
__global__ void kick_drift_kernel(MotionArrays<Real> bodies, Real kick, Real drift) {
  const std::uint32_t i = blockIdx.x * kThreads + threadIdx.x;
  if (i >= bodies.count) return;
  Vec4<Real> velocity = bodies.velocity[i], position = bodies.position[i];
  add_fused(velocity, bodies.acceleration[i], kick);
  add_fused(position, velocity, drift);
  bodies.velocity[i] = velocity;
  bodies.position[i] = position;
}

template <class Real, bool WithVertices>
__global__ void kick_write_vertices_kernel(MotionArrays<Real> bodies, Real kick, const std::uint32_t* overflow,
                                           WrittenVertices vertices) {
  if (overflow != nullptr && *overflow != 0) return;
  const std::uint32_t i = blockIdx.x * kThreads + threadIdx.x;
  if (i >= bodies.count) return;
  Vec4<Real> velocity = bodies.velocity[i];
  add_fused(velocity, bodies.acceleration[i], kick);
  bodies.velocity[i] = velocity;
  if constexpr (WithVertices) {
    const std::uint32_t every = vertices.every;
    if (every == 1 || i % every == 0) {
      store_vertex(&vertices.to[every == 1 ? i : i / every],
                   vertex_of(bodies.position[i], velocity, float(length_of(velocity))));
    }
  }
}

}  // namespace

template <class Real>
void kick_and_drift(const MotionArrays<Real>& bodies, Real kick, Real drift, StageEvents& events) {
  const DeviceStageClock clock(events, Stage::kick_drift);
  if (bodies.count == 0) return;
  launch(kick_drift_kernel<Real>, per_element(bodies.count, kThreads), events.stream(), bodies, kick, drift);
}

template <class Real>
void kick_and_write_vertices(const MotionArrays<Real>& bodies, Real kick, const std::uint32_t* overflow,
                             const WrittenVertices& vertices, cudaStream_t stream) {
  if (bodies.count == 0) return;
  const auto kernel = vertices.to ? kick_write_vertices_kernel<Real, true> : kick_write_vertices_kernel<Real, false>;
  launch(kernel, per_element(bodies.count, kThreads), stream, bodies, kick, overflow, vertices);
}

#define PERICENTER_INSTANTIATE(Real)                                                                                   \
  template void kick_and_drift(const MotionArrays<Real>&, Real, Real, StageEvents&);                                   \
  template void kick_and_write_vertices(const MotionArrays<Real>&, Real, const std::uint32_t*, const WrittenVertices&, \
                                        cudaStream_t);
PERICENTER_INSTANTIATE(float)
PERICENTER_INSTANTIATE(double)
#undef PERICENTER_INSTANTIATE

}  // namespace pericenter
