#pragma once

#include <glad/gl.h>

#include <concepts>
#include <type_traits>
#include <utility>

namespace pericenter::render {

/// Move-only owner of one GL object, which the loaded function `*Delete` frees.
template <auto* Delete>
class GlObject {
 public:
  GlObject() = default;
  explicit GlObject(GLuint name) : name_(name) {}
  ~GlObject() { reset(); }
  GlObject(GlObject&& other) noexcept : name_(std::exchange(other.name_, 0)) {}
  GlObject& operator=(GlObject&& other) noexcept {
    if (this != &other) {
      reset();
      name_ = std::exchange(other.name_, 0);
    }
    return *this;
  }

  GLuint name() const { return name_; }

 private:
  void reset() {
    if (name_ == 0) return;
    if constexpr (std::is_invocable_v<decltype(*Delete), GLuint>)
      (*Delete)(name_);
    else
      (*Delete)(1, &name_);
    name_ = 0;
  }

  GLuint name_ = 0;
};

using Buffer = GlObject<&glad_glDeleteBuffers>;
using Texture = GlObject<&glad_glDeleteTextures>;
using Framebuffer = GlObject<&glad_glDeleteFramebuffers>;
using VertexArray = GlObject<&glad_glDeleteVertexArrays>;
using Shader = GlObject<&glad_glDeleteShader>;
using Program = GlObject<&glad_glDeleteProgram>;
using Query = GlObject<&glad_glDeleteQueries>;

inline Buffer make_buffer() {
  GLuint name = 0;
  glCreateBuffers(1, &name);
  return Buffer(name);
}
/// Replaces `buffer` by one with storage for `bytes`.
inline void allocate(Buffer& buffer, std::integral auto bytes, const void* data = nullptr, GLbitfield flags = 0) {
  buffer = make_buffer();
  glNamedBufferStorage(buffer.name(), static_cast<GLsizeiptr>(bytes), data, flags);
}

inline VertexArray make_vertex_array() {
  GLuint name = 0;
  glCreateVertexArrays(1, &name);
  return VertexArray(name);
}

inline Texture make_texture(GLenum target) {
  GLuint name = 0;
  glCreateTextures(target, 1, &name);
  return Texture(name);
}
/// A texture through which shaders read the numbers of a buffer.
inline Texture make_buffer_texture(GLenum format, const Buffer& buffer) {
  Texture texture = make_texture(GL_TEXTURE_BUFFER);
  glTextureBuffer(texture.name(), format, buffer.name());
  return texture;
}

/// A 2D texture with one level, linear filtering and clamped edges, with its framebuffer.
struct ColorTarget {
  ColorTarget() = default;
  ColorTarget(GLenum format, int width_pixels, int height_pixels);

  Texture texture;
  Framebuffer framebuffer;
  int width = 0, height = 0;
};

}  // namespace pericenter::render
