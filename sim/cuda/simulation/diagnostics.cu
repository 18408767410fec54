#include "sim/cuda/simulation/diagnostics.cuh"

namespace pericenter {
namespace {

template <class Real>
struct AddDiagnosed {
  DeviceBodies<Real> bodies;
  const Vec4<Real>* velocity;

  __device__ void operator()(DiagnosticSums& sums, std::size_t i) const {
    const Vec4<Real> position = bodies.position[i], acceleration = bodies.acceleration[i];
    sums.add_body({i, double(position.w), vector_of(position), vector_of(velocity[i]), double(acceleration.w),
                   vector_of(acceleration)});
  }
};

template <class Real>
struct AddUrgency {
  DeviceBodies<Real> bodies;
  bool softened;

  __device__ void operator()(Urgency& urgency, std::size_t i) const {
    const Vec4<Real> acceleration = bodies.acceleration[i];
    urgency.add_body(double(bodies.position[i].w), vector_of(acceleration), double(acceleration.w), softened);
  }
};

}  // namespace

template <class Real>
Diagnostics CudaDiagnostics::evaluate(const DeviceBodies<Real>& bodies, const Vec4<Real>* velocity,
                                      cudaStream_t stream) {
  return sums_.evaluate(AddDiagnosed<Real>{bodies, velocity}, stream).result();
}

template <class Real>
Urgency CudaDiagnostics::urgency(const DeviceBodies<Real>& bodies, bool softened, cudaStream_t stream) {
  return urgency_.evaluate(AddUrgency<Real>{bodies, softened}, stream);
}

#define PERICENTER_INSTANTIATE(Real)                                                                          \
  template Diagnostics CudaDiagnostics::evaluate(const DeviceBodies<Real>&, const Vec4<Real>*, cudaStream_t); \
  template Urgency CudaDiagnostics::urgency(const DeviceBodies<Real>&, bool, cudaStream_t);
PERICENTER_INSTANTIATE(float)
PERICENTER_INSTANTIATE(double)
#undef PERICENTER_INSTANTIATE

}  // namespace pericenter
