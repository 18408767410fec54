#pragma once

#include <cuda_runtime.h>

#include <utility>

#include "sim/core/stage_clock.h"
#include "sim/cuda/runtime/cuda_check.cuh"

namespace pericenter {

/// Work that is enqueued repeatedly, cached as a CUDA graph. A graph launch removes the gaps between single launches
/// and the host overhead. Work with equal `Key` must be identical.
template <class Key>
class LaunchGraph {
 public:
  LaunchGraph() = default;
  ~LaunchGraph() { release(); }
  LaunchGraph(const LaunchGraph&) = delete;
  LaunchGraph& operator=(const LaunchGraph&) = delete;

  /// Enqueues the work of enqueue() on `stream`. The first launch with a key calls enqueue(); the second in a row
  /// captures a graph; later ones launch the graph without calling enqueue(). During capture enqueue() must not wait
  /// for the stream or allocate memory. With a profiler, every launch calls enqueue(), because a graph has no ranges.
  template <class Enqueue>
  void launch(const Key& key, cudaStream_t stream, const Enqueue& enqueue) {
    if (profiler_attached() || !known_ || !(key == key_)) {
      release();
      known_ = false;
      enqueue();
      key_ = key;
      known_ = true;
      return;
    }
    if (executable_ == nullptr) make(stream, enqueue);
    PERICENTER_CUDA_CHECK(cudaGraphLaunch(executable_, stream));
  }

 private:
  template <class Enqueue>
  void make(cudaStream_t stream, const Enqueue& enqueue) {
    Capture capture(stream);
    enqueue();
    const cudaGraph_t graph = capture.end();
    const cudaError_t error = cudaGraphInstantiate(&executable_, graph, 0);
    PERICENTER_CUDA_LOG(cudaGraphDestroy(graph));
    PERICENTER_CUDA_CHECK(error);
  }

  /// Captures the work enqueued during its lifetime into a graph.
  class Capture {
   public:
    explicit Capture(cudaStream_t stream) : stream_(stream) {
      PERICENTER_CUDA_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    }
    ~Capture() {
      cudaGraph_t graph = nullptr;
      if (stream_ == nullptr) return;
      // After a failure, which was already reported.
      cudaStreamEndCapture(stream_, &graph);
      if (graph != nullptr) cudaGraphDestroy(graph);
      cudaGetLastError();
    }
    Capture(const Capture&) = delete;
    Capture& operator=(const Capture&) = delete;

    cudaGraph_t end() {
      cudaGraph_t graph = nullptr;
      PERICENTER_CUDA_CHECK(cudaStreamEndCapture(std::exchange(stream_, nullptr), &graph));
      return graph;
    }

   private:
    cudaStream_t stream_;
  };

  void release() {
    if (executable_ != nullptr) PERICENTER_CUDA_LOG(cudaGraphExecDestroy(std::exchange(executable_, nullptr)));
  }

  cudaGraphExec_t executable_ = nullptr;
  Key key_ = {};
  bool known_ = false;  ///< `key_` is that of the last launch
};

}  // namespace pericenter
