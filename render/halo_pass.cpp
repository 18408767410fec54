#include "render/halo_pass.h"

#include <algorithm>

#include "render/light_levels.h"
#include "render/shader_interface.h"

namespace pericenter::render {
namespace {

constexpr std::size_t kDrawn = 4'000'000;  // bodies; more would only change the noise
constexpr GLuint kLightUnit = 0, kCellsUnit = 3;
constexpr GLsizeiptr kCellBytes = 16;
enum Location { count, every, columns_of, size_of_image, side_of_cell };

}  // namespace

HaloPass::HaloPass(const ShaderLibrary& library)
    : accumulate_(library, {"halo.comp"}, {{"MIXED", kMixes}}), resolve_(library, {"fullscreen.vert", "halo.frag"}) {}

void HaloPass::clear(glm::ivec2 size, int level) {
  side_ = 1 << std::max(kLevel - level, 0);
  const glm::ivec2 cells = (size + side_ - 1) / side_;
  if (cells != size_) {
    size_ = cells;
    allocate(cells_, kCellBytes * cells.x * cells.y);
    texture_ = make_buffer_texture(GL_RGBA32UI, cells_);
  }
  glClearNamedBufferData(cells_.name(), GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, nullptr);
}

void HaloPass::add(const Stars& stars, glm::ivec2 columns) const {
  const GLuint program = accumulate_.get({stars.mixed()}).name();
  glUseProgram(program);
  colors_.bind();
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, kLightBinding, cells_.name());
  glProgramUniform2i(program, columns_of, columns.x, columns.y);
  glProgramUniform2i(program, size_of_image, size_.x, size_.y);
  glProgramUniform1i(program, side_of_cell, side_);
  for_each_chunk(stars, (stars.count + kDrawn - 1) / kDrawn, [&](const BodyChunk& chunk) {
    glProgramUniform1ui(program, count, chunk.count);
    glProgramUniform1ui(program, every, chunk.every);
    glDispatchCompute(chunk.groups, 1, 1);
  });
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, kLightBinding, 0);
  glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT);
}

void HaloPass::draw(const ColorTarget& target, GLuint light) const {
  glUseProgram(resolve_.name());
  glProgramUniform2i(resolve_.name(), 0, size_.x, size_.y);
  glProgramUniform1i(resolve_.name(), 1, side_);
  glBindTextureUnit(kLightUnit, light);
  glBindTextureUnit(kCellsUnit, texture_.name());
  glEnable(GL_BLEND);
  glBlendFunc(GL_ONE, GL_ONE);
  cover(target);
  glDisable(GL_BLEND);
  glBindTextureUnit(kCellsUnit, 0);
}

}  // namespace pericenter::render
