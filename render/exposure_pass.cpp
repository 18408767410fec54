#include "render/exposure_pass.h"

#include <algorithm>
#include <cmath>

#include "render/frame_uniforms.h"

namespace pericenter::render {
namespace {

constexpr GLuint kLightUnit = 0, kImageUnit = 1, kArrivedUnit = 2, kResultUnit = 3;
constexpr int kMetered = 3;  // levels between the coarsest and the one that is measured, which has about 90 rows
constexpr float kFollowSeconds = 0.17f;  // time constant: 95 % after half a second
constexpr GLsizeiptr kBytes = 16;        // minimum size of a uniform block

}  // namespace

Exposure::Exposure() {
  const float none[kBytes / sizeof(float)] = {};
  glNamedBufferStorage(buffer_.name(), kBytes, none, GL_DYNAMIC_STORAGE_BIT);
}

ExposurePass::ExposurePass(const ShaderLibrary& library)
    : plain_(library.build({"expose.comp"}, {"SMOOTHED 0"})),
      smoothed_(library.build({"expose.comp"}, {"SMOOTHED 1"})) {}

void ExposurePass::follow(const Image& image, float seconds, const Exposure& exposure) const {
  const float share = seconds > 0 ? 1 - std::exp(-seconds / kFollowSeconds) : 0;
  const LightLevels& levels = image.levels;
  const int level = std::max(levels.last() - kMetered, levels.first());
  const SmoothingPass::Level smoothing = image.smoothing.at(level);
  const bool smoothed = smoothing.result != 0;
  const GLuint program = (smoothed ? smoothed_ : plain_).name();
  glUseProgram(program);
  glProgramUniform1f(program, 0, share);
  glBindTextureUnit(kImageUnit, levels.at(level).texture.name());
  if (smoothed) {
    glProgramUniform1f(program, 1, static_cast<float>(level - levels.first()));
    glProgramUniform1f(program, 2, image.body);
    glBindTextureUnit(kLightUnit, image.light);
    glBindTextureUnit(kArrivedUnit, smoothing.arrived);
    glBindTextureUnit(kResultUnit, smoothing.result);
  }
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, kExposureBinding, exposure.buffer());
  glDispatchCompute(1, 1, 1);
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, kExposureBinding, 0);
  for (const GLuint unit : {kLightUnit, kImageUnit, kArrivedUnit, kResultUnit}) glBindTextureUnit(unit, 0);
  glMemoryBarrier(GL_UNIFORM_BARRIER_BIT | GL_BUFFER_UPDATE_BARRIER_BIT);
}

void ExposurePass::reset(const Exposure& exposure) const {
  glClearNamedBufferData(exposure.buffer(), GL_R32F, GL_RED, GL_FLOAT, nullptr);
}

}  // namespace pericenter::render
