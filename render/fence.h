#pragma once

#include <glad/gl.h>

#include <utility>

namespace pericenter::render {

/// A fence in the GPU command stream, signalled when all earlier commands are done. Move-only; may be empty.
class Fence {
 public:
  Fence() = default;
  /// Inserts a fence after all commands so far.
  static Fence now() {
    Fence fence;
    fence.sync_ = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    return fence;
  }
  ~Fence() { glDeleteSync(sync_); }
  Fence(Fence&& other) noexcept : sync_(std::exchange(other.sync_, nullptr)) {}
  Fence& operator=(Fence&& other) noexcept {
    std::swap(sync_, other.sync_);
    return *this;
  }

  explicit operator bool() const { return sync_ != nullptr; }
  /// Whether it is signalled; does not wait. Must not be empty.
  bool signaled() const {
    const GLenum state = glClientWaitSync(sync_, GL_SYNC_FLUSH_COMMANDS_BIT, 0);
    return state == GL_ALREADY_SIGNALED || state == GL_CONDITION_SATISFIED;
  }

 private:
  GLsync sync_ = nullptr;
};

}  // namespace pericenter::render
