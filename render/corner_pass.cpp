#include "render/corner_pass.h"

#include "render/light_levels.h"

namespace pericenter::render {

CornerPass::CornerPass(const ShaderLibrary& library)
    : single_(library, {"fullscreen.vert", "corners.frag"}, {"MIXED 0"}),
      mixed_(library, {"fullscreen.vert", "corners.frag"}, {"MIXED 1"}) {}

ColorTarget CornerPass::target(const ColorTarget& level) {
  return ColorTarget(GL_RGBA16F, level.width + 1, level.height + 1);
}

void CornerPass::draw(const ColorTarget& level, float share, GLuint other, const ColorTarget& corners) const {
  constexpr GLuint kLevelUnit = 1, kOtherUnit = 2;
  const GLuint program = (other != 0 ? mixed_ : single_).name();
  glBindVertexArray(no_attributes_.name());
  glUseProgram(program);
  glProgramUniform1f(program, 0, share);
  glBindTextureUnit(kLevelUnit, level.texture.name());
  glBindTextureUnit(kOtherUnit, other);
  cover(corners);
  for (const GLuint unit : {kLevelUnit, kOtherUnit}) glBindTextureUnit(unit, 0);
}

}  // namespace pericenter::render
