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

/// What a body is on the device, one element a body in each array.
template <class Real>
struct BodyColumns {
  Vec4<Real>* position;  ///< w: mass
  Vec4<Real>* velocity;  ///< w: stored_tag()
};

// Both go by portions: while one is on its way, all threads of the host that config.threads allows convert the next.
// Both wait for the last one.

/// In 2D the z components are dropped. Throws SceneCancelled when `progress` returns false.
template <class Real>
void upload_bodies(const Config& config, const Bodies& from, const BodyColumns<Real>& to, const Progress& progress,
                   cudaStream_t stream);

template <class Real>
Bodies download_bodies(const Config& config, const BodyColumns<Real>& from, std::size_t count, cudaStream_t stream);

template <class Real>
struct Portions;

/// A copy of all bodies that stays on the device, which is quick, until another thread downloads it, which is not.
template <class Real>
class BodyStore {
 public:
  BodyStore(const Config& config, std::size_t count);
  ~BodyStore();

  static std::size_t bytes(std::size_t count) { return 2 * count * sizeof(Vec4<Real>); }

  /// Enqueues the copy. Not before the last one has been fetched.
  void enqueue(const BodyColumns<Real>& from, cudaStream_t stream);
  /// For any thread.
  Bodies fetch();

 private:
  Config config_;
  std::size_t count_;
  DeviceBuffer<Vec4<Real>> memory_;
  LowPriorityStream stream_;
  OrderEvent order_;
  std::unique_ptr<Portions<Real>> portions_;  // kept: to lock pages holds up the kernels
};

}  // namespace pericenter
