#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <new>
#include <utility>
#include <vector>

#include "sim/core/device.h"
#include "sim/core/solver_options.h"
#include "sim/cuda/runtime/cuda_check.cuh"

namespace pericenter {

/// Memory of the current device.
struct DeviceMemoryKind {
  static cudaError_t allocate(void** memory, std::size_t bytes) { return cudaMalloc(memory, bytes); }
  static cudaError_t release(void* memory) { return cudaFree(memory); }
  [[noreturn]] static void refuse(std::size_t bytes) {
    std::size_t free = 0, total = 0;
    PERICENTER_CUDA_CHECK(cudaMemGetInfo(&free, &total));
    throw DeviceMemoryError(bytes, free);
  }
};
/// Page-locked host memory, required for asynchronous copies.
struct PinnedMemoryKind {
  static cudaError_t allocate(void** memory, std::size_t bytes) { return cudaMallocHost(memory, bytes); }
  static cudaError_t release(void* memory) { return cudaFreeHost(memory); }
  [[noreturn]] static void refuse(std::size_t) { throw std::bad_alloc(); }
};
/// Pageable host memory.
struct PageableMemoryKind {
  static constexpr std::align_val_t kAlignment{64};

  static cudaError_t allocate(void** memory, std::size_t bytes) {
    *memory = ::operator new(bytes, kAlignment, std::nothrow);
    return *memory == nullptr ? cudaErrorMemoryAllocation : cudaSuccess;
  }
  static cudaError_t release(void* memory) {
    ::operator delete(memory, kAlignment);
    return cudaSuccess;
  }
  [[noreturn]] static void refuse(std::size_t) { throw std::bad_alloc(); }
};

/// Move-only owner of an uninitialised array; an empty array allocates no memory. Throws DeviceMemoryError, or
/// std::bad_alloc for host memory.
template <class T, class Kind = DeviceMemoryKind>
class CudaBuffer {
 public:
  CudaBuffer() = default;
  explicit CudaBuffer(std::size_t size) : size_(size) {
    if (size == 0) return;
    const cudaError_t error = Kind::allocate(reinterpret_cast<void**>(&data_), bytes());
    if (error == cudaErrorMemoryAllocation) {
      cudaGetLastError();
      Kind::refuse(bytes());
    }
    PERICENTER_CUDA_CHECK(error);
  }
  ~CudaBuffer() {
    if (data_ != nullptr) PERICENTER_CUDA_LOG(Kind::release(data_));
  }
  CudaBuffer(CudaBuffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  CudaBuffer& operator=(CudaBuffer&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }

  T* data() const { return data_; }
  std::size_t size() const { return size_; }
  std::size_t bytes() const { return size_ * sizeof(T); }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

template <class T>
using DeviceBuffer = CudaBuffer<T>;
template <class T>
using PinnedBuffer = CudaBuffer<T, PinnedMemoryKind>;

/// Copies host memory to the device, and waits until every stream can read it: cudaMemcpy() may return before the copy
/// has arrived, and the streams of solvers do not wait for it.
template <class T>
void copy_to_device(T* to, const T* from, std::size_t count) {
  if (count == 0) return;
  PERICENTER_CUDA_CHECK(cudaMemcpy(to, from, count * sizeof(T), cudaMemcpyHostToDevice));
  PERICENTER_CUDA_CHECK(cudaStreamSynchronize(nullptr));
}

/// Waits for the device.
template <class T>
std::vector<T> copied_from_device(const T* from, std::size_t count) {
  std::vector<T> to(count);
  PERICENTER_CUDA_CHECK(cudaMemcpy(to.data(), from, count * sizeof(T), cudaMemcpyDeviceToHost));
  return to;
}

/// Host memory, pageable or page-locked depending on a solver option.
template <class T>
class HostBuffer {
 public:
  HostBuffer(HostMemory kind, std::size_t size)
      : pinned_(kind == HostMemory::pinned ? size : 0), pageable_(kind == HostMemory::pageable ? size : 0) {}

  T* data() const { return pinned_.data() != nullptr ? pinned_.data() : pageable_.data(); }

 private:
  PinnedBuffer<T> pinned_;
  CudaBuffer<T, PageableMemoryKind> pageable_;
};

}  // namespace pericenter
