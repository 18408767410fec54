#include "render/exposure_pass.h"

#include <algorithm>
#include <cmath>

#include "render/frame_uniforms.h"

namespace pericenter::render {
namespace {

constexpr GLuint kCoarseUnit = 1, kSharpUnit = 2, kSmoothUnit = 3;  // texture units in the shader
constexpr float kFollowSeconds = 0.17f;                             // time constant: 95 % after half a second
constexpr GLsizeiptr kBytes = 16;                                   // minimum size of a uniform block

/// The level from which the exposure is computed: the coarsest, in which the noise of single bodies averages out. Fewer
/// than kSamples bodies are points of light, which a coarse level would make faint.
const ColorTarget& coarse(const ExposurePass::Metered& image) {
  constexpr int kFiner = 3;
  const LightLevels& levels = image.levels;
  return levels.at(image.bodies < kSamples ? std::max(levels.last() - kFiner, levels.first()) : levels.last());
}

}  // namespace

Exposure::Exposure() {
  const float none[kBytes / sizeof(float)] = {};
  glNamedBufferStorage(buffer_.name(), kBytes, none, GL_DYNAMIC_STORAGE_BIT);
}

ExposurePass::ExposurePass(const ShaderLibrary& library) : program_(library, {"expose.comp"}) {}

void ExposurePass::follow(const Metered& image, float seconds, const Exposure& exposure) const {
  const GLuint program = program_.name(), smooth = image.smoothing.finest().result;
  glUseProgram(program);
  glProgramUniform1f(program, 0, seconds > 0 ? 1 - std::exp(-seconds / kFollowSeconds) : 0);
  glProgramUniform1f(program, 1, smooth != 0 ? std::ldexp(image.smoothing.pixels(), -image.levels.first()) : 0);
  glProgramUniform1f(program, 2, image.bloom);
  glProgramUniform1i(program, 3, image.grain && image.bodies >= kSamples ? 1 : 0);
  glBindTextureUnit(kCoarseUnit, coarse(image).texture.name());
  glBindTextureUnit(kSharpUnit, image.levels.image().texture.name());
  glBindTextureUnit(kSmoothUnit, smooth);
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, kExposureBinding, exposure.buffer());
  glDispatchCompute(1, 1, 1);
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, kExposureBinding, 0);
  for (const GLuint unit : {kCoarseUnit, kSharpUnit, kSmoothUnit}) glBindTextureUnit(unit, 0);
  glMemoryBarrier(GL_UNIFORM_BARRIER_BIT | GL_BUFFER_UPDATE_BARRIER_BIT);
}

void ExposurePass::reset(const Exposure& exposure) const {
  glClearNamedBufferData(exposure.buffer(), GL_R32F, GL_RED, GL_FLOAT, nullptr);
}

}  // namespace pericenter::render
