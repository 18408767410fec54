#include "render/tone_map_pass.h"

#include "render/frame_uniforms.h"

namespace pericenter::render {
namespace {

constexpr GLuint kImageUnit = 0, kBloomUnit = 1;  // texture units in the shader

}  // namespace

ToneMapPass::ToneMapPass(const ShaderLibrary& library)
    : program_(library.build({"fullscreen.vert", "tone_map.frag"})) {}

void ToneMapPass::draw(const ColorTarget& image, const BloomPass& bloom, const Exposure& exposure) const {
  glBindVertexArray(no_attributes_.name());
  glUseProgram(program_.name());
  glProgramUniform1f(program_.name(), 0, bloom.bloom_pixels());
  colors_.bind();
  glBindTextureUnit(kImageUnit, image.texture.name());
  glBindTextureUnit(kBloomUnit, bloom.bloom());
  glBindBufferBase(GL_UNIFORM_BUFFER, kExposureBinding, exposure.buffer());
  glDrawArrays(GL_TRIANGLES, 0, 3);
  glBindBufferBase(GL_UNIFORM_BUFFER, kExposureBinding, 0);
  for (const GLuint unit : {kImageUnit, kBloomUnit}) glBindTextureUnit(unit, 0);
}

}  // namespace pericenter::render
