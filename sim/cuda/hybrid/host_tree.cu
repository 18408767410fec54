#include "sim/cuda/hybrid/host_tree.cuh"

#include <span>

#include "sim/core/stage_clock.h"

namespace pericenter {

template <class Real, int Dim>
HostTree<Real, Dim>::HostTree(const Config& config, std::size_t count)
    : threads_(config.threads), builder_(make_tree_builder<Real, Dim>(config)) {
  for (auto& component : bodies_.position) component.resize(count);
  bodies_.mass.resize(count);
}

template <class Real, int Dim>
void HostTree<Real, Dim>::build(const Vec4<Real>* position, Real gravity, StageTimings& timings) {
  {
    const StageClock clock(timings, Stage::download);
    threads_.run_chunks(0, bodies_.size(), [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) {
        const Vec4<Real> body = position[i];
        const Real x[3] = {body.x, body.y, body.z};
        for (int k = 0; k < Dim; ++k) bodies_.position[k][i] = x[k];
        bodies_.mass[i] = body.w;
      }
    });
  }
  threads_.run([&] { builder_->build(bodies_, gravity, timings); });
}

template <class Real, int Dim>
void HostTree<Real, Dim>::list_bodies(std::uint32_t* original) const {
  threads_.run_chunks(0, bodies_.size(), [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) original[i] = builder_->original(i);
  });
}

template <class Real, int Dim>
void HostTree<Real, Dim>::list_inserted(std::uint32_t* original) const {
  const std::span<const KeyIndex> inserted = builder_->inserted();
  threads_.run_chunks(0, bodies_.size(), [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) original[i] = inserted[i].index;
  });
}

template <class Real>
const Vec4<Real>* host_positions(const DeviceBodies<Real>& bodies, Vec4<Real>* room, StageEvents& events) {
  if (bodies.host_position != nullptr) return bodies.host_position;
  {
    const DeviceStageClock clock(events, Stage::download);
    events.copy(room, bodies.position, bodies.count * sizeof(Vec4<Real>), cudaMemcpyDeviceToHost, events.stream());
  }
  PERICENTER_CUDA_CHECK(cudaStreamSynchronize(events.stream()));
  return room;
}

template class HostTree<float, 2>;
template class HostTree<float, 3>;
template class HostTree<double, 2>;
template class HostTree<double, 3>;
template const Vec4<float>* host_positions(const DeviceBodies<float>&, Vec4<float>*, StageEvents&);
template const Vec4<double>* host_positions(const DeviceBodies<double>&, Vec4<double>*, StageEvents&);

}  // namespace pericenter
