#include "render/tone_map_pass.h"

#include "render/frame_uniforms.h"

namespace pericenter::render {
namespace {

constexpr GLuint kImageUnit = 0, kBloomUnit = 1, kSmoothUnit = 2;  // texture units in the shader

}  // namespace

ToneMapPass::ToneMapPass(const ShaderLibrary& library)
    : programs_(library, {"fullscreen.vert", "tone_map.frag"},
                {{"SMOOTHED"}, {"MARKS"}, {"BACKGROUND"}, {"TONE"}, {"COLORS", kColorGroups}}) {}

void ToneMapPass::draw(const ColorTarget& image, const Light& light, const ImageSettings& settings, bool marks) {
  const GLuint smooth = light.smoothing.finest().result;
  const LazyProgram& program =
      programs_.get({smooth != 0 ? 1u : 0u, marks ? 1u : 0u, static_cast<std::size_t>(settings.background),
                     static_cast<std::size_t>(settings.tone), color_group(settings.color)});
  glBindVertexArray(no_attributes_.name());
  glUseProgram(program.name());
  glProgramUniform1f(program.name(), 0, light.bloom.pixels());
  if (smooth != 0) glProgramUniform1f(program.name(), 1, light.smoothing.pixels());
  colors_.bind();
  glBindTextureUnit(kImageUnit, image.texture.name());
  glBindTextureUnit(kBloomUnit, light.bloom.bloom());
  glBindTextureUnit(kSmoothUnit, smooth);
  glBindBufferBase(GL_UNIFORM_BUFFER, kExposureBinding, light.exposure.buffer());
  glDrawArrays(GL_TRIANGLES, 0, 3);
  glBindBufferBase(GL_UNIFORM_BUFFER, kExposureBinding, 0);
  for (const GLuint unit : {kImageUnit, kBloomUnit, kSmoothUnit}) glBindTextureUnit(unit, 0);
}

}  // namespace pericenter::render
