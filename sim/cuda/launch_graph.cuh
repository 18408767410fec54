#pragma once

#include <cuda_runtime.h>

#include <utility>

#include "sim/cuda/cuda_check.cuh"

namespace pericenter {

/// Kernels that are enqueued again and again, kept as a graph: launched as one, they follow each other without the gaps
/// of single launches. `Key` tells when they would not be the same. Move-only.
template <class Key>
class LaunchGraph {
 public:
  LaunchGraph() = default;
  ~LaunchGraph() { release(); }
  LaunchGraph(LaunchGraph&& other) noexcept
      : executable_(std::exchange(other.executable_, nullptr)), key_(other.key_) {}
  LaunchGraph& operator=(LaunchGraph&& other) noexcept {
    std::swap(executable_, other.executable_);
    std::swap(key_, other.key_);
    return *this;
  }

  /// Enqueues what enqueue() does on `stream`, which must be no more than kernels; it is not asked again while the key
  /// stays the same.
  template <class Enqueue>
  void launch(const Key& key, cudaStream_t stream, const Enqueue& enqueue) {
    if (executable_ == nullptr || !(key == key_)) {
      release();
      cudaGraph_t graph;
      PERICENTER_CUDA_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
      enqueue();
      PERICENTER_CUDA_CHECK(cudaStreamEndCapture(stream, &graph));
      const cudaError_t error = cudaGraphInstantiate(&executable_, graph, 0);
      PERICENTER_CUDA_LOG(cudaGraphDestroy(graph));
      PERICENTER_CUDA_CHECK(error);
      key_ = key;
    }
    PERICENTER_CUDA_CHECK(cudaGraphLaunch(executable_, stream));
  }

 private:
  void release() {
    if (executable_ != nullptr) PERICENTER_CUDA_LOG(cudaGraphExecDestroy(std::exchange(executable_, nullptr)));
  }

  cudaGraphExec_t executable_ = nullptr;
  Key key_ = {};
};

}  // namespace pericenter
