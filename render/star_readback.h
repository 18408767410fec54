#pragma once

#include <glad/gl.h>
#include <array>
#include <cstdint>
#include <glm/glm.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "render/frame.h"
#include "render/gl_objects.h"
#include "render/shader_library.h"

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

/// Every stride-th star.
struct EveryNth {
  std::size_t stride = 1;
  std::size_t count = 0;
  std::size_t first = 0;  ///< index of the first one
};
/// Selects at most `max_count` (> 0) of `stars`, evenly spaced.
EveryNth every_nth(std::size_t stars, std::size_t max_count);

/// Copies stars between buffers on the GPU.
class StarCopier {
 public:
  explicit StarCopier(const ShaderLibrary& library);

  /// Writes 16-byte rows to `target`, starting at `row`. The caller issues the memory barrier for the reader.
  void copy(const Stars& stars, const EveryNth& which, GLuint target, std::size_t row) const;

 private:
  ProgramVariants programs_;
};

/// A vertex, unpacked on the host.
struct SampledStar {
  glm::vec3 position{0};
  std::uint32_t tag = 0;
  float scalar = 0;
};
/// Unpacks a vertex.
SampledStar sampled_star(const glm::vec3& position, std::uint32_t attribute);

/// Copies `count` stars from index `first` on to the host, as in Stars::buffer. Waits for the GPU.
std::vector<SampledStar> read_stars(const Stars& stars, std::size_t first, std::size_t count);

/// Some of the stars at one time, evenly spaced in the buffer.
struct StarSample {
  double time = 0;                      ///< time passed to the request
  std::vector<SampledStar> stars;       ///< always the same stars, at most kMaxSampled
  std::vector<SampledStar> first = {};  ///< the first stars of the buffer, at most kFirstSampled
  std::optional<SampledStar> chosen;    ///< the requested star
};
inline constexpr std::size_t kMaxSampled = 4096, kFirstSampled = 16;

/// Reads some of the stars back without waiting for the GPU.
class StarReadback {
 public:
  explicit StarReadback(const ShaderLibrary& library);
  /// Throws std::runtime_error and changes nothing when a shader does not compile.
  void build(const ShaderLibrary& library) { copier_ = StarCopier(library); }

  /// Requests a sample of the buffer at `time`, plus the star with index `chosen`. Call it once per new buffer content.
  void request(const Stars& stars, std::optional<std::uint32_t> chosen, double time = 0);
  /// The newest finished sample, a frame or two after its request; nullopt if none finished since the last call.
  std::optional<StarSample> take();

 private:
  /// A part of the buffer that the GPU fills while others are read.
  struct Slot {
    Fence fence;  // signalled when the slot is filled; empty when it is free
    std::uint64_t serial = 0;
    double time = 0;
    std::size_t count = 0, first = 0;
    bool has_chosen = false;
  };
  static constexpr std::size_t kSlots = 4;

  StarSample read(std::size_t slot) const;

  StarCopier copier_;
  Buffer buffer_;
  const void* mapped_ = nullptr;
  std::array<Slot, kSlots> slots_;
  std::uint64_t serial_ = 0;
};

}  // namespace pericenter::render
