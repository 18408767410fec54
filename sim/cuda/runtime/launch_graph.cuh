#pragma once

#include <cuda_runtime.h>

#include <utility>

#include "sim/cuda/runtime/cuda_check.cuh"

namespace pericenter {

/// What is enqueued again and again, kept as a graph: launched as one, kernels follow each other without the gaps of
/// single launches, and without the host. `Key` tells when it would not be the same.
template <class Key>
class LaunchGraph {
 public:
  LaunchGraph() = default;
  ~LaunchGraph() { release(); }
  LaunchGraph(const LaunchGraph&) = delete;
  LaunchGraph& operator=(const LaunchGraph&) = delete;

  /// Enqueues what enqueue() does on `stream`. The first time for a key it does just that; the second time in a row it
  /// makes a graph of it, for which enqueue() must not wait for the stream nor take memory; from then on it is not
  /// asked again.
  template <class Enqueue>
  void launch(const Key& key, cudaStream_t stream, const Enqueue& enqueue) {
    if (!known_ || !(key == key_)) {
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

  /// What is enqueued during its life goes into a graph.
  class Capture {
   public:
    explicit Capture(cudaStream_t stream) : stream_(stream) {
      PERICENTER_CUDA_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    }
    ~Capture() {
      cudaGraph_t graph = nullptr;
      if (stream_ == nullptr) return;
      // Something has failed, which is told already.
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
