#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <memory>

#include "sim/core/bodies.h"
#include "sim/core/config.h"
#include "sim/cuda/runtime/device_buffer.cuh"
#include "sim/cuda/runtime/stream.cuh"
#include "sim/cuda/simulation/cuda_solver.cuh"
#include "sim/scenes/registry.h"

namespace pericenter {

/// The device arrays of the bodies, one element per body.
template <class Real>
struct BodyColumns {
  Vec4<Real>* position;  ///< w: mass
  Vec4<Real>* velocity;  ///< w: stored_tag()
};

// Both copy in portions: while one is in flight, the host threads (config.threads) convert the next. Both wait for the
// last portion.

/// In 2D the z components are dropped. Throws SceneCancelled when `progress` returns false.
template <class Real>
void upload_bodies(const Config& config, const Bodies& from, const BodyColumns<Real>& to, const Progress& progress,
                   cudaStream_t stream);

template <class Real>
Bodies download_bodies(const Config& config, const BodyColumns<Real>& from, std::size_t count, cudaStream_t stream);

/// The bodies of a sample, which are gathered on the device first: `from` may be too large for the host.
template <class Real>
Bodies download_sample(const Config& config, const BodyColumns<Real>& from, const BodySample& sample,
                       cudaStream_t stream);

template <class Real>
struct Portions;

/// A fast device-to-device copy of all bodies, which another thread downloads later.
template <class Real>
class BodyStore {
 public:
  BodyStore(const Config& config, std::size_t count);
  ~BodyStore();

  static std::size_t bytes(std::size_t count) { return 2 * count * sizeof(Vec4<Real>); }

  /// Enqueues the copy. The previous copy must have been fetched.
  void enqueue(const BodyColumns<Real>& from, cudaStream_t stream);
  /// May be called from any thread.
  Bodies fetch();

 private:
  Config config_;
  std::size_t count_;
  DeviceBuffer<Vec4<Real>> memory_;
  LowPriorityStream stream_;
  OrderEvent order_;
  std::unique_ptr<Portions<Real>> portions_;  // reused, because page-locking stalls kernels
};

}  // namespace pericenter
