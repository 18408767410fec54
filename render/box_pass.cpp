#include "render/box_pass.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace pericenter::render {

namespace {

constexpr std::size_t kLevels = 32;  // as many as box.vert has opacities for
/// Pixels of line that one level of cells may put on the picture at full opacity: thousands of large cells would hide
/// the small ones.
constexpr float kInk = 4e4f;
constexpr float kLegible = 8;  ///< width in pixels below which a cell's edges run together
constexpr float kFaintest = 0.015f;

}  // namespace

static_assert(sizeof(Box) == 28);

BoxPass::BoxPass(const ShaderLibrary& library) {
  build(library);
  const GLuint name = attributes_.name();
  glVertexArrayAttribFormat(name, 0, 3, GL_FLOAT, GL_FALSE, offsetof(Box, center));
  glVertexArrayAttribFormat(name, 1, 3, GL_FLOAT, GL_FALSE, offsetof(Box, half_width));
  glVertexArrayAttribIFormat(name, 2, 1, GL_INT, offsetof(Box, level));
  for (const GLuint attribute : {0u, 1u, 2u}) {
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
  level_count_ = {};
  level_width_ = {};
  for (const Box& box : boxes) {
    const auto level =
        static_cast<std::size_t>(std::clamp<std::int32_t>(box.level, 0, static_cast<std::int32_t>(kLevels) - 1));
    level_width_[level] += 2 * std::max({box.half_width[0], box.half_width[1], box.half_width[2]});
    ++level_count_[level];
  }
  for (std::size_t level = 0; level < kLevels; ++level) {
    level_width_[level] /= static_cast<float>(std::max<std::size_t>(1, level_count_[level]));
  }
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

void BoxPass::draw(const BoxSettings& settings, float unit) const {
  if (count_ == 0) return;
  const int edges = settings.flat ? 4 : 12;
  std::array<float, kLevels> opacity;
  for (std::size_t level = 0; level < kLevels; ++level) {
    const float width = level_width_[level] * unit;
    const float ink = static_cast<float>(edges) * static_cast<float>(level_count_[level]) * width;
    const float share = std::clamp(kInk / std::max(ink, 1.0f), kFaintest, 1.0f);
    opacity[level] = std::clamp(settings.opacity, 0.0f, 1.0f) * share * std::clamp(width / kLegible, 0.1f, 1.0f);
  }
  const Program& program = settings.flat ? squares_ : cubes_;
  glProgramUniform1fv(program.name(), 0, kLevels, opacity.data());
  glEnable(GL_BLEND);
  glBlendEquation(GL_FUNC_ADD);
  glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ZERO, GL_ONE);
  glUseProgram(program.name());
  glBindVertexArray(attributes_.name());
  glDrawArraysInstanced(GL_LINES, 0, 2 * edges, static_cast<GLsizei>(count_));
  glDisable(GL_BLEND);
}

}  // namespace pericenter::render
