#pragma once

#include <glad/gl.h>

#include <algorithm>
#include <cstddef>

#include "render/frame.h"
#include "render/frame_uniforms.h"

namespace pericenter::render {

/// A range of the bodies that one compute dispatch reads.
struct BodyChunk {
  GLuint count, first;  ///< bodies of the range, and the index of the first
  GLuint every;         ///< one in `every` groups is dispatched
  GLuint groups;
};

inline constexpr GLuint kBodyGroup = 128;  ///< bodies per work group of the shaders that read them

/// Binds ranges of the vertex buffer, each within the minimum GL_MAX_SHADER_STORAGE_BLOCK_SIZE, and dispatches each.
template <class Dispatch>
void for_each_chunk(const Stars& stars, std::size_t every, const Dispatch& dispatch) {
  constexpr std::size_t kChunk = std::size_t{1} << 22;  // 64 MiB: half of that minimum
  constexpr std::size_t kBodyBytes = 16;
  const std::size_t stride = kBodyGroup * every;
  for (std::size_t first = 0; first < stars.count; first += kChunk) {
    const std::size_t count = std::min(kChunk, stars.count - first);
    glBindBufferRange(GL_SHADER_STORAGE_BUFFER, kBodiesBinding, stars.buffer, static_cast<GLintptr>(first * kBodyBytes),
                      static_cast<GLsizeiptr>(count * kBodyBytes));
    dispatch(BodyChunk{.count = static_cast<GLuint>(count),
                       .first = static_cast<GLuint>(first),
                       .every = static_cast<GLuint>(every),
                       .groups = static_cast<GLuint>((count + stride - 1) / stride)});
  }
}

}  // namespace pericenter::render
