#include "sim/cuda/simulation/integrate.cuh"

#include "sim/cuda/runtime/launch.cuh"

namespace pericenter {
namespace {

constexpr unsigned kThreads = 256;

// Explicit fma(), so that every kernel rounds the same way.
template <class Real>
__device__ void add_scaled(Vec4<Real>& sum, const Vec4<Real>& vector, Real factor) {
  sum.x = fma(vector.x, factor, sum.x);
  sum.y = fma(vector.y, factor, sum.y);
  sum.z = fma(vector.z, factor, sum.z);
}

template <class Real>
__device__ Real length_of(const Vec4<Real>& v) {
  return sqrt(fma(v.x, v.x, fma(v.y, v.y, v.z * v.z)));
}

template <class Real>
__device__ Vertex vertex_of(const Vec4<Real>& position, const Vec4<Real>& velocity, float scalar) {
  return {float(position.x), float(position.y), float(position.z), make_attribute(tag_of(velocity.w), scalar)};
}

template <class Real>
__device__ float scalar_of(const MotionArrays<Real>& bodies, const ScalarArrays& shown, std::uint32_t i) {
  if (shown.scalar == Scalar::speed) return float(length_of(bodies.velocity[i]));
  if (shown.scalar == Scalar::acceleration) return log_scalar(double(length_of(bodies.acceleration[i])));
  if (shown.interactions != nullptr) return log_scalar(double(shown.interactions[i]));
  return shown.logarithms != nullptr ? shown.logarithms[i] : kNoScalar;
}

/// Writes a vertex in one store.
__device__ void store(Vertex* to, const Vertex& vertex) {
  *reinterpret_cast<float4*>(to) = make_float4(vertex.x, vertex.y, vertex.z, __uint_as_float(vertex.attribute));
}

template <class Real>
__global__ void kick_drift_kernel(MotionArrays<Real> bodies, Real kick, Real drift) {
  const std::uint32_t i = blockIdx.x * kThreads + threadIdx.x;
  if (i >= bodies.count) return;
  Vec4<Real> velocity = bodies.velocity[i], position = bodies.position[i];
  add_scaled(velocity, bodies.acceleration[i], kick);
  add_scaled(position, velocity, drift);
  bodies.velocity[i] = velocity;
  bodies.position[i] = position;
}

template <class Real, bool WithVertices>
__global__ void kick_publish_kernel(MotionArrays<Real> bodies, Real kick, const std::uint32_t* overflow,
                                    Vertex* vertices) {
  if (overflow != nullptr && *overflow != 0) return;
  const std::uint32_t i = blockIdx.x * kThreads + threadIdx.x;
  if (i >= bodies.count) return;
  Vec4<Real> velocity = bodies.velocity[i];
  add_scaled(velocity, bodies.acceleration[i], kick);
  bodies.velocity[i] = velocity;
  if constexpr (WithVertices) {
    store(&vertices[i], vertex_of(bodies.position[i], velocity, float(length_of(velocity))));
  }
}

template <class Real>
__global__ void publish_kernel(MotionArrays<Real> bodies, ScalarArrays shown, Vertex* vertices) {
  const std::uint32_t i = blockIdx.x * kThreads + threadIdx.x;
  if (i < bodies.count)
    store(&vertices[i], vertex_of(bodies.position[i], bodies.velocity[i], scalar_of(bodies, shown, i)));
}

}  // namespace

template <class Real>
void kick_and_drift(const MotionArrays<Real>& bodies, Real kick, Real drift, cudaStream_t stream) {
  if (bodies.count == 0) return;
  kick_drift_kernel<<<blocks_of(bodies.count, kThreads), kThreads, 0, stream>>>(bodies, kick, drift);
  PERICENTER_CUDA_LAUNCHED();
}

template <class Real>
void kick_and_publish(const MotionArrays<Real>& bodies, Real kick, const std::uint32_t* overflow, Vertex* vertices,
                      cudaStream_t stream) {
  if (bodies.count == 0) return;
  const auto kernel = vertices ? kick_publish_kernel<Real, true> : kick_publish_kernel<Real, false>;
  kernel<<<blocks_of(bodies.count, kThreads), kThreads, 0, stream>>>(bodies, kick, overflow, vertices);
  PERICENTER_CUDA_LAUNCHED();
}

template <class Real>
void publish_vertices(const MotionArrays<Real>& bodies, const ScalarArrays& shown, Vertex* vertices,
                      cudaStream_t stream) {
  if (bodies.count == 0) return;
  publish_kernel<<<blocks_of(bodies.count, kThreads), kThreads, 0, stream>>>(bodies, shown, vertices);
  PERICENTER_CUDA_LAUNCHED();
}

#define PERICENTER_INSTANTIATE(Real)                                                                            \
  template void kick_and_drift(const MotionArrays<Real>&, Real, Real, cudaStream_t);                            \
  template void kick_and_publish(const MotionArrays<Real>&, Real, const std::uint32_t*, Vertex*, cudaStream_t); \
  template void publish_vertices(const MotionArrays<Real>&, const ScalarArrays&, Vertex*, cudaStream_t);
PERICENTER_INSTANTIATE(float)
PERICENTER_INSTANTIATE(double)
#undef PERICENTER_INSTANTIATE

}  // namespace pericenter
