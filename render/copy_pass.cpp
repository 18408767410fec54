#include "render/copy_pass.h"

namespace pericenter::render {
namespace {

// Locations of the uniforms of shaders/copy.frag.
enum Location { first_pixel, viewport_size };

}  // namespace

CopyPass::CopyPass(const ShaderLibrary& library) : program_(library, {"fullscreen.vert", "copy.frag"}) {}

void CopyPass::draw(GLuint texture, GLuint framebuffer, glm::ivec2 first, glm::ivec2 size) const {
  const GLuint program = program_.name();
  glProgramUniform2f(program, first_pixel, static_cast<float>(first.x), static_cast<float>(first.y));
  glProgramUniform2f(program, viewport_size, static_cast<float>(size.x), static_cast<float>(size.y));
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
  glViewport(first.x, first.y, size.x, size.y);
  glUseProgram(program);
  glBindVertexArray(no_attributes_.name());
  glBindTextureUnit(0, texture);
  glDrawArrays(GL_TRIANGLES, 0, 3);
  glBindTextureUnit(0, 0);
  glBindVertexArray(0);
  glUseProgram(0);
}

}  // namespace pericenter::render
