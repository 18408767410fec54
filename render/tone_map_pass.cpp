#include "render/tone_map_pass.h"

#include "render/frame_uniforms.h"

namespace pericenter::render {
namespace {

constexpr GLuint kPictureUnit = 0, kGlowUnit = 1;  // that the shader names

}  // namespace

ToneMapPass::ToneMapPass(const ShaderLibrary& library)
    : program_(library.build({"fullscreen.vert", "tone_map.frag"})) {}

void ToneMapPass::draw(const ColorTarget& picture, const BloomPass& bloom, const Exposure& exposure) const {
  glBindVertexArray(no_attributes_.name());
  glUseProgram(program_.name());
  glProgramUniform1f(program_.name(), 0, bloom.glow_pixels());
  glBindTextureUnit(kPictureUnit, picture.texture.name());
  glBindTextureUnit(kGlowUnit, bloom.bloom());
  glBindBufferBase(GL_UNIFORM_BUFFER, kExposureBinding, exposure.buffer());
  glDrawArrays(GL_TRIANGLES, 0, 3);
  glBindBufferBase(GL_UNIFORM_BUFFER, kExposureBinding, 0);
  for (const GLuint unit : {kPictureUnit, kGlowUnit}) glBindTextureUnit(unit, 0);
}

}  // namespace pericenter::render
