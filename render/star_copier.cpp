#include "render/star_copier.h"

#include <algorithm>

#include "render/frame_uniforms.h"

namespace pericenter::render {
namespace {

constexpr std::size_t kBodyBytes = 16;
constexpr std::size_t kChunk = std::size_t{1} << 22;  // 64 MiB: half of the minimum GL_MAX_SHADER_STORAGE_BLOCK_SIZE
constexpr std::size_t kGroup = 64;                    // local size of sample.comp
constexpr GLuint kCopiesBinding = 1;

}  // namespace

EveryNth every_nth(std::size_t stars, std::size_t max_count) {
  const std::size_t stride = std::max<std::size_t>(1, (stars + max_count - 1) / max_count);
  return {.stride = stride, .count = (stars + stride - 1) / stride};
}

StarCopier::StarCopier(const ShaderLibrary& library) : program_(library, {"sample.comp"}) {}

void StarCopier::copy(const Stars& stars, const EveryNth& which, GLuint target, std::size_t row) const {
  const auto set = [&](GLint uniform, std::size_t value) {
    glProgramUniform1ui(program_.name(), uniform, static_cast<GLuint>(value));
  };
  glUseProgram(program_.name());
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, kCopiesBinding, target);
  for (std::size_t part = 0; part < stars.count; part += kChunk) {
    const std::size_t size = std::min(kChunk, stars.count - part);
    const std::size_t first = (part + which.stride - 1) / which.stride;
    const std::size_t last = std::min((part + size + which.stride - 1) / which.stride, which.count);
    if (first >= last) continue;
    glBindBufferRange(GL_SHADER_STORAGE_BUFFER, kBodiesBinding, stars.buffer, static_cast<GLintptr>(part * kBodyBytes),
                      static_cast<GLsizeiptr>(size * kBodyBytes));
    set(0, last - first);
    set(1, first * which.stride - part);
    set(2, which.stride);
    set(3, row + first);
    glDispatchCompute(static_cast<GLuint>((last - first + kGroup - 1) / kGroup), 1, 1);
  }
  // Unbind the vertex buffer, which the simulation writes next.
  for (const GLuint binding : {kBodiesBinding, kCopiesBinding}) glBindBufferBase(GL_SHADER_STORAGE_BUFFER, binding, 0);
  glUseProgram(0);
}

}  // namespace pericenter::render
