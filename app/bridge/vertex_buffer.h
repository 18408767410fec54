#pragma once

#include <glad/gl.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "render/gl_objects.h"
#include "sim/core/device.h"
#include "sim/core/vertex_target.h"

namespace pericenter::app {

/// An OpenGL vertex buffer that is alternately drawn and written by the simulation. For the thread of its OpenGL
/// context, which must be current when the buffer is destroyed.
class VertexBuffer {
 public:
  explicit VertexBuffer(std::size_t capacity) : buffer_(render::make_buffer()), capacity_(capacity) {}
  virtual ~VertexBuffer() { delete_fence(); }
  VertexBuffer(const VertexBuffer&) = delete;
  VertexBuffer& operator=(const VertexBuffer&) = delete;

  unsigned name() const { return buffer_.name(); }
  std::size_t capacity() const { return capacity_; }  ///< vertices

  /// From now on the simulation may write it and OpenGL must not use it. Throws std::runtime_error.
  virtual VertexTarget map() = 0;
  /// From now on it may be drawn. After an exception it is unusable.
  virtual void unmap() = 0;

  /// Call after the last frame that was drawn from it.
  void set_fence();
  /// False while the GPU may still read it.
  bool is_free();

 private:
  void delete_fence();

  render::Buffer buffer_;
  std::size_t capacity_;
  GLsync fence_ = nullptr;
};

/// A persistently mapped buffer in host memory. Throws std::runtime_error if there is not enough memory.
std::unique_ptr<VertexBuffer> make_host_buffer(std::size_t capacity);

/// A buffer that CUDA and OpenGL share. Throws std::runtime_error if interop fails.
std::unique_ptr<VertexBuffer> make_interop_buffer(std::size_t capacity, int device);

/// The CUDA device that OpenGL renders with.
struct GlCudaDevice {
  std::optional<int> device;  ///< value of Config::device; nullopt if no usable device renders
  std::string problem;        ///< reason for nullopt
};
/// The device of the current OpenGL context, among the `usable` ones. Never throws.
GlCudaDevice gl_cuda_device(const CudaStatus& usable);
/// GlCudaDevice::problem if OpenGL runs on this renderer, which is not an NVIDIA GPU.
std::string renders_elsewhere(const std::string& renderer);

}  // namespace pericenter::app
