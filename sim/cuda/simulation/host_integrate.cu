#include "sim/cuda/simulation/host_integrate.cuh"

#include "sim/core/stage_clock.h"
#include "sim/solvers/registry.h"

namespace pericenter {
namespace {

template <class Real>
void add_scaled(Vec4<Real>& sum, const Vec4<Real>& vector, Real factor) {
  sum.x += vector.x * factor;
  sum.y += vector.y * factor;
  sum.z += vector.z * factor;
}

}  // namespace

template <class Real>
HostIntegrator<Real>::HostIntegrator(const Config& config, const BodyColumns<Real>& bodies, std::size_t count,
                                     cudaStream_t stream)
    : count_(count),
      threads_(config.threads),
      position_(option_value<HostMemory>(config), count_),
      velocity_(option_value<HostMemory>(config), count_),
      acceleration_(option_value<HostMemory>(config), count_) {
  copy_from_device(bodies, nullptr, stream);
}

template <class Real>
void HostIntegrator<Real>::copy_from_device(const BodyColumns<Real>& bodies, const Vec4<Real>* acceleration,
                                            cudaStream_t stream) {
  if (count_ == 0) return;
  const auto copy = [&](Vec4<Real>* to, const Vec4<Real>* from) {
    PERICENTER_CUDA_CHECK(cudaMemcpyAsync(to, from, count_ * sizeof(Vec4<Real>), cudaMemcpyDeviceToHost, stream));
  };
  copy(position_.data(), bodies.position);
  copy(velocity_.data(), bodies.velocity);
  if (acceleration) copy(acceleration_.data(), acceleration);
  PERICENTER_CUDA_CHECK(cudaStreamSynchronize(stream));
}

template <class Real>
void HostIntegrator<Real>::fetch(const Vec4<Real>* acceleration, StageEvents& events) {
  if (count_ == 0) return;
  const DeviceStageClock clock(events, Stage::download);
  events.copy(acceleration_.data(), acceleration, count_ * sizeof(Vec4<Real>), cudaMemcpyDeviceToHost, events.stream());
}

template <class Real>
void HostIntegrator<Real>::kick_and_drift(Real kick, Real drift, Vec4<Real>* position, StageEvents& events) {
  move(kick, drift, events);
  send(position_, position, events);
}

template <class Real>
void HostIntegrator<Real>::kick(Real kick, Vec4<Real>* velocity, StageEvents& events) {
  move(kick, 0, events);
  send(velocity_, velocity, events);
}

template <class Real>
void HostIntegrator<Real>::move(Real kick, Real drift, StageEvents& events) {
  PERICENTER_CUDA_CHECK(cudaStreamSynchronize(events.stream()));
  StageTimings timings;
  {
    const StageClock clock(timings, Stage::kick_drift);
    Vec4<Real>*const x = position_.data(), *const v = velocity_.data();
    const Vec4<Real>* const a = acceleration_.data();
    threads_.run_chunks(0, count_, [=](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) add_scaled(v[i], a[i], kick);
      if (drift == 0) return;
      for (std::size_t i = first; i < last; ++i) add_scaled(x[i], v[i], drift);
    });
  }
  events.add_host(timings);
}

template <class Real>
void HostIntegrator<Real>::send(const HostBuffer<Vec4<Real>>& from, Vec4<Real>* to, StageEvents& events) {
  if (count_ == 0) return;
  const DeviceStageClock clock(events, Stage::upload);
  events.copy(to, from.data(), count_ * sizeof(Vec4<Real>), cudaMemcpyHostToDevice, events.stream());
}

template class HostIntegrator<float>;
template class HostIntegrator<double>;

}  // namespace pericenter
