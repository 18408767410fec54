#include "sim/cuda/simulation/staged_vertices.cuh"

#include <algorithm>

#include "sim/cuda/runtime/cpu_task_pool.h"
#include "sim/cuda/runtime/cuda_check.cuh"

namespace pericenter {

StagedVertices::~StagedVertices() {
  for (cudaEvent_t event : arrived_)
    if (event != nullptr) PERICENTER_CUDA_LOG(cudaEventDestroy(event));
}

void StagedVertices::reserve(std::size_t count) {
  for (cudaEvent_t& event : arrived_)
    if (event == nullptr) PERICENTER_CUDA_CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  const std::size_t portion = portion_of(count);
  if (written_.size() >= portion) return;
  written_ = DeviceBuffer<Vertex>(portion);
  copied_[0] = PinnedBuffer<Vertex>(portion);
  copied_[1] = PinnedBuffer<Vertex>(count > portion ? portion : 0);
}

void StagedVertices::fetch(std::size_t count, const Write& write, int threads, Vertex* to, cudaStream_t stream) {
  reserve(count);
  const CpuTaskPool pool(threads);
  const auto slot_of = [](std::size_t first) { return first / kPortion % 2; };
  const auto enqueue = [&](std::size_t first) {
    if (first >= count) return;
    const std::size_t slot = slot_of(first), size = std::min(kPortion, count - first);
    write(first, size, written_.data());
    PERICENTER_CUDA_CHECK(
        cudaMemcpyAsync(copied_[slot].data(), written_.data(), size * sizeof(Vertex), cudaMemcpyDeviceToHost, stream));
    PERICENTER_CUDA_CHECK(cudaEventRecord(arrived_[slot], stream));
  };
  enqueue(0);
  for (std::size_t first = 0; first < count; first += kPortion) {
    enqueue(first + kPortion);
    const std::size_t slot = slot_of(first);
    PERICENTER_CUDA_CHECK(cudaEventSynchronize(arrived_[slot]));
    const Vertex* const from = copied_[slot].data();
    pool.run_chunks(first, std::min(first + kPortion, count), [&](std::size_t begin, std::size_t end) {
      std::copy(from + (begin - first), from + (end - first), to + begin);
    });
  }
}

}  // namespace pericenter
