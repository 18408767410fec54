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

/// An OpenGL buffer of vertices that is drawn at one time and written by the simulation at another. For the thread of
/// its OpenGL context; it dies while the context is still current.
class VertexBuffer {
 public:
  explicit VertexBuffer(std::size_t capacity) : buffer_(render::make_buffer()), capacity_(capacity) {}
  virtual ~VertexBuffer() { forget_fence(); }
  VertexBuffer(const VertexBuffer&) = delete;
  VertexBuffer& operator=(const VertexBuffer&) = delete;

  unsigned name() const { return buffer_.name(); }
  std::size_t capacity() const { return capacity_; }  ///< vertices

  /// From here on the simulation may write it and OpenGL must leave it alone. Throws std::runtime_error.
  virtual VertexTarget map() = 0;
  /// From here on it may be drawn. After an exception it must not be used any more.
  virtual void unmap() = 0;

  /// Call after the last picture that was drawn from it.
  void set_fence();
  /// False while the GPU may still read it.
  bool is_free();

 private:
  void forget_fence();

  render::Buffer buffer_;
  std::size_t capacity_;
  GLsync fence_ = nullptr;
};

/// Stays mapped for as long as it lives: the host writes it where the driver reads it. Throws std::runtime_error when
/// there is no memory for it.
std::unique_ptr<VertexBuffer> make_host_buffer(std::size_t capacity);

/// A CUDA device writes it where OpenGL draws from. Throws std::runtime_error with a sentence when that cannot be.
std::unique_ptr<VertexBuffer> make_interop_buffer(std::size_t capacity, int device);

/// The CUDA device that OpenGL draws with.
struct GlCudaDevice {
  std::optional<int> device;  ///< as in Config::device; nullopt when none of those that can compute draws
  std::string problem;        ///< a sentence that says why there is none
};
/// Asks about the current OpenGL context. `usable` are the devices that can compute. Never throws.
GlCudaDevice gl_cuda_device(const CudaStatus& usable);
/// GlCudaDevice::problem where OpenGL runs on this renderer, which is no GPU of NVIDIA.
std::string drawn_elsewhere(const std::string& renderer);

}  // namespace pericenter::app
