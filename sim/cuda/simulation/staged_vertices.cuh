#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <functional>

#include "sim/core/config.h"
#include "sim/core/vertex_target.h"
#include "sim/cuda/runtime/device_buffer.cuh"

namespace pericenter {

/// Copies vertices to host memory in portions: while one is written and copied by the GPU, the host threads move the
/// one before. So neither device nor host needs memory for all of them.
class StagedVertices {
 public:
  static constexpr std::size_t kPortion = std::size_t{1} << 20;  ///< vertices

  StagedVertices() = default;
  ~StagedVertices();
  StagedVertices(const StagedVertices&) = delete;
  StagedVertices& operator=(const StagedVertices&) = delete;

  /// Device memory for `count` vertices.
  static std::size_t bytes(std::size_t count) { return portion_of(count) * sizeof(Vertex); }

  /// Enqueues writing the vertices first .. first + count - 1 to the device memory `to`.
  using Write = std::function<void(std::size_t first, std::size_t count, Vertex* to)>;
  /// Calls `write` for all portions of `count` vertices, and waits until they are in `to`. `threads` is
  /// Config::threads.
  void fetch(std::size_t count, const Write& write, int threads, Vertex* to, cudaStream_t stream);

 private:
  static std::size_t portion_of(std::size_t count) { return count < kPortion ? count : kPortion; }
  void reserve(std::size_t count);

  DeviceBuffer<Vertex> written_;
  PinnedBuffer<Vertex> copied_[2];  ///< the second is used if there is more than one portion
  cudaEvent_t arrived_[2] = {};
};

}  // namespace pericenter
