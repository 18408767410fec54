#include "render/flow_pass.h"

#include <cmath>

#include "render/light_levels.h"

namespace pericenter::render {
namespace {

constexpr float kRows = 90;  // of the level in which directions are found, within a factor of the root of 2
// Texture units in the shaders.
constexpr GLuint kLightUnit = 0, kFlowUnit = 1, kCoarserUnit = 2;

}  // namespace

FlowPass::FlowPass(const ShaderLibrary& library)
    : light_(library, {"fullscreen.vert", "flow_light.frag"}),
      gradient_(library, {"fullscreen.vert", "flow_gradient.frag"}),
      flow_(library, {"fullscreen.vert", "flow.frag"}),
      along_(library, {"fullscreen.vert", "along_flow.frag"}) {}

int FlowPass::level_of(int height) {
  return static_cast<int>(std::lround(std::log2(static_cast<float>(height) / kRows)));
}

void FlowPass::find(const ColorTarget& here, GLuint coarser, float divider) {
  if (logarithm_.width != here.width || logarithm_.height != here.height) {
    logarithm_ = ColorTarget(GL_R16F, here.width, here.height);
    const glm::ivec2 half = (glm::ivec2(here.width, here.height) + 1) / 2;
    tensors_ = ColorTarget(GL_RGBA16F, half.x, half.y);
    directions_ = ColorTarget(GL_RG16F, half.x, half.y);
  }
  glBindVertexArray(no_attributes_.name());
  glUseProgram(light_.name());
  glBindTextureUnit(kLightUnit, here.texture.name());
  glBindTextureUnit(kCoarserUnit, coarser);
  cover(logarithm_);
  glUseProgram(gradient_.name());
  glProgramUniform1f(gradient_.name(), 0, divider);
  glBindTextureUnit(kLightUnit, logarithm_.texture.name());
  cover(tensors_);
  glUseProgram(flow_.name());
  glBindTextureUnit(kLightUnit, tensors_.texture.name());
  cover(directions_);
  for (const GLuint unit : {kLightUnit, kCoarserUnit}) glBindTextureUnit(unit, 0);
}

void FlowPass::smooth(GLuint light, const Place& place, float deviation, const ColorTarget& target) const {
  const glm::vec2 flow_texel = 0.5f / glm::vec2(directions_.width, directions_.height);
  const GLuint program = along_.name();
  glBindVertexArray(no_attributes_.name());
  glUseProgram(program);
  glProgramUniform2f(program, 0, place.texel.x * flow_texel.x, place.texel.y * flow_texel.y);
  glProgramUniform1f(program, 1, place.first_column * flow_texel.x);
  glProgramUniform2f(program, 2, deviation / place.texel.x, deviation / place.texel.y);
  glBindTextureUnit(kLightUnit, light);
  glBindTextureUnit(kFlowUnit, directions_.texture.name());
  cover(target);
  for (const GLuint unit : {kLightUnit, kFlowUnit}) glBindTextureUnit(unit, 0);
}

}  // namespace pericenter::render
