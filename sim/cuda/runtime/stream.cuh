#pragma once

#include <cuda_runtime.h>

#include "sim/cuda/runtime/cuda_check.cuh"

namespace pericenter {

/// Owner of a non-blocking stream of low priority, so rendering takes precedence over the next step.
class LowPriorityStream {
 public:
  LowPriorityStream() {
    int least = 0, greatest = 0;
    PERICENTER_CUDA_CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    PERICENTER_CUDA_CHECK(cudaStreamCreateWithPriority(&stream_, cudaStreamNonBlocking, least));
  }
  ~LowPriorityStream() { PERICENTER_CUDA_LOG(cudaStreamDestroy(stream_)); }
  LowPriorityStream(const LowPriorityStream&) = delete;
  LowPriorityStream& operator=(const LowPriorityStream&) = delete;

  cudaStream_t get() const { return stream_; }

 private:
  cudaStream_t stream_ = nullptr;
};

/// Owner of an event without timing, for ordering streams.
class OrderEvent {
 public:
  OrderEvent() { PERICENTER_CUDA_CHECK(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming)); }
  ~OrderEvent() { PERICENTER_CUDA_LOG(cudaEventDestroy(event_)); }
  OrderEvent(const OrderEvent&) = delete;
  OrderEvent& operator=(const OrderEvent&) = delete;

  /// Work enqueued on `second` from now on waits for all work enqueued on `first`.
  void order(cudaStream_t first, cudaStream_t second) {
    if (first == second) return;
    PERICENTER_CUDA_CHECK(cudaEventRecord(event_, first));
    PERICENTER_CUDA_CHECK(cudaStreamWaitEvent(second, event_, 0));
  }

 private:
  cudaEvent_t event_ = nullptr;
};

}  // namespace pericenter
