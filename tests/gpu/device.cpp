#include "tests/gpu/device.h"

#include <cuda_runtime.h>

#include "sim/cuda/runtime/cuda_check.cuh"

namespace pericenter::test {

std::size_t free_device_memory() {
  std::size_t free = 0, total = 0;
  PERICENTER_CUDA_CHECK(cudaSetDevice(0));
  PERICENTER_CUDA_CHECK(cudaDeviceSynchronize());
  PERICENTER_CUDA_CHECK(cudaMemGetInfo(&free, &total));
  return free;
}

struct Ballast::Impl {
  std::vector<void*> blocks;

  ~Impl() {
    for (void* block : blocks) cudaFree(block);
  }
};

Ballast::Ballast(std::size_t left) : impl_(std::make_unique<Impl>()) {
  for (std::size_t step = std::size_t(4) << 30; step >= std::size_t(4) << 20;) {
    void* block = nullptr;
    if (free_device_memory() > left + step && cudaMalloc(&block, step) == cudaSuccess) {
      impl_->blocks.push_back(block);
    } else {
      cudaGetLastError();
      step /= 2;
    }
  }
}

Ballast::~Ballast() = default;

struct DeviceVertices::Impl {
  std::size_t count = 0;
  void* memory = nullptr;
  cudaStream_t stream = nullptr;

  ~Impl() {
    cudaFree(memory);
    if (stream) cudaStreamDestroy(stream);
  }
};

DeviceVertices::DeviceVertices(std::size_t count) : impl_(std::make_unique<Impl>()) {
  impl_->count = count;
  PERICENTER_CUDA_CHECK(cudaSetDevice(0));
  PERICENTER_CUDA_CHECK(cudaStreamCreateWithFlags(&impl_->stream, cudaStreamNonBlocking));
  PERICENTER_CUDA_CHECK(cudaMalloc(&impl_->memory, count * sizeof(Vertex)));
  PERICENTER_CUDA_CHECK(cudaMemset(impl_->memory, 0xFF, count * sizeof(Vertex)));
  PERICENTER_CUDA_CHECK(cudaDeviceSynchronize());
}

DeviceVertices::~DeviceVertices() = default;

VertexTarget DeviceVertices::target() const {
  return {.vertices = static_cast<Vertex*>(impl_->memory),
          .capacity = impl_->count,
          .on_device = true,
          .stream = impl_->stream};
}

std::vector<Vertex> DeviceVertices::read() const {
  std::vector<Vertex> vertices(impl_->count);
  const std::size_t bytes = vertices.size() * sizeof(Vertex);
  PERICENTER_CUDA_CHECK(cudaMemcpyAsync(vertices.data(), impl_->memory, bytes, cudaMemcpyDeviceToHost, impl_->stream));
  PERICENTER_CUDA_CHECK(cudaStreamSynchronize(impl_->stream));
  return vertices;
}

}  // namespace pericenter::test
