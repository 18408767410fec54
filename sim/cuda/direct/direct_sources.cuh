#pragma once

#include <cstdint>

#include "sim/cuda/kernels/pair_force.cuh"
#include "sim/cuda/runtime/launch.cuh"
#include "sim/cuda/simulation/cuda_solver.cuh"

namespace pericenter {

/// Threads per block in the kernels before and after a direct sum.
inline constexpr std::uint32_t kDirectThreads = 128;

/// Sources past the last body have zero mass.
template <class Real>
__global__ void __launch_bounds__(kDirectThreads)
    direct_sources_kernel(DeviceBodies<Real> bodies, Real gravity, Vec4<Real>* sources, std::uint32_t size) {
  const std::uint32_t i = blockIdx.x * kDirectThreads + threadIdx.x;
  if (i >= size) return;
  sources[i] = i < bodies.count ? gravity_source(bodies.position[i], gravity) : Vec4<Real>{};
}

template <class Real>
__global__ void __launch_bounds__(kDirectThreads)
    direct_interactions_kernel(DeviceBodies<Real> bodies, std::uint32_t of_each) {
  const std::uint32_t i = blockIdx.x * kDirectThreads + threadIdx.x;
  if (i < bodies.count) bodies.interactions[i] = of_each;
}

/// Enqueues a kernel that sets the interaction count of each body to `of_each`, if bodies.interactions is not null.
/// bodies.count must not be 0.
template <class Real>
void enqueue_direct_interactions(const DeviceBodies<Real>& bodies, std::uint32_t of_each, cudaStream_t stream) {
  if (bodies.interactions == nullptr) return;
  launch(direct_interactions_kernel<Real>, per_element(bodies.count, kDirectThreads), stream, bodies, of_each);
}

/// Enqueues the conversion of the bodies into `size` sources; `size` must be at least bodies.count and not 0.
template <class Real>
void enqueue_direct_sources(const DeviceBodies<Real>& bodies, double gravity, Vec4<Real>* sources, std::uint32_t size,
                            cudaStream_t stream) {
  launch(direct_sources_kernel<Real>, per_element(size, kDirectThreads), stream, bodies, static_cast<Real>(gravity),
         sources, size);
}

}  // namespace pericenter
