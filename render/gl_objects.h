#pragma once

#include <glad/gl.h>

#include <utility>

namespace pericenter::render {

/// Move-only owner of one GL object; `Delete` frees it.
template <void (*Delete)(GLuint)>
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
    if (name_ != 0) Delete(name_);
    name_ = 0;
  }

  GLuint name_ = 0;
};

inline void delete_buffer(GLuint name) {
  glDeleteBuffers(1, &name);
}
inline void delete_texture(GLuint name) {
  glDeleteTextures(1, &name);
}
inline void delete_framebuffer(GLuint name) {
  glDeleteFramebuffers(1, &name);
}
inline void delete_vertex_array(GLuint name) {
  glDeleteVertexArrays(1, &name);
}
inline void delete_shader(GLuint name) {
  glDeleteShader(name);
}
inline void delete_program(GLuint name) {
  glDeleteProgram(name);
}

inline void delete_query(GLuint name) {
  glDeleteQueries(1, &name);
}

using Buffer = GlObject<delete_buffer>;
using Texture = GlObject<delete_texture>;
using Framebuffer = GlObject<delete_framebuffer>;
using VertexArray = GlObject<delete_vertex_array>;
using Shader = GlObject<delete_shader>;
using Program = GlObject<delete_program>;
using Query = GlObject<delete_query>;

inline Buffer make_buffer() {
  GLuint name = 0;
  glCreateBuffers(1, &name);
  return Buffer(name);
}

inline VertexArray make_vertex_array() {
  GLuint name = 0;
  glCreateVertexArrays(1, &name);
  return VertexArray(name);
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
