#include <stdexcept>

#include "app/bridge/vertex_buffer.h"
#include "sim/core/bodies.h"

namespace pericenter::app {
namespace {

class HostBuffer final : public VertexBuffer {
 public:
  explicit HostBuffer(std::size_t capacity) : VertexBuffer(capacity) {
    constexpr GLbitfield kFlags = GL_MAP_WRITE_BIT | GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT;
    const auto bytes = static_cast<GLsizeiptr>(capacity * sizeof(Vertex));
    glNamedBufferStorage(name(), bytes, nullptr, kFlags);
    vertices_ = static_cast<Vertex*>(glMapNamedBufferRange(name(), 0, bytes, kFlags));
    if (!vertices_)
      throw std::runtime_error("the graphics driver cannot allocate a vertex buffer for " + std::to_string(capacity) +
                               " bodies");
  }

  VertexTarget map() override { return {.vertices = vertices_, .capacity = capacity()}; }
  void unmap() override {}

 private:
  Vertex* vertices_ = nullptr;
};

}  // namespace

void VertexBuffer::set_fence() {
  delete_fence();
  fence_ = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
}

bool VertexBuffer::is_free() {
  if (!fence_) return true;
  if (glClientWaitSync(fence_, GL_SYNC_FLUSH_COMMANDS_BIT, 0) == GL_TIMEOUT_EXPIRED) return false;
  delete_fence();
  return true;
}

void VertexBuffer::delete_fence() {
  if (fence_) glDeleteSync(fence_);
  fence_ = nullptr;
}

std::unique_ptr<VertexBuffer> make_host_buffer(std::size_t capacity) {
  return std::make_unique<HostBuffer>(capacity);
}

}  // namespace pericenter::app
