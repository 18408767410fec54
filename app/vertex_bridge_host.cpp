#include <glad/gl.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

#include "app/vertex_bridge.h"
#include "render/gl_objects.h"

namespace pericenter::app {
namespace {

/// A vertex buffer that stays mapped for as long as it lives, and the fence after the last picture drawn from it.
class MappedBuffer {
 public:
  MappedBuffer() = default;
  explicit MappedBuffer(std::size_t capacity) : buffer_(render::make_buffer()) {
    constexpr GLbitfield kFlags = GL_MAP_WRITE_BIT | GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT;
    const auto bytes = static_cast<GLsizeiptr>(capacity * sizeof(Vertex));
    glNamedBufferStorage(buffer_.name(), bytes, nullptr, kFlags);
    auto* memory = static_cast<Vertex*>(glMapNamedBufferRange(buffer_.name(), 0, bytes, kFlags));
    if (!memory)
      throw std::runtime_error("the graphics driver has no memory for " + std::to_string(capacity) + " stars");
    vertices_ = {memory, capacity};
  }
  ~MappedBuffer() { forget_fence(); }
  MappedBuffer(MappedBuffer&& other) noexcept
      : buffer_(std::move(other.buffer_)),
        vertices_(std::exchange(other.vertices_, {})),
        fence_(std::exchange(other.fence_, nullptr)) {}
  MappedBuffer& operator=(MappedBuffer&& other) noexcept {
    std::swap(buffer_, other.buffer_);
    std::swap(vertices_, other.vertices_);
    std::swap(fence_, other.fence_);
    return *this;
  }

  GLuint name() const { return buffer_.name(); }
  std::span<Vertex> vertices() const { return vertices_; }

  /// Call after the last picture that was drawn from it.
  void set_fence() {
    forget_fence();
    fence_ = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
  }
  /// False while the GPU may still read it.
  bool is_free() {
    if (!fence_) return true;
    if (glClientWaitSync(fence_, GL_SYNC_FLUSH_COMMANDS_BIT, 0) == GL_TIMEOUT_EXPIRED) return false;
    forget_fence();
    return true;
  }

 private:
  void forget_fence() {
    if (fence_) glDeleteSync(fence_);
    fence_ = nullptr;
  }

  render::Buffer buffer_;
  std::span<Vertex> vertices_;
  GLsync fence_ = nullptr;
};

class HostBridge : public VertexBridge {
 public:
  std::optional<Published> exchange(SimulationThread& simulation) override {
    const auto published = simulation.take_back();
    if (published) is_lent_ = false;
    const bool fits = published && take(*published, simulation);
    if (!is_lent_) lend(simulation);
    return fits ? published : std::nullopt;
  }

  unsigned buffer() const override { return buffers_[drawn_].name(); }
  std::size_t count() const override { return count_; }
  std::string_view name() const override { return "host"; }

 private:
  static constexpr std::size_t kFirstCapacity = 1024;

  /// Makes the filled buffer the one to draw; false when it was too small to be filled.
  bool take(const Published& published, SimulationThread& simulation) {
    const std::size_t needed = simulation.state().bodies;
    capacity_ = std::max(capacity_, needed);
    if (published.count == 0 && needed > buffers_[other()].vertices().size()) return false;
    if (buffer() != 0) buffers_[drawn_].set_fence();
    drawn_ = other();
    count_ = published.count;
    return true;
  }

  void lend(SimulationThread& simulation) {
    MappedBuffer& spare = buffers_[other()];
    // A picture may wait a frame for its buffer; the program never waits for the GPU here.
    if (!spare.is_free()) return;
    if (spare.vertices().size() < capacity_) spare = MappedBuffer(capacity_);
    simulation.lend(spare.vertices());
    is_lent_ = true;
  }

  std::size_t other() const { return 1 - drawn_; }

  std::array<MappedBuffer, 2> buffers_;
  std::size_t capacity_ = kFirstCapacity;
  std::size_t drawn_ = 0, count_ = 0;
  bool is_lent_ = false;
};

}  // namespace

std::unique_ptr<VertexBridge> make_host_bridge() {
  return std::make_unique<HostBridge>();
}

}  // namespace pericenter::app
