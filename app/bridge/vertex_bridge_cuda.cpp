// The only file that uses both CUDA and OpenGL. glad must come before headers that include <GL/gl.h>.
// clang-format off
#include <glad/gl.h>
#include <cuda_gl_interop.h>
// clang-format on

#include <algorithm>
#include <array>
#include <cstddef>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "app/bridge/vertex_bridge.h"
#include "sim/core/bodies.h"

namespace pericenter::app {
namespace {

std::string described(cudaError_t error) {
  return std::string(cudaGetErrorString(error)) + " (" + cudaGetErrorName(error) + ")";
}

/// Throws if a call failed. Clears the error, which a later call would report again.
void check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  cudaGetLastError();
  throw std::runtime_error(std::string(what) + ": " + described(error));
}

/// Logs an error; for destructors.
void report(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  cudaGetLastError();
  std::cerr << "pericenter: " << what << ": " << described(error) << '\n';
}

struct DestroyStream {
  void operator()(cudaStream_t stream) const { report(cudaStreamDestroy(stream), "cannot destroy a CUDA stream"); }
};
using Stream = std::unique_ptr<std::remove_pointer_t<cudaStream_t>, DestroyStream>;

struct Unregister {
  void operator()(cudaGraphicsResource_t resource) const {
    report(cudaGraphicsUnregisterResource(resource), "CUDA cannot unregister the OpenGL vertex buffer");
  }
};
using Resource = std::unique_ptr<std::remove_pointer_t<cudaGraphicsResource_t>, Unregister>;

Stream make_stream() {
  cudaStream_t stream = nullptr;
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cannot create a CUDA stream for the vertex buffer");
  return Stream(stream);
}

Resource register_buffer(GLuint buffer) {
  cudaGraphicsResource_t resource = nullptr;
  check(cudaGraphicsGLRegisterBuffer(&resource, buffer, cudaGraphicsRegisterFlagsWriteDiscard),
        "CUDA cannot register the OpenGL vertex buffer");
  return Resource(resource);
}

class InteropBuffer final : public VertexBuffer {
 public:
  InteropBuffer(std::size_t capacity, int device) : VertexBuffer(capacity), device_(device) {
    choose_device();
    stream_ = make_stream();
    glNamedBufferStorage(name(), static_cast<GLsizeiptr>(capacity * sizeof(Vertex)), nullptr, 0);
    resource_ = register_buffer(name());
  }
  ~InteropBuffer() override {
    report(cudaSetDevice(device_), "cannot select the CUDA device");
    if (!mapped_) return;
    cudaGraphicsResource_t resource = resource_.get();
    report(cudaGraphicsUnmapResources(1, &resource, stream_.get()), "CUDA cannot unmap the OpenGL vertex buffer");
  }

  VertexTarget map() override {
    choose_device();
    cudaGraphicsResource_t resource = resource_.get();
    check(cudaGraphicsMapResources(1, &resource, stream_.get()), "CUDA cannot map the OpenGL vertex buffer");
    mapped_ = true;
    void* memory = nullptr;
    std::size_t bytes = 0;
    check(cudaGraphicsResourceGetMappedPointer(&memory, &bytes, resource), "CUDA has no pointer to the vertex buffer");
    if (bytes < capacity() * sizeof(Vertex)) throw std::runtime_error("CUDA maps only a part of the vertex buffer");
    return {
        .vertices = static_cast<Vertex*>(memory), .capacity = capacity(), .on_device = true, .stream = stream_.get()};
  }

  void unmap() override {
    choose_device();
    mapped_ = false;
    cudaGraphicsResource_t resource = resource_.get();
    check(cudaGraphicsUnmapResources(1, &resource, stream_.get()), "CUDA cannot unmap the OpenGL vertex buffer");
  }

 private:
  /// The current device is per thread, and other code sets it too.
  void choose_device() { check(cudaSetDevice(device_), "cannot select the CUDA device of the vertex buffer"); }

  int device_;
  Stream stream_;
  Resource resource_;  // declared after the stream, so that it is destroyed first
  bool mapped_ = false;
};

std::string gl_text(GLenum name) {
  const GLubyte* text = glGetString(name);
  return text ? reinterpret_cast<const char*>(text) : "an unknown device";
}

}  // namespace

std::unique_ptr<VertexBuffer> make_interop_buffer(std::size_t capacity, int device) {
  return std::make_unique<InteropBuffer>(capacity, device);
}

GlCudaDevice gl_cuda_device(const CudaStatus& usable) {
  const std::string renderer = gl_text(GL_RENDERER);
  if (gl_text(GL_VENDOR).find("NVIDIA") == std::string::npos) {
    return {std::nullopt, renders_elsewhere(renderer)};
  }
  std::array<int, 32> devices{};
  unsigned count = 0;
  const cudaError_t error = cudaGLGetDevices(&count, devices.data(), devices.size(), cudaGLDeviceListAll);
  if (error != cudaSuccess) {
    cudaGetLastError();
    return {std::nullopt, "CUDA cannot find the GPU that OpenGL runs on, " + renderer + ": " + described(error)};
  }
  const auto last = devices.cbegin() + std::min<std::ptrdiff_t>(count, devices.size());
  const auto found = std::find_if(devices.cbegin(), last, [&](int device) { return usable.find(device) != nullptr; });
  if (found == last) return {std::nullopt, "OpenGL runs on " + renderer + ", which is not usable with CUDA"};
  return {*found, ""};
}

}  // namespace pericenter::app
