#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "sim/cuda/runtime/cpu_task_pool.h"
#include "sim/cuda/runtime/device_buffer.cuh"
#include "sim/cuda/simulation/body_copy.cuh"
#include "sim/cuda/simulation/integrate.cuh"

namespace pericenter {

/// Kick and drift on host threads, with host copies of the device arrays. At the end of each step both copies are
/// equal.
template <class Real>
class HostIntegrator {
 public:
  /// Waits for the copies from the device.
  HostIntegrator(const Config& config, const BodyColumns<Real>& bodies, std::size_t count, cudaStream_t stream);

  /// Takes over the bodies of the device, with their accelerations if they are not null. Waits for the copies.
  void copy_from_device(const BodyColumns<Real>& bodies, const Vec4<Real>* acceleration, cudaStream_t stream);

  const Vec4<Real>* position() const { return position_.data(); }

  /// Enqueues the download of the accelerations. Times Stage::download.
  void fetch(const Vec4<Real>* acceleration, StageEvents& events);
  /// Waits for the accelerations, computes v += a * kick and x += v * drift, and enqueues the upload of the positions
  /// to `position`. Times Stage::upload.
  void kick_and_drift(Real kick, Real drift, Vec4<Real>* position, StageEvents& events);
  /// Like kick_and_drift() without the drift, for velocities.
  void kick(Real kick, Vec4<Real>* velocity, StageEvents& events);

 private:
  void move(Real kick, Real drift, StageEvents& events);
  void send(const HostBuffer<Vec4<Real>>& from, Vec4<Real>* to, StageEvents& events);

  const std::size_t count_;
  CpuTaskPool threads_;
  HostBuffer<Vec4<Real>> position_, velocity_, acceleration_;
};

}  // namespace pericenter
