#include "render/exposure_pass.h"

#include <cmath>

#include "render/frame_uniforms.h"

namespace pericenter::render {
namespace {

constexpr GLuint kImageUnit = 1;
constexpr float kFollowSeconds = 0.17f;  // time constant: 95 % after half a second
constexpr GLsizeiptr kBytes = 16;        // minimum size of a uniform block

}  // namespace

Exposure::Exposure() {
  const float none[kBytes / sizeof(float)] = {};
  glNamedBufferStorage(buffer_.name(), kBytes, none, GL_DYNAMIC_STORAGE_BIT);
}

ExposurePass::ExposurePass(const ShaderLibrary& library) : program_(library.build({"expose.comp"})) {}

void ExposurePass::follow(const ColorTarget& image, float seconds, const Exposure& exposure) const {
  const float share = seconds > 0 ? 1 - std::exp(-seconds / kFollowSeconds) : 0;
  glUseProgram(program_.name());
  glProgramUniform1f(program_.name(), 0, share);
  glBindTextureUnit(kImageUnit, image.texture.name());
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, kExposureBinding, exposure.buffer());
  glDispatchCompute(1, 1, 1);
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, kExposureBinding, 0);
  glBindTextureUnit(kImageUnit, 0);
  glMemoryBarrier(GL_UNIFORM_BARRIER_BIT | GL_BUFFER_UPDATE_BARRIER_BIT);
}

void ExposurePass::reset(const Exposure& exposure) const {
  glClearNamedBufferData(exposure.buffer(), GL_R32F, GL_RED, GL_FLOAT, nullptr);
}

}  // namespace pericenter::render
