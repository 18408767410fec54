#include "render/box_pass.h"

#include <cstddef>
#include <utility>

namespace pericenter::render {

static_assert(sizeof(Box) == 20 && offsetof(Box, half_width) == 12 && offsetof(Box, level) == 16);

BoxPass::BoxPass(const ShaderLibrary& library) {
  build(library);
  const GLuint name = attributes_.name();
  glVertexArrayAttribFormat(name, 0, 4, GL_FLOAT, GL_FALSE, offsetof(Box, center));
  glVertexArrayAttribIFormat(name, 1, 1, GL_INT, offsetof(Box, level));
  for (const GLuint attribute : {0u, 1u}) {
    glVertexArrayAttribBinding(name, attribute, 0);
    glEnableVertexArrayAttrib(name, attribute);
  }
  glVertexArrayBindingDivisor(name, 0, 1);
}

void BoxPass::build(const ShaderLibrary& library) {
  Program cubes = library.build({"box.vert", "box.frag"}, "FLAT 0");
  Program squares = library.build({"box.vert", "box.frag"}, "FLAT 1");
  cubes_ = std::move(cubes);
  squares_ = std::move(squares);
}

void BoxPass::set_boxes(std::span<const Box> boxes) {
  count_ = boxes.size();
  if (count_ == 0) return;
  if (count_ > capacity_) {
    capacity_ = count_ + count_ / 2;
    buffer_ = make_buffer();
    glNamedBufferStorage(buffer_.name(), static_cast<GLsizeiptr>(capacity_ * sizeof(Box)), nullptr,
                         GL_DYNAMIC_STORAGE_BIT);
    glVertexArrayVertexBuffer(attributes_.name(), 0, buffer_.name(), 0, sizeof(Box));
  }
  glNamedBufferSubData(buffer_.name(), 0, static_cast<GLsizeiptr>(boxes.size_bytes()), boxes.data());
}

void BoxPass::draw(bool flat) const {
  if (count_ == 0) return;
  glEnable(GL_BLEND);
  glBlendEquation(GL_FUNC_ADD);
  glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ZERO, GL_ONE);
  glUseProgram(flat ? squares_.name() : cubes_.name());
  glBindVertexArray(attributes_.name());
  glDrawArraysInstanced(GL_LINES, 0, flat ? 8 : 24, static_cast<GLsizei>(count_));
  glDisable(GL_BLEND);
}

}  // namespace pericenter::render
