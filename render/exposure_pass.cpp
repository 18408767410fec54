#include "render/exposure_pass.h"

#include <cmath>

#include "render/frame_uniforms.h"

namespace pericenter::render {
namespace {

constexpr GLuint kImageUnit = 1, kArrivedUnit = 2, kResultUnit = 3;
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
  const Program& program = image.smoothing.result != 0 ? smoothed_ : plain_;
  glUseProgram(program.name());
  glProgramUniform1f(program.name(), 0, share);
  glBindTextureUnit(kImageUnit, image.light);
  glBindTextureUnit(kArrivedUnit, image.smoothing.arrived);
  glBindTextureUnit(kResultUnit, image.smoothing.result);
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, kExposureBinding, exposure.buffer());
  glDispatchCompute(1, 1, 1);
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, kExposureBinding, 0);
  for (const GLuint unit : {kImageUnit, kArrivedUnit, kResultUnit}) glBindTextureUnit(unit, 0);
  glMemoryBarrier(GL_UNIFORM_BARRIER_BIT | GL_BUFFER_UPDATE_BARRIER_BIT);
}

void ExposurePass::reset(const Exposure& exposure) const {
  glClearNamedBufferData(exposure.buffer(), GL_R32F, GL_RED, GL_FLOAT, nullptr);
}

}  // namespace pericenter::render
