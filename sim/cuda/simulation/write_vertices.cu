#include "sim/cuda/simulation/write_vertices.cuh"

#include "sim/core/vertex_target.h"
#include "sim/cuda/runtime/launch.cuh"

namespace pericenter {
namespace {

constexpr unsigned kThreads = 256;

template <class Real>
__device__ float scalar_of(const MotionArrays<Real>& bodies, const ScalarArrays& shown, std::uint32_t i) {
  if (shown.scalar == Scalar::speed) return float(length_of(bodies.velocity[i]));
  if (shown.scalar == Scalar::acceleration) return log_scalar(double(length_of(bodies.acceleration[i])));
  if (shown.interactions != nullptr) return log_scalar(double(shown.interactions[i]));
  return shown.values != nullptr ? shown.values[i] : kNoScalar;
}

template <class Real>
__global__ void write_vertices_kernel(MotionArrays<Real> bodies, ScalarArrays shown, KickDrift<Real> motion, bool bends,
                                      WrittenVertices vertices, std::uint32_t count) {
  const std::uint32_t vertex_index = blockIdx.x * kThreads + threadIdx.x;
  if (vertex_index >= count) return;
  const std::uint32_t i = vertex_index * vertices.every;
  Vec4<Real> position = bodies.position[i];
  std::uint32_t bend = 0;
  if (motion.drift != 0) {
    const Vec4<Real> acceleration = bodies.acceleration[i];
    const float kicks[3] = {float(acceleration.x), float(acceleration.y), float(acceleration.z)};
    Vec4<Real> velocity = bodies.velocity[i];
    add_fused(velocity, acceleration, motion.kick);
    add_fused(position, velocity, motion.drift);
    const Real time = motion.drift;
    const float way[3] = {float(velocity.x * time), float(velocity.y * time), float(velocity.z * time)};
    bend = bend_bits(way, kicks, float(time));
  }
  Vertex vertex = vertex_of(position, bodies.velocity[i], scalar_of(bodies, shown, i));
  if (bends) vertex.attribute = (vertex.attribute & 0xFFFFu) | bend << 16;
  store_vertex(&vertices.to[vertex_index], vertex);
}

}  // namespace

template <class Real>
void write_body_vertices(const MotionArrays<Real>& bodies, const ScalarArrays& shown, const KickDrift<Real>& motion,
                         bool bends, const WrittenVertices& vertices, cudaStream_t stream) {
  if (bodies.count == 0) return;
  const auto count = static_cast<std::uint32_t>(vertices_of(bodies.count, vertices.every));
  launch(write_vertices_kernel<Real>, per_element(count, kThreads), stream, bodies, shown, motion, bends, vertices,
         count);
}

#define PERICENTER_INSTANTIATE(Real)                                                                              \
  template void write_body_vertices(const MotionArrays<Real>&, const ScalarArrays&, const KickDrift<Real>&, bool, \
                                    const WrittenVertices&, cudaStream_t);
PERICENTER_INSTANTIATE(float)
PERICENTER_INSTANTIATE(double)
#undef PERICENTER_INSTANTIATE

}  // namespace pericenter
