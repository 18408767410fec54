#pragma once

#include <glm/glm.hpp>

#include "render/gl_objects.h"
#include "render/lazy_program.h"

namespace pericenter::render {

/// Copies an image, as glBlitNamedFramebuffer does, whose programs llvmpipe compiles in each process (25 to 70 ms); it
/// caches this one.
class CopyPass {
 public:
  explicit CopyPass(const ShaderLibrary& library);

  /// Stretches `texture`, with its own filter, over a rectangle of a framebuffer; `first` is its lower left pixel.
  void draw(GLuint texture, GLuint framebuffer, glm::ivec2 first, glm::ivec2 size) const;

 private:
  LazyProgram program_;
  VertexArray no_attributes_ = make_vertex_array();
};

}  // namespace pericenter::render
